// CAT: lib
// TRUTH: safe
// ARGS: --property memory-cleanup
// WHY: fclose gives back what fopen took
#include "v.h"
#include <stdio.h>

int main(void) {
  FILE *file = fopen("/dev/null", "r");
  if (file)
    fclose(file);
  return 0;
}
