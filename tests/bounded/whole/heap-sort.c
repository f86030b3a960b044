// Program: numbers that are pushed to a priority queue come out in order, and every one as often as it went in.
// BUG 1: sifting down looks at the right child only where there is another one behind it.
// BUG 2: numbers are compared by the sign of their difference, which wraps around.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct queue {
  int items[SIZE];
  size_t count;
};

static bool less(int a, int b) {
#if BUG == 2
  return (int)((unsigned)a - (unsigned)b) < 0;
#else
  return a < b;
#endif
}

static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

static void push(struct queue *queue, int item) {
  size_t at = queue->count++;
  queue->items[at] = item;
  for (; at > 0 && less(queue->items[at], queue->items[(at - 1) / 2]); at = (at - 1) / 2)
    swap(&queue->items[at], &queue->items[(at - 1) / 2]);
}

static int pop(struct queue *queue) {
  int first = queue->items[0];
  queue->items[0] = queue->items[--queue->count];
  for (size_t at = 0;;) {
    size_t smallest = at, left = 2 * at + 1, right = left + 1;
    if (left < queue->count && less(queue->items[left], queue->items[smallest]))
      smallest = left;
#if BUG == 1
    if (right + 1 < queue->count && less(queue->items[right], queue->items[smallest]))
#else
    if (right < queue->count && less(queue->items[right], queue->items[smallest]))
#endif
      smallest = right;
    if (smallest == at)
      return first;
    swap(&queue->items[at], &queue->items[smallest]);
    at = smallest;
  }
}

int main(void) {
  struct queue queue = {.count = 0};
  size_t count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(count <= SIZE);
  int watched = __VERIFIER_nondet_int(), in = 0, out = 0;
  for (size_t i = 0; i < count; i++) {
    int item = __VERIFIER_nondet_int();
    in += item == watched;
    push(&queue, item);
  }
  int last = 0;
  for (size_t i = 0; i < count; i++) {
    int item = pop(&queue);
    assert(i == 0 || last <= item);
    last = item;
    out += item == watched;
  }
  assert(in == out);
  return 0;
}
