// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: a function which recurs only through a pointer to itself inside of a struct passed by value
#include "v.h"

struct closure {
  unsigned (*apply)(struct closure self, unsigned n);
  unsigned acc;
};

static unsigned product(struct closure self, unsigned n) {
  if (n < 2)
    return self.acc;
  self.acc *= n;
  return self.apply(self, n - 1);
}

static unsigned sum(struct closure self, unsigned n) {
  if (n == 0)
    return self.acc;
  self.acc += n;
  self.apply = n % 2 ? sum : product;
  return self.apply(self, n - 1);
}

int main(void) {
  struct closure c = {sum, 0};
  unsigned n = __VERIFIER_nondet_uchar() % 12;
  if (c.apply(c, n) == 24 * 14)
    reach_error();
  c.apply = product;
  c.acc = 1;
  if (c.apply(c, n) == 5040)
    reach_error();
  return 0;
}
