// CAT: fptr
// TRUTH: safe
// ARGS: --property null
// NATIVE: skip
// WHY: the pointer that is called is null only where it is not called
static int calls;
static void count(void) { calls++; }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  void (*handler)(void) = 0;
  if (__VERIFIER_nondet_int() > 3)
    handler = count;
  if (handler)
    handler();
  return calls;
}
