// Unit proof: searching for a string in another finds the first place where it is, and nothing where it is not.
// BUG 1: after a part that fits, the search goes on behind that part and misses what begins within it.
// BUG 2: a string at the very end is not found.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct text {
  unsigned char bytes[SIZE];
  size_t length;
};

#define NOWHERE ((size_t)-1)

static size_t search(const struct text *text, const struct text *wanted) {
  size_t start = 0, fits = 0;
#if BUG == 2
  while (start + wanted->length < text->length) {
#else
  while (start + wanted->length <= text->length) {
#endif
    while (fits < wanted->length && text->bytes[start + fits] == wanted->bytes[fits])
      fits++;
    if (fits == wanted->length)
      return start;
#if BUG == 1
    start += fits > 0 ? fits : 1;
#else
    start++;
#endif
    fits = 0;
  }
  return NOWHERE;
}

static bool is_at(const struct text *text, const struct text *wanted, size_t at) {
  return at + wanted->length <= text->length && memcmp(text->bytes + at, wanted->bytes, wanted->length) == 0;
}

static void fill(struct text *text, size_t limit) {
  text->length = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(text->length <= limit);
  for (size_t i = 0; i < text->length; i++)
    text->bytes[i] = __VERIFIER_nondet_uchar();
}

int main(void) {
  struct text text, wanted;
  fill(&text, SIZE);
  fill(&wanted, SIZE / 2 + 1);

  size_t found = search(&text, &wanted);

  if (found != NOWHERE)
    assert(is_at(&text, &wanted, found));
  for (size_t i = 0; i < SIZE && i < found; i++)
    assert(!is_at(&text, &wanted, i));
  return 0;
}
