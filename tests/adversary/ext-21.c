// CAT: ext
// TRUTH: unsafe
// ARGS:
// WHY: who is given a function may call it.
#include "v.h"

void on_event(void (*handler)(void));

static void handle(void) { reach_error(); }

int main(void) {
  void (*handler)(void) = handle;
  on_event(handler);
  return 0;
}
