// CAT: entry
// TRUTH: safe
// ARGS: --property memory-safety --function length
// WHY: a text ends.
#include <stdlib.h>

int length(const char *text) {
  int n = 0;
  if (!text)
    return 0;
  while (text[n])
    n++;
  return n;
}
