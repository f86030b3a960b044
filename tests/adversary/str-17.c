// CAT: str
// TRUTH: safe
// ARGS:
// WHY: the order of equal keys is open, but the keys come out sorted and every record survives exactly once.
#include "v.h"
#include <stdlib.h>

struct record {
  unsigned char key;
  unsigned char id;
};

static int by_key(const void *a, const void *b) {
  const struct record *x = a;
  const struct record *y = b;
  return (x->key > y->key) - (x->key < y->key);
}

int main(void) {
  struct record r[3];
  unsigned seen = 0;
  unsigned sum = 0;
  for (int i = 0; i < 3; i++) {
    r[i].key = __VERIFIER_nondet_uchar() & 1;
    r[i].id = i;
    sum += r[i].key;
  }
  qsort(r, 3, sizeof r[0], by_key);
  for (int i = 0; i < 3; i++) {
    seen |= 1u << r[i].id;
    sum -= r[i].key;
  }
  assert(r[0].key <= r[1].key && r[1].key <= r[2].key);
  assert(seen == 7);
  assert(sum == 0);
  return 0;
}
