// CAT: lib
// TRUTH: unsafe
// WHY: a signal of the terminal stops the process, which may go on.
#include "v.h"

#include <signal.h>

int main(void) {
  raise(SIGTSTP);
  assert(0);
  return 0;
}
