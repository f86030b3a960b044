// CAT: env
// TRUTH: safe
// ARGS: --property valid-deref
// WHY: as many arguments are there as are counted, and none of them is null
#include "v.h"

int main(int argc, char **argv) {
  int found = 0;
  for (int i = 1; i < argc && i < 3; i++)
    found += argv[i][0] == '-';
  while (*argv)
    if (**argv++ == '+')
      break;
  return found;
}
