// CAT: str
// TRUTH: safe
// ARGS:
// WHY: an empty needle is found at the start, even in an empty text, and memmem looks through zero bytes.
#define _GNU_SOURCE
#include "v.h"
#include <string.h>

int main(void) {
  const char data[6] = {'a', 0, 'a', 0, 'b', 0};
  const char *empty = data + 5;
  assert(strstr(empty, "") == empty);
  assert(strstr(data, "b") == NULL);
  assert(memmem(data, sizeof data, "\0b", 2) == data + 3);
  assert(memmem(data, 4, "\0b", 2) == NULL);
  assert(memmem(data, sizeof data, "zz", 0) == data);
  assert(strspn(data, "") == 0 && strcspn(data, "") == 1);
  return 0;
}
