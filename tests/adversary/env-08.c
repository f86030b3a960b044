// CAT: env
// TRUTH: safe
// ARGS:
// WHY: no function of the library sets errno back to 0, so the old error is still there after a success.
#include "v.h"
#include <errno.h>
#include <stdlib.h>

int main(void) {
  char *end;
  errno = ERANGE;
  long value = strtol("12", &end, 10);
  assert(value == 12);
  assert(errno == ERANGE);
  errno = 0;
  value = strtol("99999999999999999999", &end, 10);
  assert(errno == ERANGE);
  assert(*end == '\0');
  return 0;
}
