// What an unknown function writes decides whether code is dead: that it writes nothing is an assumption.
extern int helper(int *);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int x = 1;
  helper(&x);
  if (x != 1)
    return 3;
  return __VERIFIER_nondet_uchar() ? 1 : 0;
}
