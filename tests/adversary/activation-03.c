// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: one member of the structure is not set, and the helper is given a global one as well.
#include "v.h"

struct pair {
  int x;
  int y;
};

static struct pair shared;

static void begin(struct pair *p) { p->x = 1; }

static int work(int last) {
  struct pair own;
  begin(&own);
  begin(&shared);
  if (last)
    return own.y;
  own.y = 6;
  return own.x;
}

int main(void) {
  work(0);
  if (work(1) != 6)
    reach_error();
  return 0;
}
