// CAT: mix
// TRUTH: unsafe
// ARGS:
// WHY: the ring buffer uses all four places, so a full one has head == tail and looks empty.
#include "v.h"

#define CAPACITY 4

struct ring {
  int cells[CAPACITY];
  unsigned head;
  unsigned tail;
};

static unsigned ring_size(const struct ring *r) {
  return (r->tail - r->head) % CAPACITY;
}

static int ring_push(struct ring *r, int value) {
  if (ring_size(r) == CAPACITY)
    return 0;
  r->cells[r->tail] = value;
  r->tail = (r->tail + 1) % CAPACITY;
  return 1;
}

static int ring_pop(struct ring *r, int *value) {
  if (ring_size(r) == 0)
    return 0;
  *value = r->cells[r->head];
  r->head = (r->head + 1) % CAPACITY;
  return 1;
}

int main(void) {
  struct ring r = {{0}, 0, 0};
  int pushed = 0;
  int popped = 0;
  for (int step = 0; step < 6; step++) {
    if (__VERIFIER_nondet_bool()) {
      if (ring_push(&r, pushed))
        pushed++;
    } else {
      int value;
      if (ring_pop(&r, &value)) {
        assert(value == popped);
        popped++;
      } else {
        assert(pushed == popped);
      }
    }
  }
  return 0;
}
