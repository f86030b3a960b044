// CAT: env
// TRUTH: unsafe
// ARGS:
// WHY: abort ends the process only after the handler of SIGABRT has run.
#include "v.h"
#include <signal.h>
#include <stdlib.h>

static void on_abort(int number) {
  if (number == SIGABRT)
    reach_error();
}

int main(void) {
  signal(SIGABRT, on_abort);
  abort();
}
