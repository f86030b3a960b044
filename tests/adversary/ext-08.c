// CAT: ext
// TRUTH: unsafe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: a pointer to one member reaches the whole structure (container_of), and const on the parameter stops nobody.
#include "v.h"

struct link {
  int id;
};

struct item {
  int price;
  struct link link;
};

void visit(const struct link *link);

int main(void) {
  struct item item = {10, {1}};
  visit(&item.link);
  if (item.price != 10)
    reach_error();
  return 0;
}
/* EXTERNAL code with which it fails:
void visit(const void *link) { *(int *)((char *)link - 4) = 0; }
*/
