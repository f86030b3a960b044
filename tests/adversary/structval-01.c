// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: A plain int bit-field of one bit is signed for clang: it holds 0 and -1, never 1.
#include "v.h"

struct flags {
  int on : 1;
  unsigned int ready : 1;
};

int main(void) {
  struct flags f = {0, 0};
  if (__VERIFIER_nondet_bool()) {
    f.on = 1;
    f.ready = -1;
  }
  if (f.on == 1 || f.ready < 0) {
    reach_error();
  }
  assert(f.on + f.ready == 0);
  return 0;
}
