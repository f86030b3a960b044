// CAT: entry
// TRUTH: unsafe
// ARGS: --property memory-safety --function lose
// WHY: what is allocated is lost.
#include <stdlib.h>

int lose(const int *p) {
  int *copy = malloc(sizeof *copy);
  if (!p)
    return 0;
  *copy = *p;
  return *copy;
}
