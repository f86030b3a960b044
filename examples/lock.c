// A lock protocol: take and release must alternate, whatever the loop does.
// Shows: a property of a sequence of calls, proved from the values of one variable.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int held;

static void take(void) {
  assert(!held);
  held = 1;
}

static void release(void) {
  assert(held);
  held = 0;
}

int main(void) {
  int retry = 0;
  do {
    take();
    retry = __VERIFIER_nondet_int() > 0;
    if (retry)
      release();
  } while (retry);
  release();
  return 0;
}
