// CAT: lib
// TRUTH: safe
// ARGS: --property memory-safety
// WHY: neither strsep nor strtok writes to a text that has none of the separators.
#include "v.h"
#include <string.h>

int main(void) {
  char *text = "abc", *whole = text;
  char *first = strsep(&text, ",");
  return first == whole && strtok(whole, ";") == whole;
}
