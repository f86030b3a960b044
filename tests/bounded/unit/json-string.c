// Unit proof: the scanner of JSON strings goes to the quotation mark that ends the string, over escaped ones, and
// finds none in a string that does not end, that has a control character or an unknown escape.
// BUG 1: it only looks at the one byte before a quotation mark, which may be an escaped backslash.
// BUG 2: a control character directly behind an escape is accepted.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

#define FAILED ((size_t)-1)

static bool is_escape(unsigned char byte) {
  switch (byte) {
  case '"':
  case '\\':
  case '/':
  case 'b':
  case 'f':
  case 'n':
  case 'r':
  case 't':
    return true;
  default:
    return false;
  }
}

// From behind the mark that begins the string to behind the one that ends it.
static size_t scan(const unsigned char *text, size_t length) {
  for (size_t at = 0; at < length; at++) {
    unsigned char byte = text[at];
#if BUG == 1
    if (byte == '"' && (at == 0 || text[at - 1] != '\\'))
      return at + 1;
    if (byte < 0x20 || (at > 0 && text[at - 1] == '\\' && !is_escape(byte)))
      return FAILED;
#else
    if (byte == '"')
      return at + 1;
    if (byte < 0x20)
      return FAILED;
    if (byte == '\\' && (++at == length || !is_escape(text[at])))
      return FAILED;
#if BUG == 2
    if (byte == '\\' && at + 1 < length && text[at + 1] < 0x20)
      at++;
#endif
#endif
  }
  return FAILED;
}

// The state before each byte: within the string, behind a backslash, behind its end, or wrong.
enum state { INSIDE, ESCAPED, ENDED, WRONG };

static enum state step(enum state state, unsigned char byte) {
  if (state == ESCAPED)
    return is_escape(byte) ? INSIDE : WRONG;
  if (state != INSIDE)
    return state;
  return byte == '"' ? ENDED : byte == '\\' ? ESCAPED : byte < 0x20 ? WRONG : INSIDE;
}

int main(void) {
  unsigned char text[SIZE];
  size_t length = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(length <= SIZE);
  for (size_t i = 0; i < length; i++)
    text[i] = __VERIFIER_nondet_uchar();

  size_t end = scan(text, length), steps = 0;

  enum state state = INSIDE;
  while (steps < length && state != ENDED)
    state = step(state, text[steps++]);
  assert(end == (state == ENDED ? steps : FAILED));
  return 0;
}
