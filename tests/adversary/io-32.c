// CAT: io
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: the least int has eleven letters, and a zero comes behind them.
#include "v.h"
#include <stdio.h>

int main(void) {
  char text[11];
  return sprintf(text, "%d", __VERIFIER_nondet_int());
}
