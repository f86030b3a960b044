// CAT: control
// CAT: control
// TRUTH: safe
// ARGS:
// WHY: arguments of a variadic function beyond the registers, integers, doubles and structs mixed, come in their order
#include "v.h"
#include <stdarg.h>

struct small {
  char c[3];
};

struct large {
  long a, b, c;
};

static double total(const char *kinds, ...) {
  double sum = 0;
  va_list list;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    switch (*kinds) {
    case 'i':
      sum = sum * 2 + va_arg(list, int);
      break;
    case 'd':
      sum = sum * 2 + va_arg(list, double);
      break;
    case 's':
      sum = sum * 2 + va_arg(list, struct small).c[2];
      break;
    case 'l':
      sum = sum * 2 + va_arg(list, struct large).b;
      break;
    }
  }
  va_end(list);
  return sum;
}

int main(void) {
  struct small s = {{0, 0, 1}};
  struct large l = {7, 1, 7};
  int x = __VERIFIER_nondet_uchar();
  double r = total("iidilsiiisdi", 1, 1, 1.0, 1, l, s, 1, 1, 1, s, 1.0, x);
  assert(r == 4094 + x);
  r = total("dddddddddd", 1., 1., 1., 1., 1., 1., 1., 1., 1., (double)x);
  assert(r == 1022 + x);
  return 0;
}
