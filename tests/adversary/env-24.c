// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: a program may write to the texts of its arguments.
#include "v.h"

int main(int argc, char **argv) {
  argv[0][0] = 'x';
  assert(argv[0][0] != 'x');
  return 0;
}
