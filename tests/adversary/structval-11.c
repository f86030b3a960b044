// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: clang computes a 40-bit field of type unsigned long long in 64 bits, so shifted-out bits are not lost.
#include "v.h"

struct wide {
  unsigned long long v : 40;
  unsigned long long rest : 24;
};

int main(void) {
  struct wide w;
  w.v = __VERIFIER_nondet_ulonglong();
  w.rest = 0;
  assert((w.v << 24) >> 24 == w.v);
  assert(w.v + (1ull << 40) > w.v);
  w.v <<= 24;
  assert((w.v & 0xffffff) == 0);
  assert(w.v >> 40 == 0);
  assert(w.rest == 0);
  return 0;
}
