// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: the CRC by nibble table and the CRC bit by bit are the same, and any single flipped bit changes it.
#include "v.h"

#define LENGTH 3

static unsigned char table[16];

static unsigned char step(unsigned char crc) {
  return crc & 0x80 ? (unsigned char)(crc << 1 ^ 0x07) : (unsigned char)(crc << 1);
}

static unsigned char crc_bits(const unsigned char *data, int n) {
  unsigned char crc = 0;
  for (int i = 0; i < n; i++) {
    crc ^= data[i];
    for (int k = 0; k < 8; k++)
      crc = step(crc);
  }
  return crc;
}

static unsigned char crc_nibbles(const unsigned char *data, int n) {
  unsigned char crc = 0;
  for (int i = 0; i < n; i++) {
    crc = (unsigned char)(crc << 4) ^ table[crc >> 4 ^ data[i] >> 4];
    crc = (unsigned char)(crc << 4) ^ table[(crc >> 4 ^ data[i]) & 15];
  }
  return crc;
}

int main(void) {
  for (int i = 0; i < 16; i++) {
    unsigned char crc = (unsigned char)(i << 4);
    for (int k = 0; k < 4; k++)
      crc = step(crc);
    table[i] = crc;
  }
  unsigned char data[LENGTH];
  for (int i = 0; i < LENGTH; i++)
    data[i] = __VERIFIER_nondet_uchar();
  unsigned char before = crc_bits(data, LENGTH);
  assert(crc_nibbles(data, LENGTH) == before);
  unsigned bit = __VERIFIER_nondet_uchar() % (8 * LENGTH);
  data[bit / 8] ^= 1u << bit % 8;
  assert(crc_bits(data, LENGTH) != before);
  return 0;
}
