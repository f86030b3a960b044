// CAT: list
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 21
// WITNESS: 1 0 1
// WHY: The queue's tail still points to the last node after that node was removed.
#include <stdlib.h>
#include "v.h"

struct node { struct node *next; int v; };
static struct queue { struct node *head, *tail; } q;

static void enqueue(int v)
{
	struct node *n = malloc(sizeof *n);
	if (!n)
		return;
	n->next = NULL;
	n->v = v;
	if (q.tail)
		q.tail->next = n;
	else
		q.head = n;
	q.tail = n;
}

static void dequeue(void)
{
	struct node *n = q.head;
	if (!n)
		return;
	q.head = n->next;
	free(n);
}

int main(void)
{
	for (int i = 0; i < 3; i++) {
		if (__VERIFIER_nondet_bool())
			enqueue(i);
		else
			dequeue();
	}
	while (q.head)
		dequeue();
	return 0;
}
