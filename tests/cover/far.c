// Numbers are mixed before they are compared: whether the last line is reached takes long to find out.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned mix(unsigned x) {
  for (int i = 0; i < 12; i++)
    x = (x ^ (x >> 3)) * 2654435761u;
  return x;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  int got = 0;
  if (a > 10)
    got = 1;
  unsigned b = mix(a);
  if (b * b == a * 0x2345678fu + 77)
    got += 2;
  if (got == 3 && b == a * a)
    return 1;
  return 0;
}
