// Objects of the heap lie in a region of their place of allocation, with the size that was asked for.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
  int *cells = malloc(3 * sizeof(int));
  if (!cells)
    return 0;
  int index = __VERIFIER_nondet_int();
  if (index >= 0 && index < 3)
    cells[index] = 1;
  free(cells);
  return 0;
}
// run: lower --property valid-deref
// check: region mem.heap.main.malloc: i64 -> i32 in 0x1000000000+12
// check: target "invalid access in main at heap.c:11:18" "valid-deref"
// check: mem.heap.main.malloc[kept] := 1
