// CAT: checks
// TRUTH: unsafe
// ARGS: --property valid-deref
// WHY: a constant is written directly
#include "v.h"
const int four = 4;

int main(void) {
  *(int *)&four = 5;
  return 0;
}
