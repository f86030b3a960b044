// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: a program may be given very many arguments.
#include "v.h"
#include <string.h>

int main(int argc, char **argv) {
  if (argc > 100000 && strcmp(argv[1], "go") == 0)
    reach_error();
  return 0;
}
