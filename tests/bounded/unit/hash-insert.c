// Unit proof: putting a key and a value into a hash table with linear probing that uses slots again whose keys have
// left. The key has the value then, whether it was there before or not, and every other key has its own.
// BUG 1: the first slot that is left is taken without a look at whether the key follows, so that it may be there
// twice.
// BUG 2: probing does not go from the last slot to the first.
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

static size_t home(unsigned char key) {
  return key % SIZE;
}

static struct slot *find(struct slot *table, unsigned char key) {
  for (size_t i = 0; i < SIZE; i++) {
    struct slot *slot = &table[(home(key) + i) % SIZE];
    if (slot->state == EMPTY)
      return NULL;
    if (slot->state == USED && slot->key == key)
      return slot;
  }
  return NULL;
}

static bool valid(struct slot *table, struct slot *slot) {
  return slot->state != USED || find(table, slot->key) == slot;
}

static bool insert(struct slot *table, unsigned char key, unsigned char value) {
  struct slot *free = NULL;
  for (size_t i = 0; i < SIZE; i++) {
#if BUG == 2
    size_t at = home(key) + i < SIZE ? home(key) + i : SIZE - 1;
#else
    size_t at = (home(key) + i) % SIZE;
#endif
    struct slot *slot = &table[at];
    if (slot->state == USED && slot->key == key) {
      slot->value = value;
      return true;
    }
    if (slot->state != USED && !free)
      free = slot;
#if BUG == 1
    if (slot->state != USED)
#else
    if (slot->state == EMPTY)
#endif
      break;
  }
  if (!free)
    return false;
  free->state = USED;
  free->key = key;
  free->value = value;
  return true;
}

int main(void) {
  struct slot table[SIZE];
  size_t used = 0;
  for (size_t i = 0; i < SIZE; i++) {
    table[i].state = __VERIFIER_nondet_uchar();
    table[i].key = __VERIFIER_nondet_uchar();
    table[i].value = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(table[i].state <= USED);
    used += table[i].state == USED;
  }
  for (size_t i = 0; i < SIZE; i++)
    __VERIFIER_assume(valid(table, &table[i]));
  unsigned char key = __VERIFIER_nondet_uchar(), value = __VERIFIER_nondet_uchar();
  unsigned char other = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(other != key);

  bool there = find(table, key) != NULL;
  struct slot *slot = find(table, other);
  unsigned char others = slot ? slot->value : 0;
  bool inserted = insert(table, key, value);

  assert(inserted == (there || used < SIZE));
  for (size_t i = 0; i < SIZE; i++)
    assert(valid(table, &table[i]));
  struct slot *found = find(table, key);
  assert((found != NULL) == inserted);
  assert(!inserted || found->value == value);
  assert(find(table, other) == slot);
  assert(!slot || slot->value == others);
  return 0;
}
