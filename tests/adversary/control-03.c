// CAT: control
// CAT: control
// TRUTH: safe
// ARGS:
// WHY: a va_list passed by its address is advanced by the callee, a copy made before starts where it was made
#include "v.h"
#include <stdarg.h>

static int take(va_list *list) {
  return va_arg(*list, int);
}

static int mix(int n, ...) {
  va_list list, mark;
  va_start(list, n);
  int a = take(&list);
  va_copy(mark, list);
  int b = take(&list);
  int c = va_arg(list, int);
  int again = take(&mark);
  va_end(mark);
  va_end(list);
  return a * 1000 + b * 100 + c * 10 + again;
}

int main(void) {
  int x = __VERIFIER_nondet_uchar() % 10;
  assert(mix(3, 1, x, 3) == 1030 + x * 101);
  return 0;
}
