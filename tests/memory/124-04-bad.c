// CAT: 124
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 28
// WITNESS: -1
// WHY: The slot is compared with the upper bound alone, and a signed slot may be negative.
#include "v.h"

typedef struct {
  long stamp;
  int hits[6];
} counters;

static int *base(counters *c) { return c->hits; }

static int legal(int slot)
{
  return slot < 6 && slot > -12;
}

int main(void)
{
  int local[6] = { 0, 1, 2, 3, 4, 5 };
  counters c = { 7, { 0 } };
  int slot = __VERIFIER_nondet_int();
  if (!legal(slot))
    return 0;
  local[slot] += 1;
  for (int i = 0; i < 6; i++)
    base(&c)[i] = local[i];
  return c.hits[5] == 6;
}
