// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: strncpy fills the whole rest of the buffer with zeros, far behind the end of the string.
#include "v.h"
#include <string.h>

int main(void) {
  long l[2] = {-1, -1};
  unsigned int n = __VERIFIER_nondet_uint() % 17;
  strncpy((char *)l, "A", n);
  if (l[0] == 'A' && l[1] == -65536) {
    reach_error();
  }
  return 0;
}
