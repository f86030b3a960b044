// CAT: ext
// TRUTH: unsafe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: main has external linkage too: called again from the outside, it finds the depth that the outer one left.
#include "v.h"

void tick(void);

static int depth;

int main(void) {
  depth++;
  tick();
  if (depth != 1)
    reach_error();
  depth--;
  return 0;
}
/* EXTERNAL code with which it fails:
int main(void);
void tick(void) { static int once; if (!once++) main(); }
*/
