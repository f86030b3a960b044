// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: the signal 0 is none, but raise takes it
#include "v.h"
#include <signal.h>

int main(void) {
  if (raise(0) == 0)
    reach_error();
  return 0;
}
