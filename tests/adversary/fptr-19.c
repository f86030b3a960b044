// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: bsearch passes the key first and an element second, so a comparator of two types works
#include "v.h"
#include <stdlib.h>

struct row {
  long value;
  int key;
};

static int compare(const void *key, const void *element) {
  int k = *(const int *)key;
  int e = ((const struct row *)element)->key;
  return (k > e) - (k < e);
}

int main(void) {
  static const struct row rows[4] = {{10, -7}, {20, 0}, {30, 3}, {40, 9}};
  int key = __VERIFIER_nondet_int();
  const struct row *r = bsearch(&key, rows, 4, sizeof rows[0], compare);
  if (r)
    assert(r->key == key && r >= rows && r < rows + 4 && r->value == 10 * (r - rows + 1));
  else
    assert(key != -7 && key != 0 && key != 3 && key != 9);
  return 0;
}
