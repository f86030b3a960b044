// Program: any sequence of pushes and pops on a ring of bytes does what a queue does that moves its items up.
// BUG 1: a pop from a full ring takes the newest instead of the oldest.
// BUG 2: the ring takes one byte less than it has room for once its tail has gone around.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

#define ROOM (SIZE / 2)

extern unsigned char __VERIFIER_nondet_uchar(void);

struct ring {
  uint8_t bytes[ROOM];
  size_t head;
  size_t tail;
  bool full;
};

static bool ring_push(struct ring *ring, uint8_t byte) {
  if (ring->full)
    return false;
  ring->bytes[ring->tail++] = byte;
#if BUG == 2
  if (ring->tail == ROOM) {
    ring->tail = 0;
    ring->full = ring->head <= 1;
    return true;
  }
#else
  if (ring->tail == ROOM)
    ring->tail = 0;
#endif
  ring->full = ring->tail == ring->head;
  return true;
}

static bool ring_pop(struct ring *ring, uint8_t *byte) {
  if (ring->head == ring->tail && !ring->full)
    return false;
#if BUG == 1
  if (ring->full) {
    ring->tail = (ring->tail > 0 ? ring->tail : ROOM) - 1;
    *byte = ring->bytes[ring->tail];
    ring->full = false;
    return true;
  }
#endif
  *byte = ring->bytes[ring->head];
  ring->head = ring->head + 1 == ROOM ? 0 : ring->head + 1;
  ring->full = false;
  return true;
}

struct model {
  uint8_t bytes[ROOM];
  size_t count;
};

static bool model_push(struct model *model, uint8_t byte) {
  if (model->count == ROOM)
    return false;
  model->bytes[model->count++] = byte;
  return true;
}

static bool model_pop(struct model *model, uint8_t *byte) {
  if (model->count == 0)
    return false;
  *byte = model->bytes[0];
  model->count--;
  memmove(model->bytes, model->bytes + 1, model->count);
  return true;
}

int main(void) {
  struct ring ring = {.head = 0};
  struct model model = {.count = 0};
  for (int step = 0; step < SIZE; step++) {
    uint8_t operation = __VERIFIER_nondet_uchar();
    if (operation % 3 < 2) {
      uint8_t byte = __VERIFIER_nondet_uchar();
      assert(ring_push(&ring, byte) == model_push(&model, byte));
    } else {
      uint8_t real = 0, expected = 0;
      bool popped = ring_pop(&ring, &real);
      assert(popped == model_pop(&model, &expected));
      assert(real == expected);
    }
  }
  return 0;
}
