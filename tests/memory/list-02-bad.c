// CAT: list
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 26
// WITNESS: 3
// WHY: The loop that frees the nodes takes the next pointer from the node just freed.
#include <stdlib.h>
#include "v.h"

typedef struct item { struct item *next; char tag; } item;

static item *first;

static void append(char tag)
{
  item **at = &first;
  while (*at)
    at = &(*at)->next;
  *at = calloc(1, sizeof(item));
  if (*at)
    (*at)->tag = tag;
}

static void clear(void)
{
  for (item *i = first; i; i = i->next)
    free(i);
  first = NULL;
}

int main(void)
{
  unsigned char n = __VERIFIER_nondet_uchar();
  if (n > 4)
    return 0;
  while (n-- > 0)
    append((char)n);
  clear();
  return first != NULL;
}
