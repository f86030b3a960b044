// CAT: argv
// TRUTH: ub
// ARGS: --property memory-safety
// WHY: what is behind the end of an argument belongs to nobody, which no sanitizer sees.
#include "v.h"

int main(int count, char **arguments) {
  int end = 0;
  while (arguments[0][end])
    end++;
  return arguments[0][end + 1];
}
