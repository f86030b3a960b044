// CAT: entry
// TRUTH: unsafe
// ARGS: --property memory-safety --function second
// WHY: the second node of the list may be missing.
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

int second(const struct node *list) { return list ? list->next->value : 0; }
