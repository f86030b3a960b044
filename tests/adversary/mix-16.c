// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: a recursive parser for sums of products: the precedence and the left association agree with a direct computation.
#include "v.h"

static const char *at;

static int factor(void) {
  assert(*at >= '0' && *at <= '9');
  return *at++ - '0';
}

static int term(void) {
  int value = factor();
  while (*at == '*') {
    at++;
    value *= factor();
  }
  return value;
}

static int sum(void) {
  int value = term();
  while (*at == '+' || *at == '-') {
    char op = *at++;
    int right = term();
    value = op == '+' ? value + right : value - right;
  }
  return value;
}

static char pick_operator(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  return n % 3 == 0 ? '+' : n % 3 == 1 ? '-' : '*';
}

static int apply(int a, char op, int b) {
  return op == '+' ? a + b : op == '-' ? a - b : a * b;
}

int main(void) {
  char text[6];
  int digits[3];
  for (int i = 0; i < 3; i++) {
    digits[i] = __VERIFIER_nondet_uchar() % 10;
    text[2 * i] = '0' + digits[i];
  }
  text[1] = pick_operator();
  text[3] = pick_operator();
  text[5] = '\0';
  at = text;
  int value = sum();
  assert(*at == '\0');
  int expected;
  if (text[3] == '*' && text[1] != '*')
    expected = apply(digits[0], text[1], digits[1] * digits[2]);
  else
    expected = apply(apply(digits[0], text[1], digits[1]), text[3], digits[2]);
  assert(value == expected);
  return 0;
}
