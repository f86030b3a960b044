// Unit proof: popping from a priority queue in a binary heap gives the smallest, keeps the order of the heap, and
// every value is there as often as before, but for the one that was popped.
// BUG 1: the right child is overlooked when it is the last of all.
// BUG 2: the two children are not compared, the left one moves up.
#include <assert.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

struct queue {
  signed char items[SIZE];
  size_t count;
};

static signed char pop(struct queue *queue) {
  signed char first = queue->items[0], moved = queue->items[--queue->count];
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= queue->count)
      break;
#if BUG == 1
    if (child + 2 < queue->count && queue->items[child + 1] < queue->items[child])
      child++;
#elif BUG != 2
    if (child + 1 < queue->count && queue->items[child + 1] < queue->items[child])
      child++;
#endif
    if (queue->items[child] >= moved)
      break;
    queue->items[at] = queue->items[child];
    at = child;
  }
  queue->items[at] = moved;
  return first;
}

static size_t occurrences(const struct queue *queue, signed char item) {
  size_t count = 0;
  for (size_t i = 0; i < queue->count; i++)
    count += queue->items[i] == item;
  return count;
}

int main(void) {
  struct queue queue;
  queue.count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(0 < queue.count && queue.count <= SIZE);
  for (size_t i = 0; i < queue.count; i++) {
    queue.items[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(i == 0 || queue.items[(i - 1) / 2] <= queue.items[i]);
  }

  signed char item = __VERIFIER_nondet_char();
  size_t count = queue.count, had = occurrences(&queue, item);
  signed char first = pop(&queue);

  assert(queue.count == count - 1);
  assert(occurrences(&queue, item) + (first == item) == had);
  for (size_t i = 0; i < queue.count; i++) {
    assert(first <= queue.items[i]);
    assert(i == 0 || queue.items[(i - 1) / 2] <= queue.items[i]);
  }
  return 0;
}
