// Calls through a table, an early end, and a function that is never entered.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void exit(int);

typedef int operation(int, int);

static int add(int a, int b) { return a + b; }
static int divide(int a, int b) {
  if (b == 0)
    exit(1);
  return a / b;
}
static int never(int a, int b) { return a - b; }

static operation *const table[] = {add, divide, never};

int main(void) {
  unsigned char which = __VERIFIER_nondet_uchar() & 1;
  unsigned char value = __VERIFIER_nondet_uchar();
  int result = table[which](value, value / 2);
  if (which && result > 3)
    return 1;
  if (!which && result == 382)
    return 2;
  return 0;
}
