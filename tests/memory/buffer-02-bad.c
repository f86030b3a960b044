// CAT: buffer
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 23
// WITNESS: 5
// WHY: The growing buffer asks realloc for as many bytes as it has elements.
#include <stdlib.h>
#include "v.h"

typedef struct { short *at; size_t used, room; } buffer;

static int add(buffer *b, short v)
{
  if (b->used == b->room) {
    size_t room = b->room ? 2 * b->room : 4;
    size_t bytes = b->room ? room : room * sizeof *b->at;
    short *at = realloc(b->at, bytes);
    if (!at)
      return 0;
    b->at = at;
    b->room = room;
  }
  b->at[b->used++] = v;
  return 1;
}

int main(void)
{
  buffer b = { NULL, 0, 0 };
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 7)
    return 0;
  for (unsigned i = 0; i < n; i++)
    if (!add(&b, (short)i))
      break;
  free(b.at);
  return 0;
}
