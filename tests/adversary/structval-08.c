// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: Structs of several classes go through a variable argument list: register save area, then the stack.
#include "v.h"
#include <stdarg.h>

struct di {
  double d;
  long i;
};

struct wide {
  short s[11];
};

static double sum(int n, ...) {
  va_list ap;
  double t = 0;
  va_start(ap, n);
  for (int k = 0; k < n; k++) {
    struct di x = va_arg(ap, struct di);
    t += x.d * x.i;
  }
  struct wide w = va_arg(ap, struct wide);
  t += w.s[10];
  t += va_arg(ap, int);
  va_end(ap);
  return t;
}

int main(void) {
  struct di a = {0.5, __VERIFIER_nondet_char()};
  struct di b = {2, 7};
  struct wide w = {{[10] = 1000}};
  if (sum(6, a, b, b, b, b, b, w, 3) == 1073.5) {
    reach_error();
  }
  return 0;
}
