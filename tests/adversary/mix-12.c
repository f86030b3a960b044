// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: open addressing where a removed key leaves a tombstone, so that the keys behind it are still found.
#include "v.h"

#define SLOTS 4

enum state { FREE, USED, REMOVED };

struct slot {
  enum state state;
  unsigned key;
};

static struct slot slots[SLOTS];

static int find(unsigned key) {
  for (unsigned i = 0; i < SLOTS; i++) {
    unsigned at = (key + i) % SLOTS;
    if (slots[at].state == FREE)
      return -1;
    if (slots[at].state == USED && slots[at].key == key)
      return (int)at;
  }
  return -1;
}

static int insert(unsigned key) {
  if (find(key) >= 0)
    return 1;
  for (unsigned i = 0; i < SLOTS; i++) {
    unsigned at = (key + i) % SLOTS;
    if (slots[at].state != USED) {
      slots[at].state = USED;
      slots[at].key = key;
      return 1;
    }
  }
  return 0;
}

static void erase(unsigned key) {
  int at = find(key);
  if (at >= 0)
    slots[at].state = REMOVED;
}

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  unsigned c = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a != b && b != c && a != c);
  assert(insert(a) && insert(b) && insert(c));
  erase(a);
  assert(find(a) < 0);
  assert(find(b) >= 0 && find(c) >= 0);
  assert(insert(c));
  erase(c);
  assert(find(c) < 0);
  assert(find(b) >= 0);
  return 0;
}
