// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a list of arguments leads to where what is read is written.
#include "v.h"
#include <stdarg.h>
#include <stdio.h>

static int read_from(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

int main(void) {
  int number = 9;
  read_from("42", "%d", &number);
  assert(number == 9);
  return 0;
}
