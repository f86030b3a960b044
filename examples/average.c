// The middle of two indices, as many a binary search computes it.
// Shows: --property no-overflow; clang builds the check in.
extern int __VERIFIER_nondet_int(void);

static int middle(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int();
  int high = __VERIFIER_nondet_int();
  if (low < 0 || high < low)
    return 0;
  return middle(low, high) > 1000;
}
