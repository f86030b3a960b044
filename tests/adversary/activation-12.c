// CAT: activation
// TRUTH: safe
// ARGS: --property memory-safety
// WHY: each node is taken off the list before its frame goes.
#include "v.h"

struct node {
  struct node *next;
  int value;
};

static struct node *top;

static int push(int value) {
  struct node own = {top, value};
  int before = top ? top->value : 0;
  top = &own;
  if (value > 1)
    before += push(value - 1);
  top = own.next;
  return before;
}

int main(void) {
  int a = push(1);
  int b = push(3);
  return a + b;
}
