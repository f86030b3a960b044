// CAT: activation
// TRUTH: safe
// ARGS:
// WHY: the buffer is cleared first, in each call.
#include "v.h"

#include <string.h>

static void put(char *to, int at) { to[at] = 1; }

static int work(int at) {
  char buffer[3000];
  memset(buffer, 0, sizeof buffer);
  put(buffer, at);
  return buffer[0];
}

static int other(void) {
  char buffer[8] = "";
  put(buffer, 1);
  return buffer[1];
}

int main(void) {
  if (other() != 1 || work(0) != 1 || work(1) != 0)
    reach_error();
  return 0;
}
