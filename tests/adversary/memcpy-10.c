// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: The copy ends in the middle of the last element: its low byte is new, its high byte old.
#include "v.h"
#include <string.h>

int main(void) {
  unsigned short to[5] = {0x1111, 0x2222, 0x3333, 0x4444, 0x5555};
  const unsigned char from[] = {1, 2, 3, 4, 5};
  memcpy((char *)to + 1, from, 5);
  const unsigned short expected[5] = {0x0111, 0x0302, 0x0504, 0x4444, 0x5555};
  unsigned int k = __VERIFIER_nondet_uint() % 5;
  assert(to[k] == expected[k]);
  memmove((char *)to + 3, to, 4);
  assert(to[1] == 0x1102 && to[2] == 0x0201 && to[3] == 0x4403);
  return 0;
}
