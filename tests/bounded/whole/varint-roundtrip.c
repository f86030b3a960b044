// Program: signed numbers, folded so that small ones are short and written seven bits a byte, are read as the same
// numbers.
// BUG 1: the writer takes a number of just eight bits to be one of seven.
// BUG 2: folding is undone by a division that rounds towards zero.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 4
#endif

#define NUMBERS (SIZE / 2)

extern int __VERIFIER_nondet_int(void);

struct stream {
  uint8_t bytes[5 * NUMBERS];
  size_t at;
};

static uint32_t fold(int32_t number) {
  return number < 0 ? 2 * ~(uint32_t)number + 1 : 2 * (uint32_t)number;
}

static int32_t unfold(uint32_t folded) {
#if BUG == 2
  return folded % 2 ? -(int32_t)(folded / 2) : (int32_t)(folded / 2);
#else
  return folded % 2 ? -1 - (int32_t)(folded / 2) : (int32_t)(folded / 2);
#endif
}

static void write(struct stream *stream, int32_t number) {
  uint32_t rest = fold(number);
#if BUG == 1
  while (rest > 0x80) {
#else
  while (rest >= 0x80) {
#endif
    stream->bytes[stream->at++] = (uint8_t)(0x80 | (rest & 0x7F));
    rest >>= 7;
  }
  stream->bytes[stream->at++] = (uint8_t)rest;
}

static int32_t read(struct stream *stream, size_t end) {
  uint32_t folded = 0;
  for (unsigned shift = 0; shift < 35 && stream->at < end; shift += 7) {
    uint8_t byte = stream->bytes[stream->at++];
    folded |= (uint32_t)(byte & 0x7F) << shift;
    if (byte < 0x80)
      break;
  }
  return unfold(folded);
}

int main(void) {
  struct stream stream = {.at = 0};
  int32_t numbers[NUMBERS];
  for (size_t i = 0; i < NUMBERS; i++) {
    numbers[i] = __VERIFIER_nondet_int();
    size_t start = stream.at;
    write(&stream, numbers[i]);
    assert((stream.at - start == 1) == (numbers[i] >= -64 && numbers[i] < 64));
  }
  size_t end = stream.at;
  stream.at = 0;
  for (size_t i = 0; i < NUMBERS; i++) {
    int32_t number = read(&stream, end);
    assert(number == numbers[i]);
  }
  assert(stream.at == end);
  return 0;
}
