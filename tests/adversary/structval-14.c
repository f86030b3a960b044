// CAT: structval
// TRUTH: unsafe
// ARGS:
// WHY: The flexible array begins inside the tail padding of the struct, so plain struct assignment carries its first elements along.
#include "v.h"
#include <stdlib.h>

struct msg {
  int n;
  char tag;
  char data[];
};

int main(void) {
  struct msg *a = calloc(1, sizeof *a + 8);
  struct msg *b = calloc(1, sizeof *b + 8);
  if (!a || !b) {
    return 0;
  }
  for (int i = 0; i < 8; i++) {
    a->data[i] = __VERIFIER_nondet_bool() + 1;
  }
  *b = *a;
  if (sizeof *a == 8 && b->data[0] != 0 && b->data[2] != 0 && b->data[3] == 0) {
    reach_error();
  }
  free(a);
  free(b);
  return 0;
}
