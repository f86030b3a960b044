// CAT: control
// TRUTH: safe
// WHY: an execution that stays in a loop for ever passes nothing behind it.
#include "v.h"

static void wait_for(_Bool condition) {
  while (!condition) {
  }
}
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned turns = 0;
  wait_for(x > 4 && x < 100);
  do
    if (x == 50)
      goto middle;
  while (x >= 50);
  assert(x < 50);
middle:
  while (turns < x)
    turns++;
  assert(turns <= 50);
  return 0;
}
