// CAT: io
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: the sanitizer has a time and an fopen of its own, which a native run must not take.
#include "v.h"
#include <stdio.h>
#include <time.h>

int main(void) {
  FILE *file = fopen("new", "w");
  if (time(NULL) == 99)
    fprintf(file, "99");
  return 0;
}
