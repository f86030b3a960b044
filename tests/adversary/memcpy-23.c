// CAT: memcpy
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: memory is filled up to its end, where a larger member that some path writes does not fit.
#include "v.h"
#include <string.h>

struct __attribute__((packed)) head {
  char kind;
  long length;
};
int main(void) {
  char bytes[8];
  memset(bytes, 1, sizeof bytes);
  struct head *head = (struct head *)bytes;
  if (__VERIFIER_nondet_uint() % 5 == 3)
    head->length = 2;
  return bytes[0];
}
