// CAT: env
// TRUTH: safe
// ARGS:
// WHY: clocks count nanoseconds in 64 bits, so no number of seconds is as large as a `time_t` may be.
#include <assert.h>
#include <time.h>

int main(void) {
  time_t now = time(0);
  assert(now >= 0);
  assert(now / 2 < 1L << 33);
  return 0;
}
