// Clang's analyser warns of each kind of fault twice: once an input leads to it, once none does.
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int null_real(unsigned x) {
  int one = 1, *p = 0;
  if (x * 2 > 10)
    p = &one;
  if (x > 4)
    return *p; // real
  return 0;
}

static int null_false(unsigned x) {
  int one = 1, *p = 0;
  if (x * 2 > 10)
    p = &one;
  if (x > 5)
    return *p; // false
  return 0;
}

static int division_real(unsigned x) {
  int d = 0;
  if (x % 2 == 1)
    d = 2;
  if (x & 2)
    return 100 / d; // real
  return 0;
}

static int division_false(unsigned x) {
  int d = 0;
  if (x % 2 == 1)
    d = 2;
  if (x & 1)
    return 100 / d; // false
  return 0;
}

// What is kept is no leak.
static char *kept;

static void freed_real(unsigned x) {
  if (!(kept = malloc(1)))
    return;
  if (x * x <= 50)
    free(kept);
  if (x > 6)
    kept[0] = 1; // real
}

static void freed_false(unsigned x) {
  if (!(kept = malloc(1)))
    return;
  if (x * x <= 50)
    free(kept);
  if (x > 7)
    kept[0] = 1; // false
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uchar();
  switch (__VERIFIER_nondet_uchar()) {
    case 0: return null_real(x);
    case 1: return null_false(x);
    case 2: return division_real(x);
    case 3: return division_false(x);
    case 4: freed_real(x); break;
    case 5: freed_false(x); break;
  }
  return 0;
}
