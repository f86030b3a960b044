// CAT: io
// TRUTH: unsafe
// ARGS: --property valid-deref
// WHY: as much may be read as is asked for, which is once more than there is
#include "v.h"
#include <unistd.h>

int main(void) {
  char block[4];
  unsigned size = __VERIFIER_nondet_uint() % 6;
  if (read(0, block, size) != size)
    return 1;
  return 0;
}
