// CAT: mix
// TRUTH: unsafe
// ARGS:
// WITNESS: 0xe0 0x9f 0xbf
// WHY: the decoder refuses the overlong leads C0 and C1, but an E0 followed by less than A0 is overlong as well.
#include "v.h"

static int is_tail(unsigned char c) { return (c & 0xc0) == 0x80; }

static int decode(const unsigned char *in, unsigned *cp) {
  if (in[0] < 0x80) {
    *cp = in[0];
    return 1;
  }
  if (in[0] >= 0xc2 && in[0] <= 0xdf && is_tail(in[1])) {
    *cp = (in[0] & 0x1fu) << 6 | (in[1] & 0x3fu);
    return 2;
  }
  if (in[0] >= 0xe0 && in[0] <= 0xef && is_tail(in[1]) && is_tail(in[2])) {
    *cp = (in[0] & 0x0fu) << 12 | (in[1] & 0x3fu) << 6 | (in[2] & 0x3fu);
    return 3;
  }
  return 0;
}

int main(void) {
  unsigned char in[4] = {0};
  unsigned cp = 0;
  for (int i = 0; i < 3; i++)
    in[i] = __VERIFIER_nondet_uchar();
  switch (decode(in, &cp)) {
  case 1:
    assert(cp < 0x80);
    break;
  case 2:
    assert(cp >= 0x80 && cp < 0x800);
    break;
  case 3:
    assert(cp < 0x10000);
    if (cp < 0x800)
      reach_error();
    break;
  default:
    assert(in[0] >= 0x80);
  }
  return 0;
}
