// Two numbers whose bits depend on each other: what can be is a matter of arithmetic.
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned bits(unsigned char byte) {
  unsigned number = 0;
  for (; byte; byte &= byte - 1)
    number++;
  return number;
}

static int check(unsigned char a, unsigned char b) {
  unsigned sum = bits(a) + bits(b), differ = bits(a ^ b);
  if ((sum ^ differ) & 1)
    return 1;
  if (differ > sum)
    return 2;
  if (differ == sum && a && b)
    return a > b ? 3 : 4;
  return 0;
}

static void report(int kind) {
  static int reports;
  if (kind)
    reports++;
}

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar() & 7;
  unsigned char b = __VERIFIER_nondet_uchar() & 7;
  int kind = check(a, b);
  if (kind == 1 || kind == 2)
    report(kind);
  if (kind >= 3)
    report(0);
  goto end;
  report(9);
end:
  return 0;
}
