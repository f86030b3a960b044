// CAT: str
// TRUTH: unsafe
// ARGS:
// WHY: strtoul accepts a minus sign: "-1" is ULONG_MAX and no error is set.
#include "v.h"
#include <errno.h>
#include <stdlib.h>

int main(void) {
  char *end;
  errno = 0;
  unsigned long size = strtoul("-1", &end, 10);
  if (errno == 0 && *end == '\0' && size > 1000)
    reach_error();
  return 0;
}
