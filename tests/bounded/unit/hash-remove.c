// Unit proof: removing a key from a hash table with linear probing. The key cannot be found any more, every other key
// can, with its value.
// BUG 1: the slot becomes empty instead of being marked as left, which hides keys that were put behind it.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

enum state { EMPTY, LEFT, USED };

struct slot {
  unsigned char state;
  unsigned char key;
  unsigned char value;
};

struct table {
  struct slot slots[SIZE];
};

static size_t home(unsigned char key) {
  return (key * 7u) % SIZE;
}

static struct slot *find(struct table *table, unsigned char key) {
  size_t at = home(key);
  for (size_t probes = 0; probes < SIZE; probes++) {
    struct slot *slot = &table->slots[at];
    if (slot->state == EMPTY)
      return NULL;
    if (slot->state == USED && slot->key == key)
      return slot;
    at = at + 1 == SIZE ? 0 : at + 1;
  }
  return NULL;
}

// Every key is where a search finds it, hence there once.
static bool valid(struct table *table, struct slot *slot) {
  return slot->state != USED || find(table, slot->key) == slot;
}

static bool delete(struct table *table, unsigned char key) {
  struct slot *slot = find(table, key);
  if (!slot)
    return false;
#if BUG == 1
  slot->state = EMPTY;
#else
  slot->state = LEFT;
#endif
  return true;
}

int main(void) {
  struct table table;
  for (size_t i = 0; i < SIZE; i++) {
    table.slots[i].state = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(table.slots[i].state <= USED);
    table.slots[i].key = __VERIFIER_nondet_uchar();
    table.slots[i].value = __VERIFIER_nondet_uchar();
  }
  for (size_t i = 0; i < SIZE; i++)
    __VERIFIER_assume(valid(&table, &table.slots[i]));
  unsigned char key = __VERIFIER_nondet_uchar(), other = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(other != key);

  struct slot *slot = find(&table, other);
  bool there = find(&table, key) != NULL;
  unsigned char value = slot ? slot->value : 0;
  bool deleted = delete(&table, key);

  assert(deleted == there);
  for (size_t i = 0; i < SIZE; i++)
    assert(valid(&table, &table.slots[i]));
  assert(!find(&table, key));
  assert(find(&table, other) == slot);
  assert(!slot || slot->value == value);
  return 0;
}
