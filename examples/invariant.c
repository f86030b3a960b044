// A ring buffer that only counts: what is used and what is empty make up its capacity, for ever.
// Shows: a loop without a bound, and a relation of variables that no single value tells.
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned capacity = __VERIFIER_nondet_uint();
  unsigned used = 0, empty = capacity;
  while (__VERIFIER_nondet_uint() != 0) {
    if (empty > 0 && __VERIFIER_nondet_uint() != 0) {
      empty--;
      used++;
    } else if (used > 0) {
      used--;
      empty++;
    }
  }
  assert(used + empty == capacity);
  return 0;
}
