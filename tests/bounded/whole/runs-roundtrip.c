// Program: bytes that are packed by the lengths of their runs are unpacked to the same bytes.
// BUG 1: a run that is cut at the longest length goes on one byte too late.
// BUG 2: the last run is written only if it is longer than one.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 4
#endif

// Short enough for runs to be cut at every size.
#define LONGEST 3

extern unsigned char __VERIFIER_nondet_uchar(void);

struct run {
  uint8_t length;
  uint8_t byte;
};

static size_t pack(const uint8_t *bytes, size_t count, struct run *runs) {
  size_t used = 0, start = 0;
  while (start < count) {
    size_t length = 1;
    while (start + length < count && length < LONGEST && bytes[start + length] == bytes[start])
      length++;
#if BUG == 2
    if (start + length < count || length > 1)
#endif
      runs[used++] = (struct run){(uint8_t)length, bytes[start]};
    start += length;
#if BUG == 1
    if (length == LONGEST && start < count && bytes[start] == bytes[start - 1])
      start++;
#endif
  }
  return used;
}

static size_t unpack(const struct run *runs, size_t used, uint8_t *bytes) {
  size_t count = 0;
  for (size_t i = 0; i < used; i++)
    for (uint8_t j = 0; j < runs[i].length; j++)
      bytes[count++] = runs[i].byte;
  return count;
}

int main(void) {
  uint8_t bytes[SIZE], back[SIZE];
  struct run runs[SIZE];
  size_t count = __VERIFIER_nondet_uchar();
  if (count > SIZE)
    return 0;
  for (size_t i = 0; i < count; i++)
    bytes[i] = __VERIFIER_nondet_uchar();

  size_t used = pack(bytes, count, runs);

  for (size_t i = 0; i + 1 < used; i++)
    assert(runs[i].byte != runs[i + 1].byte || runs[i].length == LONGEST);
  assert(unpack(runs, used, back) == count);
  for (size_t i = 0; i < count; i++)
    assert(back[i] == bytes[i]);
  return 0;
}
