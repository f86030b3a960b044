// CAT: heap
// TRUTH: safe
// ARGS: --property memory-cleanup
// WHY: all is freed when the program ends, which it does not where an inner call of main returns
#include "v.h"
#include <stdlib.h>

static char *text;

int main(void) {
  static int depth;
  if (depth++ == 0) {
    text = malloc(8);
    main();
    free(text);
  }
  return 0;
}
