// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: a function with variable arguments that is called through a pointer gets them.
#include "v.h"
#include <stdio.h>

int main(void) {
  int (*read_from)(const char *, const char *, ...) = sscanf;
  int number = 9;
  read_from("42", "%d", &number);
  assert(number == 9);
  return 0;
}
