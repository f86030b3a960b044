// CAT: io
// TRUTH: safe
// ARGS: --property memory-safety
// WHY: snprintf writes no more than there is room for.
#include "v.h"
#include <stdio.h>

int main(int argc, char **argv) {
  char name[10];
  if (argc > 1)
    snprintf(name, sizeof name, "%s!", argv[1]);
  return 0;
}
