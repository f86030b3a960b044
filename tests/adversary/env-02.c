// CAT: env
// TRUTH: safe
// ARGS:
// WHY: the argument vector is complete: no null before argc, a null at argc, and every string has an end.
#include "v.h"
#include <stddef.h>
#include <string.h>

int main(int argc, char **argv) {
  int n = 0;
  while (argv[n] != NULL) {
    assert(n < argc);
    assert(argv[n][strlen(argv[n])] == '\0');
    n++;
  }
  assert(n == argc);
  return 0;
}
