// Unit proof: removing every node with a value from a list of allocated nodes, linked both ways around a sentinel. No
// such node is left, all others are, in their order, and the links agree.
// BUG 1: the node behind a removed one is not looked at.
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct node {
  struct node *next;
  struct node *previous;
  unsigned char value;
};

static void append(struct node *list, struct node *node) {
  node->next = list;
  node->previous = list->previous;
  list->previous->next = node;
  list->previous = node;
}

static size_t filter(struct node *list, unsigned char value) {
  size_t removed = 0;
  for (struct node *node = list->next, *next; node != list; node = next) {
    next = node->next;
    if (node->value != value)
      continue;
    node->previous->next = next;
    next->previous = node->previous;
    free(node);
    removed++;
#if BUG == 1
    if (next != list)
      next = next->next;
#endif
  }
  return removed;
}

int main(void) {
  struct node list = {&list, &list, 0};
  unsigned char values[SIZE], unwanted = __VERIFIER_nondet_uchar();
  size_t count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(count <= SIZE);
  for (size_t i = 0; i < count; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      return 0;
    values[i] = node->value = __VERIFIER_nondet_uchar();
    append(&list, node);
  }

  size_t removed = filter(&list, unwanted), at = 0;

  for (struct node *node = list.next; node != &list; node = node->next, at++) {
    assert(node->next->previous == node);
    assert(node->value != unwanted);
    for (; at < count && values[at] == unwanted; at++)
      removed--;
    assert(at < count && node->value == values[at]);
  }
  for (; at < count; at++) {
    assert(values[at] == unwanted);
    removed--;
  }
  assert(removed == 0);
  return 0;
}
