// CAT: io
// TRUTH: safe
// ARGS:
// WHY: %n counts what came before it, padding included, and 5 is a minimal width that longer numbers exceed.
#include "v.h"
#include <stdio.h>

int main(void) {
  char buffer[32];
  int value = __VERIFIER_nondet_int();
  int before = -1;
  int n = sprintf(buffer, "%5d%n!", value, &before);
  assert(before >= 5);
  assert(n == before + 1);
  assert(buffer[before] == '!' && buffer[n] == '\0');
  if (value < -9999 || value > 99999)
    assert(before > 5);
  return 0;
}
