// CAT: lib
// TRUTH: unsafe
// WHY: the zone of a date has a name.
#define _GNU_SOURCE
#include "v.h"
#include <time.h>

int main(void) {
  time_t start = 0;
  struct tm date;
  if (!gmtime_r(&start, &date))
    return 1;
  if (date.tm_zone[0] == 'G')
    reach_error();
  return 0;
}
