// CAT: int
// TRUTH: unsafe
// ARGS: -- -funsigned-char
// WHY: With -funsigned-char the label 200 of a switch over a plain char is reachable.
#include "v.h"

int main(void) {
  char c = __VERIFIER_nondet_char();
  __VERIFIER_assume(c > '\x7f' || c == '\xff');
  switch (c) {
  case -1:
    return 0;
  case 255:
    reach_error();
  }
  return 0;
}
