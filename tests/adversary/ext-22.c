// CAT: ext
// TRUTH: unsafe
// NATIVE: skip
// WHY: what memory from outside leads to is memory from outside, too, also where a helper is given memory of the program's.
#include "v.h"

struct user {
  char *name;
};

struct user *current_user(void);

static int initial(const char *text) { return text[0]; }

int main(void) {
  char own = 'x';
  initial(&own);
  if (initial(current_user()->name) == 'r')
    reach_error();
  return 0;
}
