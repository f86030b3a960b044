// CAT: ext
// TRUTH: safe
// ARGS:
// NATIVE: skip
// WHY: the weak function may be missing, then its address is null; it is called only when it is there.
#include "v.h"
#include <stddef.h>

int hook(int x) __attribute__((weak));

int main(void) {
  int used = hook != NULL;
  int r = hook != NULL ? hook(3) & 15 : -1;
  assert(r >= -1 && r < 16);
  assert(used == (r >= 0));
  return 0;
}
