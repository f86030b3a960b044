// CAT: activation
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: the pointer is to the variable of the first call: that the second call has one of the same name does not help.
#include "v.h"

static int *kept;

static int work(int first) {
  int own = 4;
  if (first) {
    kept = &own;
    return 0;
  }
  return *kept + own;
}

int main(void) {
  work(1);
  return work(0);
}
