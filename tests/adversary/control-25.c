// CAT: control
// TRUTH: safe
// ARGS:
// WHY: a case that the promoted type has, but that no value of the narrower type before it is
#include "v.h"

static unsigned char next(unsigned char c) { return c; }

int main(void) {
  int way = 0;
  switch (next(__VERIFIER_nondet_uchar())) {
  case -1:
    way = 1;
    break;
  case 255:
    way = 2;
    break;
  }
  if (way == 1)
    reach_error();
  return 0;
}
