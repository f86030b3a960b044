// CAT: argv
// TRUTH: safe
// ARGS:
// WHY: an option is taken out of the list, which moves its end as well.
#include "v.h"

static void shift(int *argc, char **argv) {
  for (int i = 1; i < *argc; i++)
    argv[i] = argv[i + 1];
  (*argc)--;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4)
    return 0;
  char *first = argv[1];
  shift(&argc, argv);
  if (argv[argc])
    reach_error();
  if (argc == 2 && argv[1] == first)
    reach_error();
  return 0;
}
