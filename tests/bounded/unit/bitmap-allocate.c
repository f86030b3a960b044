// Unit proof: an allocator of blocks with a bitmap gives the first run of free blocks that is long enough, marks
// these as used and no others; it fails only when there is no such run.
// BUG 1: a used block does not end the run before it.
// BUG 2: a run at the very end of the map is not seen.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 4
#endif

#define WORDS ((SIZE + 7) / 8)
#define NONE ((size_t)-1)

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct map {
  uint8_t used[WORDS];
};

static bool is_used(const struct map *map, size_t block) {
  return map->used[block / 8] >> (block % 8) & 1;
}

static void use(struct map *map, size_t block) {
  map->used[block / 8] |= (uint8_t)(1u << (block % 8));
}

static size_t allocate(struct map *map, size_t count) {
  size_t run = 0;
  for (size_t block = 0; block < SIZE; block++) {
    if (is_used(map, block)) {
#if BUG != 1
      run = 0;
#endif
      continue;
    }
#if BUG == 2
    if (run == count && count > 0) {
      for (size_t i = block - run; i < block; i++)
        use(map, i);
      return block - run;
    }
    run++;
#else
    if (++run < count)
      continue;
    size_t start = block + 1 - run;
    for (size_t i = start; i <= block; i++)
      use(map, i);
    return start;
#endif
  }
  return NONE;
}

static bool is_free(const struct map *map, size_t start, size_t count) {
  for (size_t i = start; i < start + count; i++)
    if (is_used(map, i))
      return false;
  return true;
}

int main(void) {
  struct map map;
  for (size_t i = 0; i < WORDS; i++)
    map.used[i] = __VERIFIER_nondet_uchar();
  size_t count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(0 < count && count <= SIZE);

  struct map before = map;
  size_t start = allocate(&map, count);

  assert(start == NONE || start + count <= SIZE);
  for (size_t i = 0; i < SIZE; i++)
    assert(is_used(&map, i) == (is_used(&before, i) || (start != NONE && i >= start && i < start + count)));
  assert(start == NONE || is_free(&before, start, count));
  for (size_t i = 0; i < start && i + count <= SIZE; i++)
    assert(!is_free(&before, i, count));
  return 0;
}
