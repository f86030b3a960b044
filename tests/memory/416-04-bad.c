// CAT: 416
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 34
// WITNESS: 1
// WHY: The reference count goes to zero one release too early and the holder writes into the freed object.
#include <stdlib.h>
#include "v.h"

typedef struct object { int refs; int data[2]; } object;

static object *retain(object *o) { o->refs++; return o; }

static void release(object *o)
{
  if (--o->refs == 0)
    free(o);
}

int main(void)
{
  object *o = malloc(sizeof *o);
  if (!o)
    return 1;
  o->refs = 1;
  o->data[0] = o->data[1] = 0;
  object *view = NULL;
  if (__VERIFIER_nondet_bool())
    view = o;
  else
    release(retain(o));
  release(o);
  if (view) {
    view->data[1] = 4;
    release(view);
  }
  return 0;
}
