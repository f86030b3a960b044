// CAT: argv
// TRUTH: unsafe
// ARGS:
// WHY: the program calls main itself: what the system gives holds for the first call only.
#include "v.h"

int main(int argc, char **argv) {
  if (argc == 0)
    reach_error();
  if (argc == 2)
    return main(0, argv);
  return 0;
}
