// CAT: mix
// TRUTH: unsafe
// ARGS:
// WHY: sinking compares with the right child only when there is one more after it, so the last right child is passed over.
#include "v.h"

#define SIZE 5

struct heap {
  unsigned char cells[SIZE];
  int count;
};

static void push(struct heap *h, unsigned char value) {
  int i = h->count++;
  while (i > 0 && value < h->cells[(i - 1) / 2]) {
    h->cells[i] = h->cells[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  h->cells[i] = value;
}

static unsigned char pop(struct heap *h) {
  unsigned char top = h->cells[0];
  unsigned char last = h->cells[--h->count];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= h->count)
      break;
    if (child + 1 < h->count - 1 && h->cells[child + 1] < h->cells[child])
      child++;
    if (last <= h->cells[child])
      break;
    h->cells[i] = h->cells[child];
    i = child;
  }
  h->cells[i] = last;
  return top;
}

int main(void) {
  struct heap h = {{0}, 0};
  for (int i = 0; i < SIZE; i++)
    push(&h, __VERIFIER_nondet_uchar());
  unsigned char previous = pop(&h);
  while (h.count > 0) {
    unsigned char next = pop(&h);
    assert(previous <= next);
    previous = next;
  }
  return 0;
}
