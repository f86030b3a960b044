// CAT: env
// TRUTH: safe
// ARGS:
// WHY: gmtime_r fails for years that do not fit; otherwise every field is in its range, the year may be negative.
#define _GNU_SOURCE
#include "v.h"
#include <time.h>

int main(void) {
  time_t t = __VERIFIER_nondet_long();
  struct tm tm;
  if (gmtime_r(&t, &tm) != NULL) {
    assert(tm.tm_mon >= 0 && tm.tm_mon <= 11);
    assert(tm.tm_mday >= 1 && tm.tm_mday <= 31);
    assert(tm.tm_hour >= 0 && tm.tm_hour <= 23);
    assert(tm.tm_min >= 0 && tm.tm_min <= 59);
    assert(tm.tm_sec >= 0 && tm.tm_sec <= 60);
    assert(tm.tm_wday >= 0 && tm.tm_wday <= 6);
    assert(tm.tm_yday >= 0 && tm.tm_yday <= 365);
  }
  return 0;
}
