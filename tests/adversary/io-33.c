// CAT: io
// TRUTH: safe
// ARGS: --property memory-safety
// WHY: twelve letters hold every int with its sign and a zero.
#include "v.h"
#include <stdio.h>

int main(void) {
  char text[12];
  return sprintf(text, "%d", __VERIFIER_nondet_int());
}
