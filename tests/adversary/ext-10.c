// CAT: ext
// TRUTH: unsafe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: the external function need not return: it may call exit, and then the atexit function sees half the work done.
#include "v.h"
#include <stdlib.h>

void work(void);

static int done;

static void at_end(void) {
  if (!done)
    reach_error();
}

int main(void) {
  if (atexit(at_end) != 0) {
    done = 1;
    return 1;
  }
  work();
  done = 1;
  return 0;
}
/* EXTERNAL code with which it fails:
void exit(int);
void work(void) { exit(0); }
*/
