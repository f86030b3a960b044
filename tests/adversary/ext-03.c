// CAT: ext
// TRUTH: unsafe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: the handler is static, but it was registered, so another external function may call it later.
#include "v.h"

void on_event(void (*callback)(int));
void poll_events(void);

static int state;

static void handle(int event) {
  if (event == 3)
    state = event;
}

int main(void) {
  on_event(handle);
  state = 0;
  poll_events();
  if (state == 3)
    reach_error();
  return 0;
}
/* EXTERNAL code with which it fails:
static void (*registered)(int);
void on_event(void (*callback)(int)) { registered = callback; }
void poll_events(void) { registered(3); }
*/
