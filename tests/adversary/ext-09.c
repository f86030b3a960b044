// CAT: ext
// TRUTH: safe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: the returned pointer can be anything the outside knows, but the address of the secret never got there.
#include "v.h"
#include <stddef.h>

int *get_cell(int *hint);

static int secret = 3;
static int known = 4;

int main(void) {
  int *cell = get_cell(&known);
  if (cell != NULL)
    *cell = 9;
  assert(secret == 3);
  return 0;
}
