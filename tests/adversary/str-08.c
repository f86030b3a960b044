// CAT: str
// TRUTH: safe
// ARGS:
// WHY: strtok_r keeps its position in the caller, and skips empty fields, so nesting works here.
#include "v.h"
#include <string.h>

int main(void) {
  char rows[] = ";a,b;;c,,d;e;";
  char *outer;
  char *inner;
  int row_count = 0;
  int cell_count = 0;
  for (char *row = strtok_r(rows, ";", &outer); row != NULL; row = strtok_r(NULL, ";", &outer)) {
    row_count++;
    for (char *cell = strtok_r(row, ",", &inner); cell != NULL; cell = strtok_r(NULL, ",", &inner)) {
      assert(strlen(cell) == 1);
      cell_count++;
    }
  }
  assert(row_count == 3);
  assert(cell_count == 5);
  return 0;
}
