// What another tool warns of: some of it happens.
extern unsigned char __VERIFIER_nondet_uchar(void);

static int look(const int *p, unsigned char n) {
  if (n > 200)
    p = 0;
  return *p;
}

static int share(unsigned char n) {
  int parts = 0;
  if (n & 1)
    parts = n;
  if (n % 2)
    return 100 / parts;
  return 0;
}

int main(void) {
  int numbers[3] = {1, 2, 3};
  unsigned char n = __VERIFIER_nondet_uchar();
  int kept = n;
  if (n > 2)
    n = 2;
  kept = numbers[n];
  return share(n) + look(numbers, __VERIFIER_nondet_uchar()) + kept;
}
