// CAT: ext
// TRUTH: unsafe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: the first function keeps the pointer and the second, which gets no pointer at all, writes through it.
#include "v.h"

int attach(const int *cell);
void detach(void);

int main(void) {
  int value = 1;
  attach(&value);
  value = 2;
  detach();
  if (value != 2)
    reach_error();
  return 0;
}
/* EXTERNAL code with which it fails:
static int *kept;
int attach(const int *cell) { kept = (int *)cell; return 0; }
void detach(void) { *kept = 7; }
*/
