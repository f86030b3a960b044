// CAT: checks
// TRUTH: unsafe
// ARGS: --property all
// WHY: an array of one element at the end of a structure may be longer, but this structure is not
#include "v.h"

struct text {
  int length;
  int letters[1];
};

int main(void) {
  struct text text = {0};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 1)
    return 0;
  return text.letters[i];
}
