// Program: decoding what base64 encoding made of any bytes gives these bytes.
// BUG 1: the decoder takes the letter behind Z to be one further than it is.
// BUG 2: the decoder takes one sign of padding as two.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 4
#endif

#define ROOM ((SIZE + 2) / 3 * 4)

extern unsigned char __VERIFIER_nondet_uchar(void);

static char letter(unsigned value) {
  if (value < 26)
    return (char)('A' + value);
  if (value < 52)
    return (char)('a' + value - 26);
  if (value < 62)
    return (char)('0' + value - 52);
  return value == 62 ? '+' : '/';
}

static int value(char letter) {
  if (letter >= 'A' && letter <= 'Z')
    return letter - 'A';
  if (letter >= 'a' && letter <= 'z')
#if BUG == 1
    return letter - 'a' + (letter == 'a' ? 27 : 26);
#else
    return letter - 'a' + 26;
#endif
  if (letter >= '0' && letter <= '9')
    return letter - '0' + 52;
  return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

static size_t encode(const uint8_t *bytes, size_t length, char *code) {
  size_t used = 0;
  for (size_t i = 0; i < length; i += 3) {
    size_t left = length - i;
    unsigned group = (unsigned)bytes[i] << 16;
    if (left > 1)
      group |= (unsigned)bytes[i + 1] << 8;
    if (left > 2)
      group |= bytes[i + 2];
    code[used++] = letter(group >> 18);
    code[used++] = letter(group >> 12 & 63);
    code[used++] = left > 1 ? letter(group >> 6 & 63) : '=';
    code[used++] = left > 2 ? letter(group & 63) : '=';
  }
  return used;
}

// The number of bytes, or -1 for what is no code.
static long decode(const char *code, size_t length, uint8_t *bytes) {
  long count = 0;
  if (length % 4 != 0)
    return -1;
  for (size_t i = 0; i < length; i += 4) {
    unsigned group = 0, padding = 0;
    for (size_t j = 0; j < 4; j++) {
      int bits = value(code[i + j]);
      if (code[i + j] == '=' && i + 4 == length && j >= 2)
        padding++;
      else if (bits < 0 || padding > 0)
        return -1;
      group = group << 6 | (bits < 0 ? 0 : (unsigned)bits);
    }
#if BUG == 2
    if (padding > 0)
      padding = 2;
#endif
    for (unsigned j = 0; j < 3 - padding; j++)
      bytes[count++] = (uint8_t)(group >> (16 - 8 * j));
  }
  return count;
}

int main(void) {
  uint8_t bytes[SIZE], back[SIZE + 2];
  char code[ROOM];
  size_t length = __VERIFIER_nondet_uchar();
  if (length > SIZE)
    return 0;
  for (size_t i = 0; i < length; i++)
    bytes[i] = __VERIFIER_nondet_uchar();

  size_t letters = encode(bytes, length, code);
  long count = decode(code, letters, back);

  assert(count == (long)length);
  for (size_t i = 0; i < length; i++)
    assert(back[i] == bytes[i]);
  return 0;
}
