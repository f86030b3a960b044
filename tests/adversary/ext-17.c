// CAT: ext
// TRUTH: unsafe
// ARGS:
// WHY: nobody defines the weak variable, so its address is null, which no ordinary variable has.
#include "v.h"
#include <stddef.h>

extern int option __attribute__((weak));

int main(void) {
  int *p = &option;
  if (p == NULL)
    reach_error();
  return 0;
}
