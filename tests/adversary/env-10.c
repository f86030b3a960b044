// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: the functions given to atexit run in the reverse order: the last one registered is the first.
#include "v.h"
#include <stdlib.h>
#include <unistd.h>

static int opened;

static void open_log(void) { opened = 1; }

static void use_log(void) {
  if (!opened)
    reach_error();
}

int main(void) {
  if (atexit(open_log) != 0 || atexit(use_log) != 0)
    _exit(1);
  return 0;
}
