// CAT: fptr
// TRUTH: safe
// ARGS:
// WHY: a function gets into a pointer byte by byte, and through an exchange
#include "v.h"
#include <stdatomic.h>

typedef int (*operation)(int);

static int inc(int x) {
  return x + 1;
}

static int dec(int x) {
  return x - 1;
}

union bytes {
  operation whole;
  unsigned char parts[sizeof(operation)];
};

static _Atomic(operation) hook = inc;

int main(void) {
  union bytes from = {inc}, to = {dec};
  for (unsigned i = 0; i < sizeof to; i++)
    to.parts[i] = from.parts[i];
  assert(to.whole(1) == 2);
  operation before = atomic_exchange(&hook, dec);
  assert(before(1) == 2);
  assert(atomic_load(&hook)(1) == 0);
  return 0;
}
