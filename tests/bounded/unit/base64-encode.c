// Unit proof: the base64 code of any bytes is four letters for three bytes that are begun, all of the alphabet,
// padded by as many signs as bytes are missing; and any one letter has the six bits that it stands for.
// BUG 1: where two bytes are left, the bits of the second one are left out of the third letter.
// BUG 2: where one byte is left, only one sign of padding is written.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 4
#endif

#define ROOM ((SIZE + 2) / 3 * 4)

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const uint8_t *bytes, size_t length, char *out) {
  char *end = out;
  size_t i = 0;
  for (; i + 3 <= length; i += 3) {
    uint32_t group = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6)
      *end++ = alphabet[group >> shift & 63];
  }
  if (length - i == 1) {
    *end++ = alphabet[bytes[i] >> 2];
    *end++ = alphabet[(bytes[i] & 3) << 4];
#if BUG != 2
    *end++ = '=';
#endif
    *end++ = '=';
  } else if (length - i == 2) {
    *end++ = alphabet[bytes[i] >> 2];
    *end++ = alphabet[(bytes[i] & 3) << 4 | bytes[i + 1] >> 4];
#if BUG == 1
    *end++ = alphabet[(bytes[i] & 15) << 2];
#else
    *end++ = alphabet[(bytes[i + 1] & 15) << 2];
#endif
    *end++ = '=';
  }
  return (size_t)(end - out);
}

// Six bits of the bytes, zero behind their end.
static unsigned sextet(const uint8_t *bytes, size_t length, size_t at) {
  unsigned bits = 0;
  for (size_t bit = 6 * at; bit < 6 * at + 6; bit++)
    bits = 2 * bits + (bit / 8 < length && bytes[bit / 8] >> (7 - bit % 8) & 1);
  return bits;
}

int main(void) {
  uint8_t bytes[SIZE];
  char code[ROOM];
  size_t length = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(length <= SIZE);
  for (size_t i = 0; i < length; i++)
    bytes[i] = __VERIFIER_nondet_uchar();

  size_t letters = encode(bytes, length, code);

  assert(letters == (length + 2) / 3 * 4);
  size_t at = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(at < letters);
  if (6 * at < 8 * length)
    assert(code[at] == alphabet[sextet(bytes, length, at)]);
  else
    assert(code[at] == '=');
  return 0;
}
