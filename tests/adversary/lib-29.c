// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: what is to be called once is called.
#include "v.h"
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int calls;

static void count(void) {
  calls++;
}

int main(void) {
  call_once(&flag, count);
  call_once(&flag, count);
  assert(calls != 1);
  return 0;
}
