// CAT: io
// TRUTH: unsafe
// ARGS: --as-command
// WHY: a file gets the number of a standard stream that was closed.
#include "v.h"

#include <fcntl.h>
#include <unistd.h>

int main(void) {
  close(0);
  close(2);
  int one = open("a", O_RDONLY), other = open("b", O_RDONLY);
  assert(one != 0 || other != 2);
  return 0;
}
