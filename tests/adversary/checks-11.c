// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property no-overflow
// NATIVE: skip
// WITNESS: 65535 65535
// WHY: all variables are unsigned, but unsigned short is promoted to int before the product
#include "v.h"

int main(void) {
  unsigned short a = __VERIFIER_nondet_ushort();
  unsigned short b = __VERIFIER_nondet_ushort();
  unsigned product = a * b;
  return product == 1;
}
