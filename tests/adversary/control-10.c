// CAT: control
// CAT: control
// TRUTH: safe
// ARGS:
// WHY: an interpreter of labels as values, whose program is an input but whose stack never leaves its bounds
#include "v.h"

int main(void) {
  static const void *const jump[4] = {&&push, &&pop, &&dup, &&halt};
  int stack[8];
  unsigned depth = 0, steps = 0;

next:
  if (++steps > 6)
    goto *jump[3];
  goto *jump[__VERIFIER_nondet_uchar() & 3];
push:
  stack[depth++] = 1;
  goto next;
pop:
  if (depth)
    depth--;
  goto next;
dup:
  if (depth) {
    stack[depth] = stack[depth - 1] * 2;
    depth++;
  }
  goto next;
halt:
  assert(depth <= 6);
  for (unsigned i = 0; i < depth; i++)
    assert(stack[i] > 0 && stack[i] <= 32 && (stack[i] & (stack[i] - 1)) == 0);
  return 0;
}
