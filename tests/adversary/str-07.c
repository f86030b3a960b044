// CAT: str
// TRUTH: unsafe
// ARGS:
// WHY: strtok keeps one hidden position: the inner scan destroys the outer one, which ends after one round.
#include "v.h"
#include <string.h>

int main(void) {
  char rows[] = "a,b;c,d;e";
  int count = 0;
  for (char *row = strtok(rows, ";"); row != NULL; row = strtok(NULL, ";")) {
    count++;
    for (char *cell = strtok(row, ","); cell != NULL; cell = strtok(NULL, ","))
      ;
  }
  if (count != 3)
    reach_error();
  return 0;
}
