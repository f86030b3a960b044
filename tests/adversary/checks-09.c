// CAT: checks
// CAT: checks
// TRUTH: safe
// ARGS: --property null
// NATIVE: skip
// WHY: the list is walked without a test for null, but a sentinel is always met before its end
#include "v.h"

struct node {
  int key;
  struct node *next;
};

int main(void) {
  struct node n[4];
  for (int i = 0; i < 4; i++) {
    n[i].key = __VERIFIER_nondet_uchar();
    n[i].next = i < 3 ? &n[i + 1] : 0;
  }
  int wanted = __VERIFIER_nondet_uchar();
  n[3].key = wanted;
  struct node *p = n;
  while (p->key != wanted)
    p = p->next;
  return p->key;
}
