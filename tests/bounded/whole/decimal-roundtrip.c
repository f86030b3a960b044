// Program: whole numbers that are printed with their digits, one on each line, are parsed as the same numbers.
// BUG 1: the least number is printed without its last digit, as its negation does not exist.
// BUG 2: the parser takes a number whose last digit is the ninth for one that is too large.
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

#define NUMBERS (SIZE / 4)

extern int __VERIFIER_nondet_int(void);

struct text {
  char letters[12 * NUMBERS];
  size_t length;
};

static void print(struct text *text, int number) {
  char digits[10];
  size_t count = 0;
  unsigned rest = number < 0 ? 0 - (unsigned)number : (unsigned)number;
#if BUG == 1
  if (number == INT_MIN)
    rest = INT_MAX / 10;
#endif
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
  if (number < 0)
    text->letters[text->length++] = '-';
  while (count > 0)
    text->letters[text->length++] = digits[--count];
  text->letters[text->length++] = '\n';
}

static bool parse(const struct text *text, size_t *at, int *number) {
  bool negative = *at < text->length && text->letters[*at] == '-';
  unsigned long long value = 0;
  size_t start = *at += negative;
  for (; *at < text->length && text->letters[*at] != '\n'; ++*at) {
    char digit = text->letters[*at];
#if BUG == 2
    if (digit < '0' || digit > '9' || *at - start > 9 || (*at - start == 8 && value > INT_MAX / 100))
      return false;
#else
    if (digit < '0' || digit > '9' || *at - start > 9)
      return false;
#endif
    value = 10 * value + (unsigned)(digit - '0');
  }
  if (*at == start || *at == text->length || value > (negative ? (unsigned long long)INT_MAX + 1 : INT_MAX))
    return false;
  ++*at;
  *number = (int)(negative ? -(long long)value : (long long)value);
  return true;
}

int main(void) {
  struct text text = {.length = 0};
  int numbers[NUMBERS];
  for (size_t i = 0; i < NUMBERS; i++) {
    numbers[i] = __VERIFIER_nondet_int();
    print(&text, numbers[i]);
  }
  size_t at = 0;
  for (size_t i = 0; i < NUMBERS; i++) {
    int number = 0;
    assert(parse(&text, &at, &number));
    assert(number == numbers[i]);
  }
  assert(at == text.length);
  return 0;
}
