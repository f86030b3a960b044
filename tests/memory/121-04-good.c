// CAT: 121
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The push refuses when the stack is full.
#include "v.h"

struct stack {
  int top;
  int slot[4];
};

typedef void (*action)(struct stack *, int);

static void push(struct stack *s, int v)
{
  if (s->top == 4)
    return;
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
