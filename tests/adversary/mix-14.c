// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: a binary heap gives back its four values in order; the last inner node may have one child only.
#include "v.h"

#define SIZE 4

struct heap {
  short cells[SIZE];
  int count;
};

static void exchange(short *a, short *b) {
  short t = *a;
  *a = *b;
  *b = t;
}

static void push(struct heap *h, short value) {
  int i = h->count++;
  h->cells[i] = value;
  while (i > 0 && h->cells[i] < h->cells[(i - 1) / 2]) {
    exchange(&h->cells[i], &h->cells[(i - 1) / 2]);
    i = (i - 1) / 2;
  }
}

static short pop(struct heap *h) {
  short top = h->cells[0];
  h->cells[0] = h->cells[--h->count];
  int i = 0;
  for (;;) {
    int child = 2 * i + 1;
    if (child >= h->count)
      break;
    if (child + 1 < h->count && h->cells[child + 1] < h->cells[child])
      child++;
    if (h->cells[i] <= h->cells[child])
      break;
    exchange(&h->cells[i], &h->cells[child]);
    i = child;
  }
  return top;
}

int main(void) {
  struct heap h = {{0}, 0};
  int sum = 0;
  for (int i = 0; i < SIZE; i++) {
    short value = __VERIFIER_nondet_short();
    sum += value;
    push(&h, value);
  }
  short previous = pop(&h);
  sum -= previous;
  while (h.count > 0) {
    short next = pop(&h);
    assert(previous <= next);
    sum -= next;
    previous = next;
  }
  assert(sum == 0);
  return 0;
}
