// CAT: heap
// TRUTH: safe
// ARGS:
// WHY: insertion through a pointer to the link sorts a list whose nodes are allocated in any order of values
#include "v.h"
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n)
      return 0;
    n->value = __VERIFIER_nondet_int();
    struct node **at = &head;
    while (*at && (*at)->value < n->value)
      at = &(*at)->next;
    n->next = *at;
    *at = n;
  }
  int count = 1;
  for (struct node *n = head; n->next; n = n->next) {
    assert(n->value <= n->next->value);
    count++;
  }
  assert(count == 3);
  return 0;
}
