// CAT: activation
// TRUTH: unsafe
// WHY: memory of alloca stays until the function returns, beside an array whose length is computed.
#include "v.h"

struct link {
  struct link *next;
  unsigned value;
};
static unsigned sum(unsigned n) {
  struct link *first = 0;
  unsigned last[n + 1], total = 0;
  last[n] = n;
  for (unsigned i = 0; i < n; i++) {
    struct link *link = __builtin_alloca(sizeof *link);
    link->next = first;
    link->value = i;
    first = link;
  }
  for (; first; first = first->next)
    total += first->value;
  return total + last[n];
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 5;
  assert(sum(n) != 10);
  return 0;
}
