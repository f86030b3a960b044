// CAT: heap
// TRUTH: ub
// ARGS:
// WHY: an alias keeps pointing to the list node which has been freed through another pointer
#include "v.h"
#include <stdlib.h>

struct node {
  long pad[4];
  int value;
  struct node *next;
};

int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b)
    return 0;
  a->value = 1;
  a->next = b;
  b->value = 2;
  b->next = 0;
  int *alias = &a->next->value;
  struct node *rest = a->next;
  if (__VERIFIER_nondet_bool())
    a->next = 0, free(rest);
  assert(*alias == 2);
  return 0;
}
