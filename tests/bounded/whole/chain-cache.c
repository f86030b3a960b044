// Program: a cache of the last few keys, in a list linked both ways around a sentinel, with the one used last in
// front. After any sequence of uses, a key is in it exactly if fewer other keys than it has room for were used since.
// BUG 1: a key that is used again stays where it is.
// BUG 2: what is thrown out of a full cache is the second last.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

#define ROOM (SIZE / 2)
#define USES (SIZE + 2)

extern unsigned char __VERIFIER_nondet_uchar(void);

struct entry {
  struct entry *next;
  struct entry *previous;
  unsigned char key;
};

struct cache {
  struct entry entries[ROOM];
  size_t used;
  struct entry order;
};

static void unlink_entry(struct entry *entry) {
  entry->previous->next = entry->next;
  entry->next->previous = entry->previous;
}

static void push_front(struct cache *cache, struct entry *entry) {
  entry->next = cache->order.next;
  entry->previous = &cache->order;
  entry->next->previous = entry;
  cache->order.next = entry;
}

static struct entry *find(struct cache *cache, unsigned char key) {
  for (struct entry *entry = cache->order.next; entry != &cache->order; entry = entry->next)
    if (entry->key == key)
      return entry;
  return NULL;
}

static bool use(struct cache *cache, unsigned char key) {
  struct entry *entry = find(cache, key);
  bool hit = entry != NULL;
  if (hit) {
#if BUG == 1
    return true;
#endif
    unlink_entry(entry);
  } else if (cache->used < ROOM) {
    entry = &cache->entries[cache->used++];
  } else {
    entry = cache->order.previous;
#if BUG == 2
    if (entry->previous != &cache->order)
      entry = entry->previous;
#endif
    unlink_entry(entry);
  }
  entry->key = key;
  push_front(cache, entry);
  return hit;
}

// How many different keys, other than this one, were used since it was; ROOM if it never was.
static size_t others_since(const unsigned char *uses, size_t count, unsigned char key) {
  size_t others = 0;
  for (size_t i = count; i > 0; i--) {
    if (uses[i - 1] == key)
      return others;
    bool again = false;
    for (size_t j = i; j < count; j++)
      again = again || uses[j] == uses[i - 1];
    others += !again;
  }
  return ROOM;
}

int main(void) {
  struct cache cache;
  unsigned char uses[USES];
  cache.used = 0;
  cache.order.next = cache.order.previous = &cache.order;
  for (size_t i = 0; i < USES; i++) {
    uses[i] = __VERIFIER_nondet_uchar();
    bool expected = others_since(uses, i, uses[i]) < ROOM;
    assert(use(&cache, uses[i]) == expected);
  }
  return 0;
}
