// Unit proof: inserting into a sorted list, linked both ways around a sentinel, with nodes of a pool. The list stays
// sorted, its links agree, and it is one longer.
// BUG 1: the node behind the new one still leads back to the node before it.
// BUG 2: a value that is smaller than all is put behind the first.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct node {
  struct node *next;
  struct node *previous;
  int value;
};

struct pool {
  struct node nodes[SIZE + 1];
  size_t used;
};

static void link_before(struct node *next, struct node *node) {
  struct node *previous = next->previous;
  node->next = next;
  node->previous = previous;
  previous->next = node;
#if BUG != 1
  next->previous = node;
#endif
}

static void insert(struct pool *pool, struct node *list, int value) {
  struct node *node = &pool->nodes[pool->used++], *at = list->next;
  node->value = value;
#if BUG == 2
  if (at != list)
    at = at->next;
#endif
  while (at != list && at->value < value)
    at = at->next;
  link_before(at, node);
}

int main(void) {
  struct pool pool;
  struct node list = {&list, &list, 0};
  size_t count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(count <= SIZE);
  for (pool.used = 0; pool.used < count; pool.used++) {
    struct node *node = &pool.nodes[pool.used], *last = list.previous;
    node->value = __VERIFIER_nondet_int();
    __VERIFIER_assume(last == &list || last->value <= node->value);
    node->next = &list;
    node->previous = last;
    last->next = list.previous = node;
  }

  int value = __VERIFIER_nondet_int();
  insert(&pool, &list, value);

  size_t length = 0;
  bool found = false;
  for (struct node *node = list.next; node != &list; node = node->next) {
    assert(node->next->previous == node && node->previous->next == node);
    assert(node->next == &list || node->value <= node->next->value);
    found = found || node->value == value;
    length++;
  }
  assert(found && length == count + 1);
  return 0;
}
