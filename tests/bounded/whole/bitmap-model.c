// Program: blocks that an allocator with a bitmap hands out are written and given back in any order; what one owner
// has written is never changed by another, and when all is given back, all is free.
// BUG 1: giving back frees one block too many when the next one is at the start of a byte of the map.
// BUG 2: allocating looks at the first and the last block of a run only.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

#define BLOCKS (2 * SIZE + 8)
#define OWNERS 3

extern unsigned char __VERIFIER_nondet_uchar(void);

struct arena {
  uint8_t map[(BLOCKS + 7) / 8];
  uint8_t memory[BLOCKS];
};

static bool used(const struct arena *arena, size_t block) {
  return arena->map[block / 8] & 1u << (block % 8);
}

static bool free_run(const struct arena *arena, size_t start, size_t count) {
#if BUG == 2
  return !used(arena, start) && !used(arena, start + count - 1);
#else
  for (size_t i = 0; i < count; i++)
    if (used(arena, start + i))
      return false;
  return true;
#endif
}

static uint8_t *allocate(struct arena *arena, size_t count) {
  for (size_t start = 0; start + count <= BLOCKS; start++) {
    if (!free_run(arena, start, count))
      continue;
    for (size_t i = start; i < start + count; i++)
      arena->map[i / 8] |= (uint8_t)(1u << (i % 8));
    return arena->memory + start;
  }
  return NULL;
}

static void give_back(struct arena *arena, const uint8_t *blocks, size_t count) {
  size_t start = (size_t)(blocks - arena->memory), end = start + count;
#if BUG == 1
  if (end % 8 == 0 && end < BLOCKS)
    end++;
#endif
  for (size_t i = start; i < end; i++)
    arena->map[i / 8] &= (uint8_t)~(1u << (i % 8));
}

struct owner {
  uint8_t *blocks;
  size_t count;
  uint8_t mark;
};

int main(void) {
  struct arena arena;
  struct owner owners[OWNERS] = {{0}};
  memset(arena.map, 0, sizeof arena.map);
  for (int step = 0; step < SIZE + 3; step++) {
    struct owner *owner = &owners[__VERIFIER_nondet_uchar() % OWNERS];
    if (!owner->blocks) {
      owner->count = 1 + __VERIFIER_nondet_uchar() % 8;
      owner->blocks = allocate(&arena, owner->count);
      if (!owner->blocks)
        continue;
      owner->mark = __VERIFIER_nondet_uchar();
      memset(owner->blocks, owner->mark, owner->count);
    } else {
      for (size_t i = 0; i < owner->count; i++)
        assert(owner->blocks[i] == owner->mark);
      give_back(&arena, owner->blocks, owner->count);
      owner->blocks = NULL;
    }
  }
  for (struct owner *owner = owners; owner < owners + OWNERS; owner++)
    if (owner->blocks)
      give_back(&arena, owner->blocks, owner->count);
  for (size_t i = 0; i < sizeof arena.map; i++)
    assert(arena.map[i] == 0);
  return 0;
}
