// CAT: argv
// TRUTH: unsafe
// ARGS:
// WHY: an argument may be any text, also after the list was changed.
#include "v.h"

static void shift(int *argc, char **argv) {
  for (int i = 1; i < *argc; i++)
    argv[i] = argv[i + 1];
  (*argc)--;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4)
    return 0;
  shift(&argc, argv);
  if (argc == 3 && argv[2][0] == 'x' && argv[1][0] == 0)
    reach_error();
  return 0;
}
