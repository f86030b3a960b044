// CAT: ptr
// TRUTH: safe
// ARGS:
// WHY: pointers to rows, to elements and to bytes of a 3-dimensional array step by different sizes
#include "v.h"

int main(void) {
  short m[2][3][4];
  for (int i = 0; i < 24; i++)
    *(short *)((char *)m + 2 * i) = (short)i;
  unsigned i = __VERIFIER_nondet_uchar() % 2;
  unsigned j = __VERIFIER_nondet_uchar() % 3;
  unsigned k = __VERIFIER_nondet_uchar() % 4;
  short(*plane)[3][4] = m + i;
  short(*row)[4] = *plane + j;
  assert(*(*row + k) == (short)(12 * i + 4 * j + k));
  assert(k[j[i[m]]] == (*row)[k]);
  assert((char *)(plane + 1) - (char *)plane == 24);
  assert((char *)(&row[1]) - (char *)row == 8);
  assert(sizeof *plane == 24 && sizeof **plane == 8 && sizeof ***plane == 2);
  return 0;
}
