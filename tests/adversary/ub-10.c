// CAT: ub
// TRUTH: unsafe
// ARGS:
// WHY: after free the same block comes back, so the dangling pointer equals the new one and shows its content.
#include "v.h"
#include <stdlib.h>

int main(void) {
  int *old = malloc(sizeof *old);
  if (old == NULL)
    return 0;
  *old = 1;
  free(old);
  int *new = malloc(sizeof *new);
  if (new == NULL)
    return 0;
  *new = 1234;
  if (old == new && *old == 1234)
    reach_error();
  free(new);
  return 0;
}
