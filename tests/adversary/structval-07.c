// CAT: structval
// TRUTH: safe
// ARGS:
// WHY: Small structs that mix float and int travel in different registers, and each part arrives.
#include "v.h"

struct fi {
  float f;
  int i;
};

struct ffc {
  float f;
  float g;
  char c;
};

struct cd {
  char c;
  double d;
};

static struct ffc turn(struct fi a, struct cd b) {
  struct ffc r = {a.f + 1, b.d, b.c + a.i};
  return r;
}

int main(void) {
  int i = __VERIFIER_nondet_char() / 2;
  char c = __VERIFIER_nondet_char() / 2;
  struct ffc r = turn((struct fi){i, i}, (struct cd){c, c * 0.5});
  assert(r.f == i + 1);
  assert(r.g * 2 == c);
  assert(r.c == (char)(i + c));
  assert(turn((struct fi){0.5f, 1}, (struct cd){.d = 3}).g == 3);
  return 0;
}
