// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: a copy sets the first half of a structure only.
#include "v.h"

#include <string.h>

struct packet {
  unsigned char head[4];
  unsigned char body[4];
};

static void head(void *to, const void *from) { memcpy(to, from, 4); }

static int work(int first) {
  struct packet own;
  head(&own, "abcd");
  if (first)
    own.body[1] = 7;
  return own.body[1];
}

static int other(void) {
  char own[4];
  head(own, "efgh");
  return own[0];
}

int main(void) {
  int sum = other() + work(1);
  if (sum == 108 && work(0) != 7)
    reach_error();
  return 0;
}
