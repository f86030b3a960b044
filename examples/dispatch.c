// A state machine whose states are functions in a table.
// Shows: calls through pointers; only the functions that a pointer may hold are followed.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum state { IDLE, OPEN, CLOSED };

static int bytes_sent;

static enum state idle(int event) {
  return event == 1 ? OPEN : IDLE;
}

static enum state opened(int event) {
  if (event == 2)
    return CLOSED;
  if (bytes_sent < 100)
    bytes_sent++;
  return OPEN;
}

static enum state closed(int event) {
  (void)event;
  assert(bytes_sent <= 100);
  return CLOSED;
}

static enum state (*const handlers[])(int event) = {idle, opened, closed};

int main(void) {
  enum state state = IDLE;
  for (;;) {
    assert(state <= CLOSED);
    state = handlers[state](__VERIFIER_nondet_int());
  }
}
