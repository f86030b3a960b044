// Unit proof: reading from a ring of bytes takes the oldest ones, in two pieces where they go around the end of the
// array, and leaves the others.
// BUG 1: the first piece goes to the end of the array, even where fewer bytes are wanted.
// BUG 2: a head that comes to the very end of the array stays there.
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

struct ring {
  uint8_t bytes[SIZE];
  size_t head;
  size_t count;
};

static bool valid(const struct ring *ring) {
  return ring->head < SIZE && ring->count <= SIZE;
}

static uint8_t nth(const struct ring *ring, size_t i) {
  return ring->bytes[(ring->head + i) % SIZE];
}

static size_t take(struct ring *ring, uint8_t *out, size_t wanted) {
  size_t count = wanted < ring->count ? wanted : ring->count;
  size_t first = SIZE - ring->head;
#if BUG != 1
  if (first > count)
    first = count;
#endif
  memcpy(out, ring->bytes + ring->head, first);
  if (count > first)
    memcpy(out + first, ring->bytes, count - first);
  ring->head += count;
#if BUG == 2
  if (ring->head > SIZE)
#else
  if (ring->head >= SIZE)
#endif
    ring->head -= SIZE;
  ring->count -= count;
  return count;
}

int main(void) {
  struct ring ring;
  for (size_t i = 0; i < SIZE; i++)
    ring.bytes[i] = __VERIFIER_nondet_uchar();
  ring.head = __VERIFIER_nondet_uchar();
  ring.count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(valid(&ring));
  uint8_t out[SIZE] = {0};
  size_t wanted = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(wanted <= SIZE);

  struct ring before = ring;
  size_t count = take(&ring, out, wanted);

  assert(valid(&ring));
  assert(count <= wanted && (count == wanted || count == before.count));
  assert(ring.count == before.count - count);
  for (size_t i = 0; i < SIZE; i++)
    assert(out[i] == (i < count ? nth(&before, i) : 0));
  for (size_t i = 0; i < ring.count; i++)
    assert(nth(&ring, i) == nth(&before, count + i));
  return 0;
}
