// Unit proof: the length of a string in an array, measured two bytes at a time, is where its first zero byte is, or
// the size of the array if there is none.
// BUG 1: bytes with their highest bit set are taken for zero bytes, too.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

_Static_assert(SIZE % sizeof(uint16_t) == 0, "the array is made of whole words");

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

static int has_zero(uint16_t word) {
#if BUG == 1
  return ((word - 0x0101u) & 0x8080u) != 0;
#else
  return ((word - 0x0101u) & ~(unsigned)word & 0x8080u) != 0;
#endif
}

static size_t length(const char *text, size_t limit) {
  size_t at = 0;
  for (; at < limit; at += sizeof(uint16_t)) {
    uint16_t word;
    memcpy(&word, text + at, sizeof word);
    if (has_zero(word))
      break;
  }
  for (size_t i = 0; at < limit && i < sizeof(uint16_t); i++, at++)
    if (text[at] == 0)
      return at;
  return at;
}

int main(void) {
  char text[SIZE];
  for (size_t i = 0; i < SIZE; i++)
    text[i] = (char)__VERIFIER_nondet_uchar();

  size_t measured = length(text, SIZE);

  assert(measured <= SIZE);
  assert(measured == SIZE || text[measured] == 0);
  size_t i = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(i < measured);
  assert(text[i] != 0);
  return 0;
}
