// CAT: heap
// TRUTH: unsafe
// ARGS: --property valid-memtrack
// WHY: the head is moved on, so nothing leads to the first node where main returns, which it does from two places
#include "v.h"
#include <stdlib.h>

struct node {
  struct node *next;
};

static struct node *head;

int main(void) {
  head = calloc(1, sizeof *head);
  if (!head)
    return 0;
  head->next = calloc(1, sizeof *head);
  if (head->next)
    head = head->next;
  return 0;
}
