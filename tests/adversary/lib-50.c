// CAT: lib
// TRUTH: unsafe
// WHY: the text of a date is longer where its year is.
#include "v.h"
#include <string.h>
#include <time.h>

int main(void) {
  struct tm date = {.tm_mday = 1, .tm_year = 8100};
  const char *text = asctime(&date);
  if (text && strlen(text) != 25)
    reach_error();
  return 0;
}
