// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: the buffer is too large to be set cell by cell, and another one is given to the same helper.
#include "v.h"

static void put(unsigned char *to, int at, int value) { to[at] = (unsigned char)value; }

static int work(int first) {
  unsigned char buffer[3000];
  if (first)
    put(buffer, 2999, 77);
  return buffer[2999];
}

static int other(void) {
  unsigned char buffer[10];
  put(buffer, 3, 5);
  return buffer[3];
}

int main(void) {
  int sum = other() + work(1);
  if (sum == 82 && work(0) != 77)
    reach_error();
  return 0;
}
