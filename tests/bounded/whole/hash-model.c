// Program: any sequence of insertions, removals and searches in a hash table with linear probing, that moves keys
// back into the gap that a removed one leaves, does for any one key what a single variable would.
// BUG 1: moving back does not consider that the home of a key may lie behind the end of the table and the key before
// it.
// BUG 2: only one key is moved back.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

#define SLOTS SIZE

extern unsigned char __VERIFIER_nondet_uchar(void);

// The key 0 is that of an empty slot.
struct table {
  unsigned char keys[SLOTS];
  unsigned char values[SLOTS];
  size_t count;
};

static size_t home(unsigned char key) {
  return key * 5u % SLOTS;
}

static size_t next(size_t at) {
  return at + 1 == SLOTS ? 0 : at + 1;
}

// Where the key is, or the empty slot where it would be.
static size_t find(const struct table *table, unsigned char key) {
  size_t at = home(key);
  while (table->keys[at] != 0 && table->keys[at] != key)
    at = next(at);
  return at;
}

static bool insert(struct table *table, unsigned char key, unsigned char value) {
  size_t at = find(table, key);
  if (table->keys[at] == 0) {
    // One slot stays empty, so that every search ends.
    if (table->count == SLOTS - 1)
      return false;
    table->count++;
    table->keys[at] = key;
  }
  table->values[at] = value;
  return true;
}

static bool may_move(size_t from, size_t home, size_t gap) {
#if BUG == 1
  return home <= gap || home > from;
#else
  return gap <= from ? home <= gap || home > from : home <= gap && home > from;
#endif
}

static void delete(struct table *table, unsigned char key) {
  size_t gap = find(table, key);
  if (table->keys[gap] == 0)
    return;
  table->count--;
  table->keys[gap] = 0;
  for (size_t at = next(gap); table->keys[at] != 0; at = next(at)) {
    if (!may_move(at, home(table->keys[at]), gap))
      continue;
    table->keys[gap] = table->keys[at];
    table->values[gap] = table->values[at];
    table->keys[at] = 0;
    gap = at;
#if BUG == 2
    return;
#endif
  }
}

int main(void) {
  struct table table = {.count = 0};
  unsigned char watched = __VERIFIER_nondet_uchar(), value = 0;
  bool there = false;
  if (watched == 0)
    return 0;
  for (int i = 0; i < 2 * SIZE; i++) {
    unsigned char operation = __VERIFIER_nondet_uchar(), key = __VERIFIER_nondet_uchar();
    if (key == 0)
      return 0;
    if (operation % 2 == 0) {
      unsigned char new = __VERIFIER_nondet_uchar();
      if (insert(&table, key, new) && key == watched) {
        there = true;
        value = new;
      }
    } else {
      delete(&table, key);
      there = there && key != watched;
    }
    size_t at = find(&table, watched);
    assert((table.keys[at] == watched) == there);
    assert(!there || table.values[at] == value);
  }
  return 0;
}
