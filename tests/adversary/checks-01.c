// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property all
// NATIVE: skip
// WHY: a member of a packed struct is read through a pointer of its type, at an odd address
#include "v.h"

struct __attribute__((packed)) record {
  char kind;
  int value;
};

int main(void) {
  static _Alignas(4) struct record r[4];
  unsigned n = __VERIFIER_nondet_uchar() % 4;
  int *p = &r[n].value;
  return n == 1 ? *p : 0;
}
