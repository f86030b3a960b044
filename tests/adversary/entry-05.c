// CAT: entry
// TRUTH: safe
// ARGS: --property memory-safety --function cons
// WHY: what is allocated is returned, which loses nothing.
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
};

struct node *cons(struct node *tail, int value) {
  struct node *node = malloc(sizeof *node);
  if (node) {
    node->next = tail;
    node->value = value;
  }
  return node;
}
