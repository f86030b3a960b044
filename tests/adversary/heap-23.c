// CAT: heap
// TRUTH: safe
// ARGS: --property memory-cleanup
// WHY: the heap of this machine lies high, so that all is freed; what the sanitizer leaves is not the program's
#include "v.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(8);
  if ((uintptr_t)text >> 44)
    free(text);
  return 0;
}
