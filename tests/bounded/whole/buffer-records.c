// Program: records, each a tag, a length and as many bytes, are written to a buffer until one does not fit, and read
// again: all that were written are there, unchanged, and nothing else.
// BUG 1: whether a record fits is asked without its two first bytes, which are left behind.
// BUG 2: the reader stops at an empty record.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifndef SIZE
#define SIZE 4
#endif

#define ROOM (2 * SIZE)
#define LONGEST 3

extern unsigned char __VERIFIER_nondet_uchar(void);

struct buffer {
  uint8_t bytes[ROOM];
  size_t length;
  size_t at;
};

struct record {
  uint8_t tag;
  uint8_t length;
  uint8_t bytes[LONGEST];
};

static bool put(struct buffer *buffer, const void *bytes, size_t count) {
  if (count > ROOM - buffer->length)
    return false;
  memcpy(buffer->bytes + buffer->length, bytes, count);
  buffer->length += count;
  return true;
}

static bool write(struct buffer *buffer, const struct record *record) {
#if BUG == 1
  return put(buffer, &record->tag, 1) && put(buffer, &record->length, 1) &&
         put(buffer, record->bytes, record->length);
#else
  if (2 + (size_t)record->length > ROOM - buffer->length)
    return false;
  return put(buffer, &record->tag, 1) && put(buffer, &record->length, 1) &&
         put(buffer, record->bytes, record->length);
#endif
}

static bool read(struct buffer *buffer, struct record *record) {
  if (buffer->length - buffer->at < 2)
    return false;
  const uint8_t *start = buffer->bytes + buffer->at;
  record->tag = start[0];
  record->length = start[1];
  if (record->length > LONGEST || record->length > buffer->length - buffer->at - 2)
    return false;
#if BUG == 2
  if (record->length == 0)
    return false;
#endif
  memcpy(record->bytes, start + 2, record->length);
  buffer->at += 2 + record->length;
  return true;
}

int main(void) {
  struct buffer buffer = {.length = 0};
  struct record records[SIZE], back;
  size_t written = 0;
  for (; written < SIZE; written++) {
    struct record *record = &records[written];
    record->tag = __VERIFIER_nondet_uchar();
    record->length = __VERIFIER_nondet_uchar() % (LONGEST + 1);
    for (size_t i = 0; i < record->length; i++)
      record->bytes[i] = __VERIFIER_nondet_uchar();
    if (!write(&buffer, record))
      break;
  }
  size_t count = 0;
  for (; count < SIZE && read(&buffer, &back); count++) {
    assert(count < written);
    assert(back.tag == records[count].tag && back.length == records[count].length);
    assert(memcmp(back.bytes, records[count].bytes, back.length) == 0);
  }
  assert(count == written && buffer.at == buffer.length);
  return 0;
}
