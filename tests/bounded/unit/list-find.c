// Unit proof: looking for a key in a sorted array with a comparison function finds it where it is, and nothing where
// it is not.
// BUG 1: the item in the middle is left out on both sides.
// BUG 2: the last range, of one item, is not looked at.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct item {
  unsigned char key;
  unsigned char value;
};

typedef int compare_function(const void *key, const void *item);

static int by_key(const void *key, const void *item) {
  unsigned char wanted = *(const unsigned char *)key, here = ((const struct item *)item)->key;
  return (wanted > here) - (wanted < here);
}

static const void *find(const void *key, const void *items, size_t count, size_t width, compare_function *compare) {
  size_t low = 0, high = count;
#if BUG == 2
  while (low + 1 < high) {
#else
  while (low < high) {
#endif
    size_t middle = low + (high - low) / 2;
    const void *item = (const char *)items + middle * width;
    int order = compare(key, item);
    if (order == 0)
      return item;
    if (order < 0)
#if BUG == 1
      high = middle > 0 ? middle - 1 : 0;
#else
      high = middle;
#endif
    else
      low = middle + 1;
  }
  return NULL;
}

int main(void) {
  struct item items[SIZE];
  size_t count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(count <= SIZE);
  for (size_t i = 0; i < count; i++) {
    items[i].key = __VERIFIER_nondet_uchar();
    items[i].value = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(i == 0 || items[i - 1].key < items[i].key);
  }
  unsigned char key = __VERIFIER_nondet_uchar();

  const struct item *found = find(&key, items, count, sizeof items[0], by_key);

  if (found) {
    assert(found >= items && found < items + count);
    assert(found->key == key);
  } else {
    for (size_t i = 0; i < count; i++)
      assert(items[i].key != key);
  }
  return 0;
}
