// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: copying a text with its terminator to the start of a struct overwrites the member behind the name
#include "v.h"
#include <string.h>

struct user {
  char name[3];
  char admin;
  char rest[4];
};

int main(void) {
  struct user u;
  memset(&u, 0, sizeof u);
  u.admin = 1;
  static const char text[] = "abcdef";
  unsigned n = __VERIFIER_nondet_uchar() % sizeof text;
  memcpy(&u, text, n);
  ((char *)&u)[n] = 0;
  if (u.admin == 0)
    reach_error();
  return 0;
}
