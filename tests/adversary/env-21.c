// CAT: env
// TRUTH: unsafe
// ARGS: --property valid-deref
// WHY: the list of arguments ends with a null pointer, which is the second where there is just the name
#include "v.h"

int main(int argc, char **argv) {
  return argv[1][0] == '-';
}
