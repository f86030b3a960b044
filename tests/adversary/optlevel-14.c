// CAT: optlevel
// TRUTH: unsafe
// ARGS: -- -O3
// WHY: The vectorised search for the maximum must keep the first of equal elements, and the signed one differs from the unsigned one.
#include "v.h"

int main(void) {
  signed char a[24];
  for (int i = 0; i < 24; i++) {
    a[i] = (i * 5) % 24;
  }
  a[__VERIFIER_nondet_uint() % 24] = 23;
  a[__VERIFIER_nondet_uint() % 24] = -1;
  int best = 0;
  unsigned char most = 0;
  for (int i = 0; i < 24; i++) {
    if (a[i] > a[best]) {
      best = i;
    }
    if ((unsigned char)a[i] > most) {
      most = a[i];
    }
  }
  if (best == 3 && most == 255) {
    reach_error();
  }
  return 0;
}
