// Unit proof: clearing a range of bits in a bitmap of bytes, whole bytes at once, clears these and changes no others.
// BUG 1: where the range ends with a byte, the first bit behind it is cleared, too.
// BUG 2: where the range is within one byte, all bits from its start on are cleared.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

#define BITS (8 * SIZE)

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_assume(int);

static bool is_set(const uint8_t *map, size_t bit) {
  return map[bit / 8] >> (bit % 8) & 1;
}

// The bits below one, in a byte.
static uint8_t below(size_t bit) {
  return (uint8_t)((1u << (bit % 8)) - 1);
}

static void clear(uint8_t *map, size_t start, size_t end) {
  if (start == end)
    return;
  size_t first = start / 8, last = end / 8;
  if (first == last) {
#if BUG == 2
    map[first] &= below(start);
#else
    map[first] &= below(start) | (uint8_t)~below(end);
#endif
    return;
  }
  map[first] &= below(start);
  memset(map + first + 1, 0, last - first - 1);
#if BUG == 1
  if (last < SIZE)
    map[last] &= (uint8_t)~(below(end) | 1);
#else
  if (end % 8 != 0)
    map[last] &= (uint8_t)~below(end);
#endif
}

int main(void) {
  uint8_t map[SIZE], before[SIZE];
  for (size_t i = 0; i < SIZE; i++)
    map[i] = __VERIFIER_nondet_uchar();
  memcpy(before, map, SIZE);
  size_t start = __VERIFIER_nondet_ushort(), end = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(start <= end && end <= BITS);

  clear(map, start, end);

  size_t bit = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(bit < BITS);
  assert(is_set(map, bit) == (is_set(before, bit) && (bit < start || bit >= end)));
  return 0;
}
