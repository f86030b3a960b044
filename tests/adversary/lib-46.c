// CAT: lib
// TRUTH: unsafe
// WHY: mktime leaves a date alone that is no time.
#include "v.h"
#include <time.h>

int main(void) {
  struct tm date = {.tm_mon = 40, .tm_mday = 1, .tm_year = 2147483647};
  mktime(&date);
  if (date.tm_mon == 40)
    reach_error();
  return 0;
}
