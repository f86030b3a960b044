// CAT: entry
// TRUTH: safe
// ARGS: --property memory-safety --function filled
// WHY: a function without pointers among its parameters loses nothing that it returns, either.
#include <stdlib.h>

char *filled(int count) {
  if (count < 1 || count > 8)
    return 0;
  char *text = malloc(count);
  if (text)
    text[count - 1] = 0;
  return text;
}
