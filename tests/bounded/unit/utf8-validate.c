// Unit proof: a validation of UTF-8 by states agrees with one that decodes each character and looks at its number:
// not longer than needed, no surrogate, at most 0x10FFFF.
// BUG 1: surrogates (ED A0 to ED BF) are accepted.
// BUG 2: three bytes where two would do (E0 80 to E0 9F) are accepted.
// BUG 3: a text may end within a character.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static bool valid(const uint8_t *text, size_t length) {
  unsigned missing = 0;
  uint8_t low = 0x80, high = 0xBF;
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = text[i];
    if (missing > 0) {
      if (byte < low || byte > high)
        return false;
      missing--;
      low = 0x80, high = 0xBF;
    } else if (byte >= 0xC2 && byte <= 0xDF) {
      missing = 1;
    } else if (byte >= 0xE0 && byte <= 0xEF) {
      missing = 2;
#if BUG != 2
      if (byte == 0xE0)
        low = 0xA0;
#endif
#if BUG != 1
      if (byte == 0xED)
        high = 0x9F;
#endif
    } else if (byte >= 0xF0 && byte <= 0xF4) {
      missing = 3;
      if (byte == 0xF0)
        low = 0x90;
      if (byte == 0xF4)
        high = 0x8F;
    } else if (byte >= 0x80) {
      return false;
    }
  }
#if BUG == 3
  return missing <= 1;
#else
  return missing == 0;
#endif
}

// The length of a character, 0 if there is none.
static size_t character(const uint8_t *text, size_t length) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  uint8_t first = text[0];
  if (first < 0x80)
    return 1;
  size_t wanted = first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
  if (wanted == 0 || wanted > length)
    return 0;
  uint32_t number = first & (0x7Fu >> wanted);
  for (size_t i = 1; i < wanted; i++) {
    if ((text[i] & 0xC0) != 0x80)
      return 0;
    number = number << 6 | (text[i] & 0x3F);
  }
  bool right = number >= least[wanted] && number <= 0x10FFFF && (number < 0xD800 || number > 0xDFFF);
  return right ? wanted : 0;
}

int main(void) {
  uint8_t text[SIZE];
  size_t length = __VERIFIER_nondet_uchar(), at = 0;
  __VERIFIER_assume(length <= SIZE);
  for (size_t i = 0; i < length; i++)
    text[i] = __VERIFIER_nondet_uchar();

  bool accepted = valid(text, length);

  for (size_t next = 1; at < length && next > 0; at += next)
    next = character(text + at, length - at);
  assert(accepted == (at == length));
  return 0;
}
