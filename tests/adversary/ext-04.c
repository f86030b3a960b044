// CAT: ext
// TRUTH: safe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: nothing external can name the static variable or the static function, and main called again by it changes nothing.
#include "v.h"

void tick(int value);

static int balance = 100;

static void take(int n) { balance -= n; }

int main(void) {
  int before = balance;
  tick(balance);
  if (balance != before)
    take(30);
  tick(balance + 1);
  assert(balance == 100);
  return 0;
}
