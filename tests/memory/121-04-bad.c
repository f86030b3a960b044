// CAT: 121
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 18
// WITNESS: 1 5 1 6 1 7 1 8 1 9
// WHY: The push of a stack of four ints does not look whether the stack is full.
#include "v.h"

struct stack {
  int top;
  int slot[4];
};

typedef void (*action)(struct stack *, int);

static void push(struct stack *s, int v)
{
  s->slot[s->top++] = v;
}

static void drop(struct stack *s, int v)
{
  (void)v;
  if (s->top > 0)
    s->top--;
}

int main(void)
{
  static const action actions[2] = { drop, push };
  struct stack s = { 0, {0} };
  for (int step = 0; step < 5; step++) {
    _Bool which = __VERIFIER_nondet_bool();
    int v = __VERIFIER_nondet_int();
    actions[which](&s, v);
  }
  return s.top;
}
