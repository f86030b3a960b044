// Unit proof: comparing two strings of bytes gives the order of the first bytes that differ, without their sign, a
// string that is the beginning of another comes before it, and the order is the other way round for the other way
// round.
// BUG 1: the bytes are compared as signed ones.
// BUG 2: where one string is the beginning of the other, they are said to be equal.
#include <assert.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

static int compare(const signed char *a, const signed char *b) {
#if BUG == 2
  for (; *a && *b; a++, b++)
    if (*a != *b)
      break;
  if (!*a || !*b)
    return 0;
#else
  for (; *a && *a == *b; a++)
    b++;
#endif
#if BUG == 1
  return *a - *b;
#else
  return (unsigned char)*a - (unsigned char)*b;
#endif
}

static size_t fill(signed char *text) {
  size_t length = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(length <= SIZE);
  for (size_t i = 0; i < length; i++) {
    text[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(text[i] != 0);
  }
  text[length] = 0;
  return length;
}

int main(void) {
  signed char a[SIZE + 1], b[SIZE + 1];
  size_t of_a = fill(a), of_b = fill(b), same = 0;

  int order = compare(a, b);

  while (same < of_a && same < of_b && a[same] == b[same])
    same++;
  if (same == of_a || same == of_b)
    assert((order < 0) == (of_a < of_b) && (order > 0) == (of_a > of_b));
  else
    assert((order < 0) == ((unsigned)(a[same] & 0xff) < (unsigned)(b[same] & 0xff)) && order != 0);
  int back = compare(b, a);
  assert((order < 0) == (back > 0) && (order > 0) == (back < 0));
  return 0;
}
