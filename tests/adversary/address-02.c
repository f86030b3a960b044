// CAT: address
// TRUTH: safe
// ARGS:
// WHY: no object lies among the last addresses, and where one lies stays the same.
#include "v.h"

#include <stdlib.h>

static int is_error(const void *p) { return (unsigned long)p >= (unsigned long)-4095L; }
static int is_high(const void *p) { return (unsigned long)p > 4294967295UL; }

int main(void) {
  int *p = malloc(sizeof *p);
  int own = 1;
  if (!p)
    return 0;
  if (is_error(p) || is_error(&own))
    reach_error();
  if (is_high(p) != is_high(p))
    reach_error();
  free(p);
  return 0;
}
