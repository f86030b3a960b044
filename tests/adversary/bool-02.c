// CAT: bool
// TRUTH: safe
// ARGS:
// WHY: a copy of a _Bool is one
#include "v.h"
#include <string.h>
struct flag { int n; _Bool on; };
int main(void) {
  struct flag f = { 3, __VERIFIER_nondet_int() }, g;
  memcpy(&g, &f, sizeof g);
  struct flag h = g;
  int t = h.on;
  if (t != 0 && t != 1) reach_error();
  if (h.on != f.on) reach_error();
  return 0;
}
