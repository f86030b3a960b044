// bsearch of the C library, written anew for integers: finds a key in a sorted array.
// Shows: a real function with memory, checked for all sorted arrays of one length and all keys.
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

enum { LENGTH = 4 };

static const int *find(int key, const int *base, size_t count) {
  while (count > 0) {
    size_t half = count / 2;
    const int *middle = base + half;
    if (key == *middle)
      return middle;
    if (key > *middle) {
      base = middle + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return NULL;
}

int main(void) {
  int numbers[LENGTH];
  for (int i = 0; i < LENGTH; i++) {
    numbers[i] = __VERIFIER_nondet_int();
    if (i > 0 && numbers[i] < numbers[i - 1])
      return 0;
  }
  int key = __VERIFIER_nondet_int();
  const int *found = find(key, numbers, LENGTH);
  if (found != NULL) {
    assert(*found == key);
  } else {
    for (int i = 0; i < LENGTH; i++)
      assert(numbers[i] != key);
  }
  return 0;
}
