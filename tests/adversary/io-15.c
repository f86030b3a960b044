// CAT: io
// TRUTH: unsafe
// ARGS:
// NATIVE: skip
// STDINFILE: /
// WHY: a failing read returns -1, which as a size_t is more than the buffer holds (needs a stdin that cannot be read).
#include "v.h"
#include <unistd.h>

int main(void) {
  char buffer[4];
  size_t n = read(0, buffer, sizeof buffer);
  if (n > sizeof buffer)
    reach_error();
  return 0;
}
