// CAT: ext
// TRUTH: unsafe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: a function with external linkage can be called back by code we don't see, so the static it writes changes.
#include "v.h"

void tick(void);

static int locked;

void set_locked(int value) { locked = value & 1; }

int main(void) {
  locked = 0;
  tick();
  if (locked)
    reach_error();
  return 0;
}
/* EXTERNAL code with which it fails:
void set_locked(int value);
void tick(void) { set_locked(1); }
*/
