// CAT: env
// TRUTH: unsafe
// ARGS:
// NATIVE: skip
// ARGV: [""]
// WHY: argv[0] is whatever the caller of execve gave, also the empty string (needs such a caller).
#include "v.h"
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 1)
    return 1;
  const char *name = strrchr(argv[0], '/');
  name = name != NULL ? name + 1 : argv[0];
  if (strlen(name) == 0)
    reach_error();
  return 0;
}
