// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: functions of the system that have no model write to where their arguments lead.
#include "v.h"
#include <unistd.h>

int main(void) {
  int ends[2] = {-5, -5};
  if (pipe(ends) == 0)
    assert(ends[0] == -5);
  return 0;
}
