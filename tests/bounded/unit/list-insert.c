// Unit proof: a list in an array that grows when it is full, in the order of a comparison function. Inserting keeps
// the order, adds the item and loses none.
// BUG 1: the comparison subtracts in eight bits, so that -100 comes after 100.
// BUG 2: when the list grows, the last item is not taken along.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern signed char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

typedef int compare_function(signed char, signed char);

struct list {
  signed char *items;
  size_t count;
  size_t capacity;
  compare_function *compare;
};

static int ascending(signed char a, signed char b) {
#if BUG == 1
  return (signed char)(a - b);
#else
  return (a > b) - (a < b);
#endif
}

static int descending(signed char a, signed char b) {
  return ascending(b, a);
}

static bool grow(struct list *list) {
  size_t capacity = list->capacity ? 2 * list->capacity : 1;
  signed char *items = calloc(capacity, sizeof *items);
  if (!items)
    return false;
#if BUG == 2
  if (list->count > 0)
    memcpy(items, list->items, list->count - 1);
#else
  if (list->count > 0)
    memcpy(items, list->items, list->count);
#endif
  free(list->items);
  list->items = items;
  list->capacity = capacity;
  return true;
}

static bool insert(struct list *list, signed char item) {
  if (list->count == list->capacity && !grow(list))
    return false;
  size_t at = list->count++;
  while (at > 0 && list->compare(list->items[at - 1], item) > 0) {
    list->items[at] = list->items[at - 1];
    at--;
  }
  list->items[at] = item;
  return true;
}

static bool before(const struct list *list, size_t i) {
  signed char a = list->items[i], b = list->items[i + 1];
  return list->compare == ascending ? a <= b : a >= b;
}

int main(void) {
  struct list list;
  list.compare = __VERIFIER_nondet_uchar() % 2 ? ascending : descending;
  list.capacity = __VERIFIER_nondet_uchar();
  list.count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(list.capacity <= SIZE && list.count <= list.capacity);
  list.items = malloc(SIZE);
  if (!list.items)
    return 0;
  signed char old[SIZE] = {0};
  for (size_t i = 0; i < list.count; i++) {
    old[i] = list.items[i] = __VERIFIER_nondet_char();
    __VERIFIER_assume(i == 0 || before(&list, i - 1));
  }

  size_t count = list.count, at = 0;
  signed char item = __VERIFIER_nondet_char();
  if (!insert(&list, item))
    return 0;

  assert(list.count == count + 1 && list.count <= list.capacity);
  for (size_t i = 0; i + 1 < list.count; i++)
    assert(before(&list, i));
  while (at < count && list.items[at] == old[at])
    at++;
  assert(list.items[at] == item);
  for (size_t i = at; i < count; i++)
    assert(list.items[i + 1] == old[i]);
  free(list.items);
  return 0;
}
