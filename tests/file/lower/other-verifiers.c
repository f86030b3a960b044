// Assertions and assumptions by the names that other verifiers have for them. What is not understood is refused: it was
// taken for a function that returns anything.
extern int nondet_int(void);
extern void __CPROVER_assert(_Bool, const char *);
extern void __VERIFIER_assert(int);
extern void __ESBMC_assume(_Bool);
extern void klee_assume(unsigned long);
extern int klee_range(int, int, const char *);

int main(void) {
  int x = nondet_int();
  __ESBMC_assume(x > 3);
  klee_assume(x < 9);
  __builtin_assume(x != 5);
  int y = klee_range(2, 5, "y");
  __VERIFIER_assert(y >= 2 && y < 5);
  __CPROVER_assert(x != 5, "not assumed");
  return 0;
}
// run: verify
// verdict: safe

// change: x < 9 => x < 10
// change: x != 5, => x != 9,
// run: verify
// verdict: unsafe
// check: __CPROVER_assert in main

// change: y < 5) => y < 4)
// run: verify
// verdict: unsafe
// check: __VERIFIER_assert in main
