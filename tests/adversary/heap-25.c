// CAT: heap
// TRUTH: safe
// ARGS: --property valid-memtrack
// WHY: a pointer to an object of no bytes leads to it.
#include <stdlib.h>

static char *kept;

int main(void) {
  kept = malloc(0);
  return kept != 0;
}
