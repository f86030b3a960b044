// CAT: fptr
// TRUTH: unsafe
// ARGS: --property null
// NATIVE: skip
// WHY: a null pointer is called, where no access goes through it
static int calls;
static void count(void) { calls++; }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  void (*handler)(void) = 0;
  if (__VERIFIER_nondet_int() > 3)
    handler = count;
  handler();
  return calls;
}
