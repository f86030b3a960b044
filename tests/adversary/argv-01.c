// CAT: argv
// TRUTH: safe
// ARGS:
// WHY: the list of arguments ends with a null pointer, also for a function that is given it.
#include "v.h"

static int count(char **list) {
  int n = 0;
  while (list[n])
    n++;
  return n;
}

int main(int argc, char **argv) {
  if (argc > 3)
    return 0;
  if (count(argv) != argc || !argv[0])
    reach_error();
  return 0;
}
