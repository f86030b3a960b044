// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: the function is never named in main: a destructor calls it through a static table at the end
#include "v.h"

static int balance;

static void open_(void) {
  balance++;
}

static void close_(void) {
  balance--;
}

static void (*const table[2])(void) = {open_, close_};

__attribute__((destructor)) static void last(void) {
  if (balance == -3)
    reach_error();
}

int main(void) {
  for (int i = 0; i < 3; i++)
    table[__VERIFIER_nondet_bool()]();
  return 0;
}
