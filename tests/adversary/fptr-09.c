// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: constructors run by their priorities and not in the order of the text, those without one last
#include "v.h"

static int state = 1;

__attribute__((constructor)) static void triple(void) {
  state *= 3;
}

__attribute__((constructor(400))) static void increment(void) {
  state += 1;
}

__attribute__((constructor(200))) static void add_five(void) {
  state += 5;
  state *= 2;
}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  if (state * 2 == 78 && x < 3)
    reach_error();
  return 0;
}
