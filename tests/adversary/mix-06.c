// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: base64 of one to three bytes with its padding: the unused bits are zero and the way back gives the same bytes.
#include "v.h"
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const unsigned char *in, int n, char *out) {
  unsigned v = in[0] << 16;
  if (n > 1)
    v |= in[1] << 8;
  if (n > 2)
    v |= in[2];
  out[0] = alphabet[v >> 18 & 63];
  out[1] = alphabet[v >> 12 & 63];
  out[2] = n > 1 ? alphabet[v >> 6 & 63] : '=';
  out[3] = n > 2 ? alphabet[v & 63] : '=';
  out[4] = '\0';
}

static unsigned value_of(char c) {
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : 63;
}

static int decode(const char *in, unsigned char *out) {
  int n = in[2] == '=' ? 1 : in[3] == '=' ? 2 : 3;
  unsigned v = value_of(in[0]) << 18 | value_of(in[1]) << 12;
  if (n > 1)
    v |= value_of(in[2]) << 6;
  if (n > 2)
    v |= value_of(in[3]);
  out[0] = v >> 16;
  out[1] = v >> 8;
  out[2] = v;
  return n;
}

int main(void) {
  unsigned char bytes[3];
  unsigned char back[3];
  char text[5];
  int n = 1 + __VERIFIER_nondet_uchar() % 3;
  for (int i = 0; i < 3; i++)
    bytes[i] = __VERIFIER_nondet_uchar();
  encode(bytes, n, text);
  assert(strlen(text) == 4);
  assert(decode(text, back) == n);
  for (int i = 0; i < n; i++)
    assert(back[i] == bytes[i]);
  return 0;
}
