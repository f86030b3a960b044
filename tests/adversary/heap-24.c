// CAT: heap
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: nothing leads to a text any more once it was read.
#include "v.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int number = 0;
  char *text = malloc(3);
  if (!text)
    return 0;
  strcpy(text, "12");
  sscanf(text, "%d", &number);
  text = NULL;
  return number == 12 ? 0 : 1;
}
