// CAT: env
// TRUTH: safe
// ARGS:
// WHY: getenv may give null, but not right after a setenv of that name that succeeded; setenv copies the value.
#define _GNU_SOURCE
#include "v.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
  char value[] = "one";
  if (setenv("ADVERSARY_KEY", value, 1) != 0)
    return 0;
  value[0] = 'X';
  const char *got = getenv("ADVERSARY_KEY");
  assert(got != NULL);
  assert(strcmp(got, "one") == 0);
  if (unsetenv("ADVERSARY_KEY") == 0)
    assert(getenv("ADVERSARY_KEY") == NULL);
  return 0;
}
