// Program: characters that are encoded as UTF-8 are decoded to the same characters, and take as many bytes as their
// numbers ask for.
// BUG 1: the encoder takes 0x800 for a character of two bytes.
// BUG 2: the decoder cuts the first byte of four to two bits.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static size_t encode(uint32_t character, uint8_t *out) {
  if (character < 0x80) {
    out[0] = (uint8_t)character;
    return 1;
  }
#if BUG == 1
  if (character <= 0x800) {
#else
  if (character < 0x800) {
#endif
    out[0] = (uint8_t)(0xC0 | character >> 6);
    out[1] = (uint8_t)(0x80 | (character & 0x3F));
    return 2;
  }
  if (character < 0x10000) {
    out[0] = (uint8_t)(0xE0 | character >> 12);
    out[1] = (uint8_t)(0x80 | (character >> 6 & 0x3F));
    out[2] = (uint8_t)(0x80 | (character & 0x3F));
    return 3;
  }
  out[0] = (uint8_t)(0xF0 | character >> 18);
  out[1] = (uint8_t)(0x80 | (character >> 12 & 0x3F));
  out[2] = (uint8_t)(0x80 | (character >> 6 & 0x3F));
  out[3] = (uint8_t)(0x80 | (character & 0x3F));
  return 4;
}

static size_t decode(const uint8_t *text, uint32_t *character) {
  uint8_t first = text[0];
  size_t length = 1;
  if (first < 0x80) {
    *character = first;
  } else if (first < 0xE0) {
    *character = first & 0x1F;
    length = 2;
  } else if (first < 0xF0) {
    *character = first & 0x0F;
    length = 3;
  } else {
#if BUG == 2
    *character = first & 0x03;
#else
    *character = first & 0x07;
#endif
    length = 4;
  }
  for (size_t i = 1; i < length; i++)
    *character = *character << 6 | (text[i] & 0x3F);
  return length;
}

int main(void) {
  uint32_t characters[SIZE], back;
  uint8_t text[4 * SIZE];
  size_t written = 0, read = 0, wanted = 0;
  for (size_t i = 0; i < SIZE; i++) {
    uint32_t character = __VERIFIER_nondet_uint();
    __VERIFIER_assume(character <= 0x10FFFF && (character < 0xD800 || character > 0xDFFF));
    characters[i] = character;
    written += encode(character, text + written);
    wanted += 1 + (character > 0x7F) + (character > 0x7FF) + (character > 0xFFFF);
  }
  assert(written == wanted);
  for (size_t i = 0; i < SIZE; i++) {
    read += decode(text + read, &back);
    assert(back == characters[i]);
  }
  assert(read == written);
  return 0;
}
