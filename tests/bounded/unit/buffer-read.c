// Unit proof: reading a number of two bytes, most significant first, from a buffer with a cursor. If both bytes are
// there, the cursor is behind them and the number is theirs; if not, nothing has changed.
// BUG 1: where only one byte is left, the cursor stays behind it.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

static bool read_byte(struct buffer *buffer, uint8_t *byte) {
  if (buffer->at == buffer->length)
    return false;
  *byte = buffer->bytes[buffer->at++];
  return true;
}

static bool read_short(struct buffer *buffer, uint16_t *number) {
  size_t start = buffer->at;
  uint8_t high, low;
  if (!read_byte(buffer, &high) || !read_byte(buffer, &low)) {
#if BUG != 1
    buffer->at = start;
#else
    (void)start;
#endif
    return false;
  }
  *number = (uint16_t)(high << 8 | low);
  return true;
}

int main(void) {
  struct buffer buffer;
  for (size_t i = 0; i < SIZE; i++)
    buffer.bytes[i] = __VERIFIER_nondet_uchar();
  buffer.length = __VERIFIER_nondet_uchar();
  buffer.at = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(valid(&buffer));

  struct buffer before = buffer;
  uint16_t number = 0;
  bool read = read_short(&buffer, &number);

  assert(valid(&buffer));
  assert(read == (before.length - before.at >= 2));
  assert(buffer.at == before.at + (read ? 2 : 0));
  if (read) {
    assert(number / 256 == before.bytes[before.at]);
    assert(number % 256 == before.bytes[before.at + 1]);
  }
  return 0;
}
