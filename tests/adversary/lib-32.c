// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: getopt sets a variable of the library.
#include "v.h"
#include <unistd.h>

int main(void) {
  char *words[] = {"program", "-a", 0};
  int before = optind;
  getopt(2, words, "a");
  assert(optind == before);
  return 0;
}
