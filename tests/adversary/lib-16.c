// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a list of arguments leads to where is written.
#include "v.h"
#include <stdarg.h>
#include <stdio.h>

static void tell(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

int main(void) {
  int counted = 9;
  tell("four%n\n", &counted);
  assert(counted == 9);
  return 0;
}
