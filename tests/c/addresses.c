// Addresses that are computed: by atomic operations, as integers, relative to others, of thread-local
// variables, and in tables of distances.
#include <stdint.h>
#include <stddef.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct three {
  int a, b, c;
};
struct outer {
  short before;
  struct three inner;
};

static _Thread_local int counter = 4;
static _Thread_local int counters[4] = {1, 2, 3, 4};
static struct three three, other;
static int *_Atomic moving;
static int *plain;
static struct outer outer;

static void increase(int *number) { *number += 3; }

int main(void) {
  unsigned result = 1;
  int input = __VERIFIER_nondet_uchar();

  counter += input;
  increase(&counter);
  counters[input & 3] += 5;
  increase(&counters[1]);
  for (int i = 0; i < 4; i++)
    result = result * 3 + (unsigned)counters[i];
  result += (unsigned)counter++;
  result += (unsigned)counter;

  three = (struct three){input, 2 * input, 3 * input};
  moving = &three.a;
  moving++;
  result = result * 5 + (unsigned)*moving;
  *moving = 7;
  result = result * 5 + (unsigned)three.b;
  plain = &three.a;
  __atomic_fetch_add(&plain, 2 * sizeof(int), __ATOMIC_SEQ_CST);
  *plain = 9;
  result = result * 5 + (unsigned)three.c;
  __atomic_fetch_sub(&plain, sizeof(int), __ATOMIC_SEQ_CST);
  result = result * 5 + (unsigned)*plain;

  uintptr_t middle = (uintptr_t)&outer.inner.b;
  ((struct outer *)(middle - offsetof(struct outer, inner.b)))->before = (short)input;
  result = result * 5 + (unsigned)outer.before;
  uintptr_t distance = (uintptr_t)&outer.inner.c - (uintptr_t)&other.a;
  *(int *)((uintptr_t)&other.a + distance) = input + 1;
  result = result * 5 + (unsigned)outer.inner.c;
  uintptr_t tagged = (uintptr_t)&other.b | 1;
  *(int *)(tagged & ~(uintptr_t)1) = input;
  *(int *)__builtin_expect((long)&other.c, 1) = 11;
  result = result * 5 + (unsigned)(other.b + other.c);

  // Optimised code keeps the distances from the table to the names.
  static const char *const names[] = {"zero", "one", "two", "three", "four", "five", "six"};
  result = result * 5 + (unsigned)names[input % 7][input % 3];
  if (other.b == 77 || input % 16 == 5)
    reach_error();
  return (int)(result % 199);
}
