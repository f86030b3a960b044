// Unit proof: pushing to a ring of bytes keeps what is in it, puts the byte at the end, and drops the oldest byte
// when the ring is full.
// BUG 1: full is seen one push too late.
// BUG 2: when the oldest byte is dropped, the head is not moved past the end of the array to its start.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

static bool push(struct ring *ring, uint8_t byte) {
  size_t tail = ring->head + ring->count;
  if (tail >= SIZE)
    tail -= SIZE;
  ring->bytes[tail] = byte;
#if BUG == 1
  if (ring->count <= SIZE) {
#else
  if (ring->count < SIZE) {
#endif
    ring->count++;
    return true;
  }
  ring->head++;
#if BUG != 2
  if (ring->head == SIZE)
    ring->head = 0;
#endif
  return false;
}

int main(void) {
  struct ring ring;
  for (size_t i = 0; i < SIZE; i++)
    ring.bytes[i] = __VERIFIER_nondet_uchar();
  ring.head = __VERIFIER_nondet_uchar();
  ring.count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(valid(&ring));

  struct ring before = ring;
  uint8_t byte = __VERIFIER_nondet_uchar();
  bool room = push(&ring, byte);

  assert(valid(&ring));
  assert(room == (before.count < SIZE));
  assert(ring.count == before.count + room);
  assert(nth(&ring, ring.count - 1) == byte);
  for (size_t i = 0; i + 1 < ring.count; i++)
    assert(nth(&ring, i) == nth(&before, i + !room));
  return 0;
}
