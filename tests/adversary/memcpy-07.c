// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: The deletion from an array moves a number of bytes where a number of elements was meant.
#include "v.h"
#include <string.h>

struct pair {
  char key;
  short value;
};

int main(void) {
  struct pair a[4] = {{1, 100}, {2, 200}, {3, 300}, {4, 400}};
  unsigned int i = __VERIFIER_nondet_uint() % 4;
  memmove(&a[i], &a[i + 1], 3 - i);
  if (i < 3 && a[i].key == (char)(i + 2) && a[i].value != (short)(100 * i + 200)) {
    reach_error();
  }
  return 0;
}
