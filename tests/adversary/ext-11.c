// CAT: ext
// TRUTH: unsafe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: the call has no arguments, but a visible global leads over two pointers to a static variable.
#include "v.h"
#include <stddef.h>

struct node {
  struct node *next;
  int value;
};

void refresh(void);

static struct node last = {NULL, 5};
static struct node first = {&last, 4};
struct node *list = &first;

int main(void) {
  refresh();
  if (last.value != 5)
    reach_error();
  return 0;
}
/* EXTERNAL code with which it fails:
struct node { struct node *next; int value; };
extern struct node *list;
void refresh(void) { list->next->value = 6; }
*/
