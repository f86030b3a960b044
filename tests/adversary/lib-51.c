// CAT: lib
// TRUTH: unsafe
// WHY: glob calls a function of the program where it cannot read a folder.
#include "v.h"
#include <glob.h>

static int failed;

static int note(const char *path, int error) {
  failed = 1;
  return 0;
}

int main(void) {
  glob_t found;
  glob("/nowhere/*", GLOB_ERR, note, &found);
  if (failed)
    reach_error();
  return 0;
}
