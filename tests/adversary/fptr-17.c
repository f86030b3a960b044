// CAT: fptr
// CAT: fptr
// TRUTH: safe
// ARGS: -- -funsigned-char
// WHY: with -funsigned-char a char passed through a variadic pointer is promoted to an int that is not negative
#include "v.h"
#include <stdarg.h>

static int least(int n, ...) {
  va_list list;
  va_start(list, n);
  int m = 1000;
  while (n-- > 0) {
    int x = va_arg(list, int);
    if (x < m)
      m = x;
  }
  va_end(list);
  return m;
}

int main(void) {
  int (*f)(int, ...) = least;
  char a = __VERIFIER_nondet_char(), b = __VERIFIER_nondet_char();
  assert(f(2, a, b) >= 0);
  assert(f(3, a, 0, b) == 0);
  assert(f(0) == 1000);
  return 0;
}
