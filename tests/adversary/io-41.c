// CAT: io
// TRUTH: safe
// ARGS: --property memory-safety
// WHY: snprintf writes no more than there is room for, and nothing if there is none.
#include "v.h"
#include <stdio.h>

int main(int argc, char **argv) {
  char name[8];
  if (argc < 2)
    return snprintf(NULL, 0, "%s", "nobody");
  return snprintf(name, sizeof name, "<%s>", argv[1]);
}
