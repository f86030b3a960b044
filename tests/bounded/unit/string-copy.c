// Unit proof: copying a string to a place of a given size writes as much as there is room for, a zero byte after it
// and nothing behind that; it returns the length of the whole string.
// BUG 1: a string that is as long as the place has room is copied without its end.
// BUG 2: what is cut off is cut one byte too early.
#include <assert.h>
#include <stddef.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

static size_t copy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size == 0)
    return length;
#if BUG == 1
  size_t copied = length <= size ? length : size - 1;
  memcpy(to, from, copied);
  if (copied < size)
    to[copied] = 0;
#else
#if BUG == 2
  size_t copied = length < size ? length : size - 2;
  if (size == 1)
    copied = 0;
#else
  size_t copied = length < size ? length : size - 1;
#endif
  memcpy(to, from, copied);
  to[copied] = 0;
#endif
  return length;
}

int main(void) {
  char from[SIZE + 1], to[SIZE + 1], before[SIZE + 1];
  for (size_t i = 0; i < SIZE; i++)
    from[i] = __VERIFIER_nondet_char();
  from[SIZE] = 0;
  for (size_t i = 0; i <= SIZE; i++)
    before[i] = to[i] = __VERIFIER_nondet_char();
  size_t size = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(size <= SIZE);

  size_t length = copy(to, from, size);

  assert(length <= SIZE && from[length] == 0);
  size_t copied = 0;
  if (size > 0) {
    copied = length < size - 1 ? length : size - 1;
    assert(to[copied] == 0);
    copied++;
  }
  for (size_t i = 0; i + 1 < copied; i++)
    assert(to[i] == from[i] && to[i] != 0);
  for (size_t i = copied; i <= SIZE; i++)
    assert(to[i] == before[i]);
  return 0;
}
