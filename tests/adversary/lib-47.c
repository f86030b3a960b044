// CAT: lib
// TRUTH: unsafe
// WHY: a time that is in no year has no text.
#include "v.h"
#include <time.h>

int main(void) {
  time_t late = 0x7fffffffffffffff;
  if (!ctime(&late))
    reach_error();
  return 0;
}
