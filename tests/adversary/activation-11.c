// CAT: activation
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: the list keeps a node of a frame that is gone, and the next call's node has its place.
#include "v.h"

struct node {
  struct node *next;
  int value;
};

static struct node *top;

static int push(int value) {
  struct node own = {top, value};
  top = &own;
  return own.next ? own.next->value : 0;
}

int main(void) {
  push(1);
  push(2);
  return push(3);
}
