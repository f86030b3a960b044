// Unit proof: the scanner of JSON numbers, written by hand, goes as far as a table of the grammar: a sign, no zeros
// in front, a digit at least on both sides of the point and in the exponent.
// BUG 1: digits may follow a zero in front.
// BUG 2: a point may be the end of a number.
// BUG 3: an exponent may have a sign only.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

extern char __VERIFIER_nondet_char(void);

#define FAILED ((size_t)-1)

struct scanner {
  const char *text;
  size_t at;
};

static bool accept(struct scanner *scanner, char wanted) {
  if (scanner->text[scanner->at] != wanted)
    return false;
  scanner->at++;
  return true;
}

static bool digits(struct scanner *scanner) {
  size_t start = scanner->at;
  while (scanner->text[scanner->at] >= '0' && scanner->text[scanner->at] <= '9')
    scanner->at++;
  return scanner->at > start;
}

static size_t scan(const char *text) {
  struct scanner scanner = {text, 0};
  accept(&scanner, '-');
#if BUG == 1
  if (!digits(&scanner))
    return FAILED;
#else
  if (!accept(&scanner, '0') && !digits(&scanner))
    return FAILED;
#endif
#if BUG == 2
  if (accept(&scanner, '.'))
    digits(&scanner);
#else
  if (accept(&scanner, '.') && !digits(&scanner))
    return FAILED;
#endif
  if (accept(&scanner, 'e') || accept(&scanner, 'E')) {
    bool sign = accept(&scanner, '+') || accept(&scanner, '-');
#if BUG == 3
    if (!digits(&scanner) && !sign)
      return FAILED;
#else
    (void)sign;
    if (!digits(&scanner))
      return FAILED;
#endif
  }
  return scanner.at;
}

enum class { DIGIT, ZERO, MINUS, PLUS, POINT, EXPONENT, OTHER, CLASSES };
enum state { START, SIGNED, LEADING, WHOLE, DOT, FRACTION, E, E_SIGNED, POWER, STATES, X = STATES };

// Where X is, the number ends, or is none.
static const unsigned char table[STATES][CLASSES] = {
    [START] = {WHOLE, LEADING, SIGNED, X, X, X, X},
    [SIGNED] = {WHOLE, LEADING, X, X, X, X, X},
    [LEADING] = {X, X, X, X, DOT, E, X},
    [WHOLE] = {WHOLE, WHOLE, X, X, DOT, E, X},
    [DOT] = {FRACTION, FRACTION, X, X, X, X, X},
    [FRACTION] = {FRACTION, FRACTION, X, X, X, E, X},
    [E] = {POWER, POWER, E_SIGNED, E_SIGNED, X, X, X},
    [E_SIGNED] = {POWER, POWER, X, X, X, X, X},
    [POWER] = {POWER, POWER, X, X, X, X, X},
};

static enum class class_of(char byte) {
  if (byte >= '1' && byte <= '9')
    return DIGIT;
  return byte == '0'   ? ZERO
         : byte == '-' ? MINUS
         : byte == '+' ? PLUS
         : byte == '.' ? POINT
         : byte == 'e' ? EXPONENT
         : byte == 'E' ? EXPONENT
                       : OTHER;
}

int main(void) {
  char text[SIZE + 1];
  for (size_t i = 0; i < SIZE; i++)
    text[i] = __VERIFIER_nondet_char();
  text[SIZE] = 0;

  size_t end = scan(text), at = 0;

  enum state state = START;
  while (table[state][class_of(text[at])] != X)
    state = table[state][class_of(text[at++])];
  bool number = state == LEADING || state == WHOLE || state == FRACTION || state == POWER;
  assert(end == (number ? at : FAILED));
  return 0;
}
