// CAT: io
// TRUTH: safe
// ARGS: --property valid-deref
// WHY: what is opened may be read until it is closed.
#include "v.h"
#include <stdio.h>

int main(void) {
  FILE *file = fopen("settings", "r");
  if (!file)
    return getchar();
  int c = fgetc(file) + getc(stdin);
  fputs("x", file);
  fclose(file);
  return c;
}
