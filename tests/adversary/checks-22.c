// CAT: checks
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: a constant table is filled
#include "v.h"
#include <string.h>

static const char table[3] = {1, 2, 3};

int main(void) {
  memset((void *)table, 0, sizeof table);
  return 0;
}
