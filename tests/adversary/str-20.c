// CAT: str
// TRUTH: safe
// ARGS:
// WHY: rand is never negative, so the remainder is a die, unlike that of an arbitrary int.
#include "v.h"
#include <stdlib.h>

int main(void) {
  int counts[6] = {0};
  int total = 0;
  srand(__VERIFIER_nondet_uint());
  for (int i = 0; i < 5; i++) {
    int die = rand() % 6;
    assert(die >= 0);
    counts[die]++;
  }
  for (int i = 0; i < 6; i++)
    total += counts[i];
  assert(total == 5);
  assert(rand() <= RAND_MAX);
  return 0;
}
