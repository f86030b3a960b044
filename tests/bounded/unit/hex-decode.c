// Unit proof: decoding hexadecimal digits accepts exactly the strings of pairs of digits, of either case, and any
// byte is the value of its pair.
// BUG 1: g is accepted as a digit.
// BUG 2: the digits of a pair are taken in the wrong order where the second one is a capital letter.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static int nibble(unsigned char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  if (digit >= 'A' && digit <= 'F')
    return digit - 'A' + 10;
#if BUG == 1
  if (digit >= 'a' && digit <= 'g')
#else
  if (digit >= 'a' && digit <= 'f')
#endif
    return digit - 'a' + 10;
  return -1;
}

static bool decode(const unsigned char *digits, size_t count, uint8_t *bytes) {
  if (count % 2 != 0)
    return false;
  for (size_t i = 0; i < count; i += 2) {
    int high = nibble(digits[i]), low = nibble(digits[i + 1]);
    if (high < 0 || low < 0)
      return false;
#if BUG == 2
    bytes[i / 2] = (uint8_t)(digits[i + 1] < 'A' || digits[i + 1] > 'F' ? high << 4 | low : low << 4 | high);
#else
    bytes[i / 2] = (uint8_t)(high << 4 | low);
#endif
  }
  return true;
}

static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";

// What decode is to agree with.
static int value(unsigned char digit) {
  for (int i = 0; i < 16; i++)
    if (digit == lower[i] || digit == upper[i])
      return i;
  return -1;
}

int main(void) {
  unsigned char digits[SIZE];
  uint8_t bytes[SIZE / 2];
  size_t count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(count <= SIZE);
  bool all = count % 2 == 0;
  for (size_t i = 0; i < count; i++) {
    digits[i] = __VERIFIER_nondet_uchar();
    all = all && value(digits[i]) >= 0;
  }

  bool decoded = decode(digits, count, bytes);

  assert(decoded == all);
  if (!decoded || count == 0)
    return 0;
  size_t i = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(i < count / 2);
  assert(bytes[i] == 16 * value(digits[2 * i]) + value(digits[2 * i + 1]));
  return 0;
}
