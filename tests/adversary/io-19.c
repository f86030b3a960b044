// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: seeking behind the end of a file is no error, and ftell then reports the place although the file is empty.
#include "v.h"
#include <stdio.h>

int main(void) {
  FILE *f = tmpfile();
  if (f == NULL)
    return 0;
  if (fseek(f, 1000, SEEK_SET) == 0 && ftell(f) > 0)
    reach_error();
  fclose(f);
  return 0;
}
