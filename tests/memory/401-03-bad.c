// CAT: 401
// TRUTH: unsafe
// PROPERTY: valid-memtrack
// LINE: 21
// WITNESS: 5 0
// WHY: The shell of a record is freed while the block that it owns is not.
#include <stdlib.h>
#include "v.h"

typedef struct {
  int *samples;
  unsigned n;
} series;

static series *series_new(unsigned n)
{
  series *s = malloc(sizeof *s);
  if (s == NULL)
    return NULL;
  s->n = n;
  s->samples = calloc(n + 1, sizeof(int));
  return s;
}

static void series_free(series *s)
{
  if (s != NULL && s->n < 5)
    free(s->samples);
  free(s);
}

int main(void)
{
  for (int round = 0; round < 2; round++) {
    unsigned n = __VERIFIER_nondet_uint() % 7;
    series *s = series_new(n);
    if (s && s->samples)
      s->samples[n] = 1;
    series_free(s);
  }
  return 0;
}
