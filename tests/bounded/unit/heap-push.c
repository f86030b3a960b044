// Unit proof: pushing to a priority queue in a binary heap keeps the order of the heap, and the first is the smaller
// of the one that was first and the one that is pushed.
// BUG 1: numbers are compared without their sign.
// BUG 2: the item stops at the children of the root.
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

static size_t parent(size_t i) {
  return (i - 1) / 2;
}

static bool less(int a, int b) {
#if BUG == 1
  return (unsigned)a < (unsigned)b;
#else
  return a < b;
#endif
}

static bool ordered(const struct queue *queue) {
  for (size_t i = 0; i < queue->count; i++) {
    size_t left = 2 * i + 1, right = left + 1;
    if (left < queue->count && queue->items[left] < queue->items[i])
      return false;
    if (right < queue->count && queue->items[right] < queue->items[i])
      return false;
  }
  return true;
}

static bool push(struct queue *queue, int item) {
  if (queue->count == SIZE)
    return false;
  size_t at = queue->count++;
#if BUG == 2
  while (at > 2 && less(item, queue->items[parent(at)])) {
#else
  while (at > 0 && less(item, queue->items[parent(at)])) {
#endif
    queue->items[at] = queue->items[parent(at)];
    at = parent(at);
  }
  queue->items[at] = item;
  return true;
}

int main(void) {
  struct queue queue;
  queue.count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(queue.count <= SIZE);
  for (size_t i = 0; i < queue.count; i++) {
    queue.items[i] = __VERIFIER_nondet_int();
    __VERIFIER_assume(i == 0 || queue.items[(i - 1) / 2] <= queue.items[i]);
  }

  size_t count = queue.count;
  int first = count ? queue.items[0] : 0, item = __VERIFIER_nondet_int();
  bool pushed = push(&queue, item);

  assert(pushed == (count < SIZE));
  assert(queue.count == count + pushed);
  assert(ordered(&queue));
  if (pushed)
    assert(queue.items[0] == (count && first < item ? first : item));
  else
    assert(queue.items[0] == first);
  return 0;
}
