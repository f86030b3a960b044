// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: UTF-8 has four lengths with borders at 0x80, 0x800 and 0x10000; encoding and decoding agree on all of them.
#include "v.h"

static int encode(unsigned cp, unsigned char *out) {
  if (cp < 0x80) {
    out[0] = cp;
    return 1;
  }
  if (cp < 0x800) {
    out[0] = 0xc0 | cp >> 6;
    out[1] = 0x80 | (cp & 0x3f);
    return 2;
  }
  if (cp < 0x10000) {
    out[0] = 0xe0 | cp >> 12;
    out[1] = 0x80 | (cp >> 6 & 0x3f);
    out[2] = 0x80 | (cp & 0x3f);
    return 3;
  }
  out[0] = 0xf0 | cp >> 18;
  out[1] = 0x80 | (cp >> 12 & 0x3f);
  out[2] = 0x80 | (cp >> 6 & 0x3f);
  out[3] = 0x80 | (cp & 0x3f);
  return 4;
}

static int length_of(unsigned char lead) {
  if (lead < 0x80)
    return 1;
  if ((lead & 0xe0) == 0xc0)
    return 2;
  if ((lead & 0xf0) == 0xe0)
    return 3;
  return (lead & 0xf8) == 0xf0 ? 4 : 0;
}

static unsigned decode(const unsigned char *in, int n) {
  unsigned cp = n == 1 ? in[0] : in[0] & (0x7f >> n);
  for (int i = 1; i < n; i++) {
    assert((in[i] & 0xc0) == 0x80);
    cp = cp << 6 | (in[i] & 0x3f);
  }
  return cp;
}

int main(void) {
  unsigned char bytes[4];
  unsigned cp = __VERIFIER_nondet_uint();
  __VERIFIER_assume(cp <= 0x10ffff);
  int n = encode(cp, bytes);
  assert(length_of(bytes[0]) == n);
  assert(decode(bytes, n) == cp);
  assert(n < 4 || bytes[0] <= 0xf4);
  return 0;
}
