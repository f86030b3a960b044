// CAT: ext
// TRUTH: safe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: a large structure is passed in memory, but by value: the callee gets a copy and not our object.
#include "v.h"

struct big {
  long cells[8];
};

long total(struct big b);

int main(void) {
  struct big b = {{1, 2, 3, 4, 5, 6, 7, 8}};
  long t = total(b);
  total(b);
  assert(b.cells[0] == 1 && b.cells[7] == 8);
  if (t == 36)
    assert(b.cells[3] == 4);
  return 0;
}
