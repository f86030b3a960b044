// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: a variable of a loop's body is a new one in each iteration, which does not keep what the one before held.
#include <assert.h>

int main(void) {
  int kept = 0;
  for (int i = 0; i < 2; i++) {
    int now;
    if (i == 0)
      now = 5;
    kept = now;
  }
  assert(kept == 5);
  return 0;
}
