// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WHY: container_of with the offset of the other link yields a shifted struct inside of the same array
#include "v.h"
#include <stddef.h>

struct link {
  long next;
};

struct item {
  long id;
  struct link by_name;
  struct link by_age;
};

#define ITEM(l, member) ((struct item *)((char *)(l)-offsetof(struct item, member)))

static struct item items[2];

int main(void) {
  items[0].id = 7;
  items[1].id = 8;
  items[1].by_name.next = 9;
  struct link *l = __VERIFIER_nondet_bool() ? &items[1].by_name : &items[1].by_age;
  long *id = &ITEM(l, by_name)->id;
  if (*id != 8)
    reach_error();
  return 0;
}
