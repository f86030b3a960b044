// CAT: activation
// TRUTH: unsafe
// ARGS:
// WHY: the array is filled up to its zero only.
#include "v.h"

static void text(char *to, int n) {
  int i = 0;
  while (i < n) {
    to[i] = 'a';
    i++;
  }
  to[i] = 0;
}

static int last(int n) {
  char name[8];
  text(name, n);
  return name[5];
}

static int other(void) {
  char name[8];
  text(name, 7);
  return name[2];
}

int main(void) {
  int sum = other() + last(6);
  if (sum == 194 && last(2) != 'a')
    reach_error();
  return 0;
}
