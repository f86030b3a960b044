// CAT: ext
// TRUTH: unsafe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: the returned pointer may be the one given in, although it looks like a fresh copy.
#include "v.h"
#include <stddef.h>

int *duplicate(const int *values, int n);

int main(void) {
  int values[2] = {1, 2};
  int *copy = duplicate(values, 2);
  values[0] = 1;
  if (copy == NULL)
    return 0;
  *copy = 50;
  if (values[0] != 1)
    reach_error();
  return 0;
}
/* EXTERNAL code with which it fails:
int *duplicate(const int *values, int n) { return (int *)values; }
*/
