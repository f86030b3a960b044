// CAT: io
// TRUTH: safe
// ARGS:
// WHY: a truncating snprintf still terminates and still counts, and with size 0 it stores nothing at all.
#include "v.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char buffer[6] = "#####";
  int value = __VERIFIER_nondet_int();
  int length = snprintf(buffer, 0, "%d", value);
  assert(strcmp(buffer, "#####") == 0);
  int n = snprintf(buffer, 4, "%d", value);
  assert(n == length);
  assert(strlen(buffer) == (n < 4 ? (size_t)n : 3));
  assert(buffer[4] == '#' && buffer[5] == '\0');
  return 0;
}
