// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: the bits of a NaN that is copied as memory are kept
#include "v.h"
#include <string.h>

struct pair {
  int word;
  float number;
} pair;
union image {
  unsigned char bytes[16];
  unsigned long words[2];
} image;

int main(void) {
  memset(&pair, 0xff, sizeof pair);
  memcpy(&image, &pair, sizeof pair);
  unsigned long sum = 0;
  for (int i = 0; i < 2; i++)
    sum += image.words[i];
  if (image.words[0] == ~0ul && sum)
    reach_error();
  return 0;
}
