// CAT: bool
// TRUTH: safe
// ARGS:
// WHY: zero from memset is a _Bool
#include "v.h"
#include <stdlib.h>
#include <string.h>
struct node { _Bool seen; struct node *next; };
int main(void) {
  struct node *l = 0; int n = 0;
  for (int i = 0; i < 2; i++) { struct node *x = malloc(sizeof *x); if (!x) return 0; memset(x, 0, sizeof *x); x->next = l; l = x; }
  for (struct node *x = l; x; x = x->next) { if (x->seen) reach_error(); x->seen = 1; }
  for (struct node *x = l; x; x = x->next) n += x->seen;
  if (n != 2) reach_error();
  return 0;
}
