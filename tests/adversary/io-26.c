// CAT: io
// TRUTH: unsafe
// ARGS: --property valid-deref
// WHY: a file that is not there gives no stream to read from.
#include "v.h"
#include <stdio.h>

int main(void) {
  FILE *file = fopen("settings", "r");
  return fgetc(file) == 'x';
}
