// Program: nested arrays and objects are written from a plan that says where one begins and ends; a scanner with a
// stack of brackets accepts each such text, and none of which one bracket is changed.
// BUG 1: the scanner closes an array with the bracket of an object.
// BUG 2: the scanner accepts what ends before all is closed.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

#define DEPTH (SIZE / 2)

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct stack {
  char closing[DEPTH];
  size_t count;
};

static bool push(struct stack *stack, char closing) {
  if (stack->count == DEPTH)
    return false;
  stack->closing[stack->count++] = closing;
  return true;
}

static bool pop(struct stack *stack, char closing) {
  if (stack->count == 0)
    return false;
#if BUG == 1
  char expected = stack->closing[--stack->count];
  return expected == closing || expected == ']';
#else
  return stack->closing[--stack->count] == closing;
#endif
}

static bool scan(const char *text, size_t length) {
  struct stack stack = {.count = 0};
  for (size_t i = 0; i < length; i++) {
    bool right = true;
    switch (text[i]) {
    case '[':
      right = push(&stack, ']');
      break;
    case '{':
      right = push(&stack, '}');
      break;
    case ']':
    case '}':
      right = pop(&stack, text[i]);
      break;
    default:
      right = false;
    }
    if (!right)
      return false;
  }
#if BUG == 2
  return stack.count <= 1;
#else
  return stack.count == 0;
#endif
}

// A text of brackets that fit, at most so deep.
static void write(char *text) {
  struct stack stack = {.count = 0};
  for (size_t i = 0; i < SIZE; i++) {
    unsigned char plan = __VERIFIER_nondet_uchar() % 3;
    bool must_close = stack.count == SIZE - i || stack.count == DEPTH;
    if (must_close || (plan == 2 && stack.count > 0)) {
      text[i] = stack.closing[--stack.count];
    } else {
      text[i] = plan == 0 ? '[' : '{';
      stack.closing[stack.count++] = plan == 0 ? ']' : '}';
    }
  }
}

int main(void) {
  static const char brackets[] = "[]{}";
  char text[SIZE];
  write(text);
  assert(scan(text, SIZE));

  size_t at = __VERIFIER_nondet_uchar();
  char changed = brackets[__VERIFIER_nondet_uchar() % 4];
  __VERIFIER_assume(at < SIZE && changed != text[at]);
  text[at] = changed;
  assert(!scan(text, SIZE));

  size_t length = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(length < SIZE && length % 2 == 1);
  assert(!scan(text, length));
  return 0;
}
