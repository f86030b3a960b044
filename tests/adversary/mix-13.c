// CAT: mix
// TRUTH: unsafe
// ARGS:
// WHY: erasing empties the slot, which cuts the probe sequence of another key with the same hash.
#include "v.h"

#define SLOTS 8

struct table {
  unsigned char used[SLOTS];
  unsigned short keys[SLOTS];
};

static unsigned hash(unsigned short key) { return (key ^ key >> 8) % SLOTS; }

static int find(const struct table *t, unsigned short key) {
  unsigned at = hash(key);
  for (int i = 0; i < SLOTS && t->used[at]; i++) {
    if (t->keys[at] == key)
      return (int)at;
    at = (at + 1) % SLOTS;
  }
  return -1;
}

static void insert(struct table *t, unsigned short key) {
  unsigned at = hash(key);
  for (int i = 0; i < SLOTS; i++) {
    if (!t->used[at]) {
      t->used[at] = 1;
      t->keys[at] = key;
      return;
    }
    at = (at + 1) % SLOTS;
  }
}

static void erase(struct table *t, unsigned short key) {
  int at = find(t, key);
  if (at >= 0)
    t->used[at] = 0;
}

int main(void) {
  struct table t = {{0}, {0}};
  unsigned short a = __VERIFIER_nondet_ushort();
  unsigned short b = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(a != b);
  insert(&t, a);
  insert(&t, b);
  assert(find(&t, a) >= 0 && find(&t, b) >= 0);
  erase(&t, a);
  assert(find(&t, a) < 0);
  assert(find(&t, b) >= 0);
  return 0;
}
