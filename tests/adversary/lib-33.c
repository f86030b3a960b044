// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: errx ends the program, which runs what is registered for that.
#include "v.h"
#include <err.h>
#include <stdlib.h>

static void last(void) { reach_error(); }

int main(void) {
  atexit(last);
  errx(1, "%d", 7);
}
