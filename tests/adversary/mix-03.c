// CAT: mix
// TRUTH: unsafe
// ARGS:
// WHY: the builder grows when the text does not fit, but forgets the terminator when it fits exactly.
#include "v.h"
#include <stdlib.h>
#include <string.h>

struct builder {
  char *text;
  size_t length;
  size_t capacity;
};

static int reserve(struct builder *b, size_t extra) {
  if (b->length + extra <= b->capacity)
    return 1;
  size_t capacity = b->capacity;
  while (capacity < b->length + extra)
    capacity *= 2;
  char *text = realloc(b->text, capacity);
  if (text == NULL)
    return 0;
  b->text = text;
  b->capacity = capacity;
  return 1;
}

static int append(struct builder *b, const char *s, size_t n) {
  if (!reserve(b, n))
    return 0;
  memcpy(b->text + b->length, s, n);
  b->length += n;
  assert(b->length < b->capacity);
  b->text[b->length] = '\0';
  return 1;
}

int main(void) {
  struct builder b = {malloc(4), 0, 4};
  if (b.text == NULL)
    return 0;
  for (int i = 0; i < 3; i++) {
    size_t n = __VERIFIER_nondet_uchar() % 6;
    if (!append(&b, "abcdef", n))
      break;
  }
  free(b.text);
  return 0;
}
