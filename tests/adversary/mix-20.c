// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: powers of a matrix by squaring give the Fibonacci numbers, modulo 2^32 also where they no longer fit.
#include "v.h"

struct matrix {
  unsigned cells[2][2];
};

static struct matrix multiply(struct matrix a, struct matrix b) {
  struct matrix c;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      c.cells[i][j] = 0;
      for (int k = 0; k < 2; k++)
        c.cells[i][j] += a.cells[i][k] * b.cells[k][j];
    }
  }
  return c;
}

static struct matrix power(struct matrix base, unsigned n) {
  struct matrix result = {{{1, 0}, {0, 1}}};
  while (n != 0) {
    if (n & 1)
      result = multiply(result, base);
    base = multiply(base, base);
    n >>= 1;
  }
  return result;
}

int main(void) {
  struct matrix step = {{{1, 1}, {1, 0}}};
  unsigned n = __VERIFIER_nondet_uchar() % 64;
  unsigned a = 0;
  unsigned b = 1;
  for (unsigned i = 0; i < n; i++) {
    unsigned next = a + b;
    a = b;
    b = next;
  }
  struct matrix m = power(step, n);
  assert(m.cells[0][1] == a && m.cells[1][0] == a);
  assert(m.cells[0][0] == b);
  unsigned determinant = m.cells[0][0] * m.cells[1][1] - a * a;
  assert(determinant == (n % 2 == 0 ? 1u : -1u));
  return 0;
}
