// CAT: ext
// TRUTH: unsafe
// ARGS:
// NATIVE: skip
// WHY: the variable is only declared here: its value is whatever the other file gives it, not 0.
#include "v.h"

extern int limit;
extern const char version[];

int main(void) {
  int n = 0;
  while (n < 8 && n < limit)
    n++;
  if (n == 6 && version[0] == 'v')
    reach_error();
  return 0;
}
/* EXTERNAL code with which it fails:
int limit = 6;
const char version[] = "v1";
*/
