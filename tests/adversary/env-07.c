// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: a failing system call sets errno, although the code seems to leave it at 0.
#include "v.h"
#include <errno.h>
#include <unistd.h>

int main(void) {
  int fd = -1;
  errno = 0;
  close(fd);
  int saved = errno;
  if (saved != 0)
    reach_error();
  return 0;
}
