// Linked lists on the heap, a table of function pointers, strings.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct node {
  int value;
  struct node *next;
};
typedef int (*step)(int);
static int twice(int x) { return 2 * (x & 0xffff); }
static int less(int x) { return (x & 0xffff) - 1; }
static step table[2] = {twice, less};

static int sum(const struct node *list) {
  int total = 0;
  for (; list; list = list->next)
    total += list->value;
  return total;
}

int main(void) {
  struct node *list = NULL;
  int count = __VERIFIER_nondet_uchar() & 7;
  for (int i = 0; i < count; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = table[i & 1](__VERIFIER_nondet_int());
    node->next = list;
    list = node;
  }
  char text[16], copy[16];
  strcpy(text, "beeline");
  text[count] = 0;
  memcpy(copy, text, sizeof copy);
  if (sum(list) == 7 || strlen(copy) == 6)
    reach_error();
  return (sum(list) + (int)strlen(copy)) & 127;
}
