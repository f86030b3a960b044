// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: what is registered for the end runs when the program ends, not when an inner call of main returns.
#include "v.h"
#include <stdlib.h>

static int ended, depth;

static void at_end(void) {
  ended = 1;
}

int main(void) {
  if (depth++)
    return 0;
  atexit(at_end);
  main();
  assert(ended);
  return 0;
}
