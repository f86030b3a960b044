// A loop that runs as often as the input says.
// Shows: a relation of two variables that no single value tells: a predicate, found by refinement.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned x = n, y = 0;
  while (x > 0) {
    x--;
    y++;
  }
  assert(y == n);
  return 0;
}
