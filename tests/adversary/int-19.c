// CAT: int
// TRUTH: safe
// ARGS:
// WHY: default in the middle of a switch takes part in the fallthrough but is chosen last.
#include "v.h"

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  int trace = 0;
  switch (x) {
  case 1:
    trace = trace * 10 + 1;
  default:
    trace = trace * 10 + 9;
  case 2:
    trace = trace * 10 + 2;
    if (0) {
    case 3:
      trace = trace * 10 + 3;
    }
    break;
  case 7 ... 9:
    trace = 5;
  }
  assert(x != 1 || trace == 192);
  assert(x != 2 || trace == 2);
  assert(x != 3 || trace == 3);
  assert(x != 8 || trace == 5);
  assert((x >= 1 && x <= 3) || (x >= 7 && x <= 9) || trace == 92);
  return 0;
}
