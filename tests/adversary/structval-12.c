// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: Later designators override earlier ones, and after [1] the counting goes on and overrides [2].
#include "v.h"

struct box {
  int a[4];
  union {
    float f;
    unsigned int u;
  };
};

int main(void) {
  struct box b = {.a = {1, 2, [2] = 30, [1] = 20, 31, 32}, .u = 5, .f = 1.0f};
  unsigned int k = __VERIFIER_nondet_uint() % 4;
  if (b.a[k] == 31 && k == 2 && b.u == 0x3f800000) {
    reach_error();
  }
  return 0;
}
