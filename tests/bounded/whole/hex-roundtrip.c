// Program: a dump of bytes as hexadecimal digits with a space between the bytes, read again, is the same bytes.
// BUG 1: the reader takes the digits of a byte with its highest bit set for a negative number and gives up.
// BUG 2: the writer leaves out a zero in front.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);

static const char digits[] = "0123456789abcdef";

struct text {
  char letters[3 * SIZE];
  size_t length;
};

static void put(struct text *text, char letter) {
  text->letters[text->length++] = letter;
}

static void dump(struct text *text, const uint8_t *bytes, size_t count) {
  text->length = 0;
  for (size_t i = 0; i < count; i++) {
    if (i > 0)
      put(text, ' ');
#if BUG == 2
    if (bytes[i] >= 16 || i + 1 < count)
#endif
      put(text, digits[bytes[i] >> 4]);
    put(text, digits[bytes[i] & 15]);
  }
}

static int nibble(char letter) {
  if (letter >= '0' && letter <= '9')
    return letter - '0';
  if (letter >= 'a' && letter <= 'f')
    return letter - 'a' + 10;
  return -1;
}

static bool load(const struct text *text, uint8_t *bytes, size_t *count) {
  *count = 0;
  for (size_t i = 0; i < text->length; i += 3) {
    if (i > 0 && text->letters[i - 1] != ' ')
      return false;
    if (i + 2 > text->length)
      return false;
    int high = nibble(text->letters[i]), low = nibble(text->letters[i + 1]);
    if (high < 0 || low < 0)
      return false;
#if BUG == 1
    int byte = (signed char)(high << 4 | low);
    if (byte < 0)
      return false;
    bytes[(*count)++] = (uint8_t)byte;
#else
    bytes[(*count)++] = (uint8_t)(high << 4 | low);
#endif
  }
  return true;
}

int main(void) {
  uint8_t bytes[SIZE], back[SIZE];
  struct text text;
  size_t count = __VERIFIER_nondet_uchar(), loaded;
  if (count > SIZE)
    return 0;
  for (size_t i = 0; i < count; i++)
    bytes[i] = __VERIFIER_nondet_uchar();

  dump(&text, bytes, count);
  bool done = load(&text, back, &loaded);

  assert(done && loaded == count);
  for (size_t i = 0; i < count; i++)
    assert(back[i] == bytes[i]);
  return 0;
}
