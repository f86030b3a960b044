// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: whoever calls main from inside gives it what he wants, also no arguments at all
#include "v.h"

int main(int argc, char **argv) {
  static int depth;
  if (depth++ == 0)
    return main(0, argv);
  if (argc == 0)
    reach_error();
  return 0;
}
