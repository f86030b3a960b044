// CAT: float
// TRUTH: unsafe
// ARGS:
// WHY: an intrinsic without a model writes to where its argument leads.
#include "v.h"
#include <emmintrin.h>

int main(void) {
  char bytes[16] = {0};
  __m128i ones = _mm_set1_epi8(1);
  _mm_maskmoveu_si128(ones, _mm_set1_epi8(-1), bytes);
  assert(bytes[3] == 0);
  return 0;
}
