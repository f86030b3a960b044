// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: the bit set crosses a word boundary: the search masks the low bits of the first word and must not shift by 64.
#include "v.h"

#define BITS 70
#define WORDS 2

static unsigned long words[WORDS];

static void set_bit(unsigned i) { words[i / 64] |= 1ul << (i % 64); }

static void clear_bit(unsigned i) { words[i / 64] &= ~(1ul << (i % 64)); }

static unsigned next_bit(unsigned from) {
  if (from >= BITS)
    return BITS;
  unsigned w = from / 64;
  unsigned long word = words[w] & (~0ul << (from % 64));
  while (word == 0) {
    w++;
    if (w == WORDS)
      return BITS;
    word = words[w];
  }
  return w * 64 + (unsigned)__builtin_ctzl(word);
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uchar() % BITS;
  unsigned b = __VERIFIER_nondet_uchar() % BITS;
  set_bit(a);
  set_bit(b);
  set_bit(a);
  unsigned first = next_bit(0);
  unsigned second = next_bit(first + 1);
  assert(first == (a < b ? a : b));
  if (a != b)
    assert(second == (a < b ? b : a));
  else
    assert(second == BITS);
  assert(next_bit(first) == first);
  clear_bit(a);
  clear_bit(b);
  assert(next_bit(0) == BITS);
  return 0;
}
