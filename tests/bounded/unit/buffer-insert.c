// Unit proof: inserting bytes at the cursor of a buffer moves what is behind the cursor, changes nothing before it,
// and is refused when there is not enough room.
// BUG 1: one byte too few is moved, so the last one is lost.
// BUG 2: the bytes are moved by one, however many are inserted.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct buffer {
  uint8_t bytes[SIZE];
  size_t length;
  size_t at;
};

static bool valid(const struct buffer *buffer) {
  return buffer->length <= SIZE && buffer->at <= buffer->length;
}

static bool insert(struct buffer *buffer, const uint8_t *text, size_t count) {
  if (count > SIZE - buffer->length)
    return false;
  uint8_t *gap = buffer->bytes + buffer->at;
  size_t behind = buffer->length - buffer->at;
#if BUG == 1
  if (behind > 0)
    memmove(gap + count, gap, behind - 1);
#elif BUG == 2
  if (count > 0)
    memmove(gap + 1, gap, behind);
#else
  memmove(gap + count, gap, behind);
#endif
  memcpy(gap, text, count);
  buffer->length += count;
  buffer->at += count;
  return true;
}

int main(void) {
  struct buffer buffer;
  for (size_t i = 0; i < SIZE; i++)
    buffer.bytes[i] = __VERIFIER_nondet_uchar();
  buffer.length = __VERIFIER_nondet_uchar();
  buffer.at = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(valid(&buffer));
  uint8_t text[SIZE];
  for (size_t i = 0; i < SIZE; i++)
    text[i] = __VERIFIER_nondet_uchar();
  size_t count = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(count <= SIZE);

  struct buffer before = buffer;
  bool inserted = insert(&buffer, text, count);

  assert(valid(&buffer));
  assert(inserted == (before.length + count <= SIZE));
  if (!inserted) {
    assert(buffer.length == before.length && buffer.at == before.at);
    return 0;
  }
  assert(buffer.length == before.length + count && buffer.at == before.at + count);
  size_t i = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(i < buffer.length);
  if (i < before.at)
    assert(buffer.bytes[i] == before.bytes[i]);
  else if (i < buffer.at)
    assert(buffer.bytes[i] == text[i - before.at]);
  else
    assert(buffer.bytes[i] == before.bytes[i - count]);
  return 0;
}
