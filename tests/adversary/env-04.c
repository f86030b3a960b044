// CAT: env
// TRUTH: safe
// ARGS:
// WHY: the strings of argv are writable and apart from each other, so a write to one changes no other.
#include "v.h"

int main(int argc, char **argv) {
  if (argc < 3)
    return 0;
  if (argv[1][0] == '\0' || argv[2][0] == '\0')
    return 0;
  char second = argv[2][0];
  argv[1][0] = (char)(second + 1);
  assert(argv[2][0] == second);
  assert(argv[1][0] != argv[2][0]);
  return 0;
}
