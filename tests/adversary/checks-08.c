// CAT: checks
// CAT: checks
// TRUTH: unsafe
// ARGS: --property null
// NATIVE: skip
// WHY: the member of a null struct is not read, only its address is compared, yet it is a use of a null pointer
#include "v.h"

struct box {
  long header;
  int content;
};

int main(void) {
  struct box b = {1, 2};
  struct box *p = __VERIFIER_nondet_bool() ? &b : 0;
  int *content = &p->content;
  return content == &b.content;
}
