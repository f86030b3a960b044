// CAT: ext
// TRUTH: safe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: only the neighbour and a copy are handed out; the local whose address nobody took stays what it was.
#include "v.h"

int update(int *cell, int copy);

int main(void) {
  int before[2] = {1, 2};
  int cell = __VERIFIER_nondet_int();
  int after[2] = {3, 4};
  int copy = cell;
  int other = 0;
  for (int i = 0; i < 3; i++)
    other = update(&other, copy);
  assert(cell == copy);
  assert(before[0] + before[1] == 3 && after[0] + after[1] == 7);
  return other & 1;
}
