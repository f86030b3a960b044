// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: putenv keeps the string itself, so a later write to the array changes the environment.
#define _GNU_SOURCE
#include "v.h"
#include <stdlib.h>
#include <string.h>

static char entry[] = "ADVERSARY_MODE=safe";

int main(void) {
  if (putenv(entry) != 0)
    return 0;
  strcpy(entry + 15, "fast");
  const char *mode = getenv("ADVERSARY_MODE");
  if (mode == NULL || strcmp(mode, "safe") != 0)
    reach_error();
  return 0;
}
