// Program: any sequence of additions and removals on a sorted list in an array that grows and shrinks does what
// counting the values would do.
// BUG 1: removing takes the item behind the one that is meant, when there are two that are equal.
// BUG 2: when the list shrinks to half its room, one item less is taken along than there are.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

#define VALUES 8

extern unsigned char __VERIFIER_nondet_uchar(void);

struct item {
  unsigned char key;
};

typedef int compare_function(const struct item *, const struct item *);

struct list {
  struct item *items;
  size_t count;
  size_t capacity;
  compare_function *compare;
};

static int by_key(const struct item *a, const struct item *b) {
  return a->key - b->key;
}

static bool resize(struct list *list, size_t capacity) {
  struct item *items = calloc(capacity, sizeof *items);
  if (!items)
    return false;
  size_t kept = list->count;
#if BUG == 2
  if (capacity < list->capacity && kept > 1)
    kept--;
#endif
  if (kept > 0)
    memcpy(items, list->items, kept * sizeof *items);
  free(list->items);
  list->items = items;
  list->capacity = capacity;
  return true;
}

static size_t first_not_before(const struct list *list, const struct item *item) {
  size_t at = 0;
  while (at < list->count && list->compare(&list->items[at], item) < 0)
    at++;
  return at;
}

static bool add(struct list *list, struct item item) {
  if (list->count == list->capacity && !resize(list, list->capacity ? 2 * list->capacity : 1))
    return false;
  size_t at = first_not_before(list, &item);
  memmove(list->items + at + 1, list->items + at, (list->count - at) * sizeof item);
  list->items[at] = item;
  list->count++;
  return true;
}

static bool take(struct list *list, struct item item) {
  size_t at = first_not_before(list, &item);
  if (at == list->count || list->compare(&list->items[at], &item) != 0)
    return false;
#if BUG == 1
  if (at + 2 < list->count && list->compare(&list->items[at + 1], &item) == 0)
    at += 2;
#endif
  list->count--;
  memmove(list->items + at, list->items + at + 1, (list->count - at) * sizeof item);
  if (list->count > 0 && 2 * list->count <= list->capacity && list->capacity > 1)
    return resize(list, list->capacity / 2);
  return true;
}

int main(void) {
  struct list list = {NULL, 0, 0, by_key};
  unsigned counts[VALUES] = {0};
  for (int step = 0; step < SIZE; step++) {
    struct item item = {__VERIFIER_nondet_uchar() % VALUES};
    if (__VERIFIER_nondet_uchar() % 4 < 3) {
      if (!add(&list, item))
        break;
      counts[item.key]++;
    } else {
      bool taken = take(&list, item);
      assert(taken == (counts[item.key] > 0));
      counts[item.key] -= taken;
    }
  }
  size_t at = 0;
  for (unsigned char key = 0; key < VALUES; key++)
    for (unsigned i = 0; i < counts[key]; i++, at++)
      assert(at < list.count && list.items[at].key == key);
  assert(at == list.count);
  free(list.items);
  return 0;
}
