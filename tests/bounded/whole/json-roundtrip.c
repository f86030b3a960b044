// Program: an array of small numbers and of null that is printed as JSON and parsed again is the same array.
// BUG 1: the printer writes no digit for zero.
// BUG 2: the parser reads an empty array as one with one item.
// BUG 3: the parser takes null for the number 0.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

// Items have three digits, or four letters, and a comma; two brackets and the end.
#define ROOM (5 * SIZE + 3)

extern unsigned char __VERIFIER_nondet_uchar(void);

struct value {
  bool null;
  unsigned char number;
};

static char *print_number(char *out, unsigned char number) {
  char digits[3];
  size_t count = 0;
#if BUG == 1
  for (unsigned rest = number; rest > 0; rest /= 10)
    digits[count++] = (char)('0' + rest % 10);
#else
  unsigned rest = number;
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest > 0);
#endif
  while (count > 0)
    *out++ = digits[--count];
  return out;
}

static void print(char *out, const struct value *values, size_t count) {
  *out++ = '[';
  for (size_t i = 0; i < count; i++) {
    if (i > 0)
      *out++ = ',';
    if (values[i].null) {
      memcpy(out, "null", 4);
      out += 4;
    } else {
      out = print_number(out, values[i].number);
    }
  }
  *out++ = ']';
  *out = 0;
}

static const char *parse_value(const char *text, struct value *value) {
  value->number = 0;
  value->null = false;
  if (text[0] == 'n' && text[1] == 'u' && text[2] == 'l' && text[3] == 'l') {
#if BUG != 3
    value->null = true;
#endif
    return text + 4;
  }
  const char *start = text;
  for (; *text >= '0' && *text <= '9'; text++)
    value->number = (unsigned char)(10 * value->number + (*text - '0'));
  return text > start ? text : NULL;
}

// Whether the text is an array of so many values at most.
static bool parse(const char *text, struct value *values, size_t room, size_t *count) {
  *count = 0;
  if (*text++ != '[')
    return false;
#if BUG == 2
  if (*text == ']')
    ++*count;
#endif
  if (*text == ']')
    return text[1] == 0;
  for (;;) {
    if (*count == room || !(text = parse_value(text, &values[*count])))
      return false;
    ++*count;
    char separator = *text++;
    if (separator == ']')
      return *text == 0;
    if (separator != ',')
      return false;
  }
}

int main(void) {
  struct value values[SIZE], back[SIZE];
  char text[ROOM];
  size_t count = __VERIFIER_nondet_uchar(), parsed;
  if (count > SIZE)
    return 0;
  for (size_t i = 0; i < count; i++) {
    values[i].null = __VERIFIER_nondet_uchar() % 4 == 0;
    values[i].number = __VERIFIER_nondet_uchar();
  }

  print(text, values, count);
  assert(parse(text, back, SIZE, &parsed));

  assert(parsed == count);
  for (size_t i = 0; i < count; i++)
    assert(back[i].null == values[i].null && (back[i].null || back[i].number == values[i].number));
  return 0;
}
