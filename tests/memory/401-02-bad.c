// CAT: 401
// TRUTH: unsafe
// PROPERTY: valid-memtrack
// LINE: 15
// WITNESS: 2
// WHY: Setting a label a second time drops the block with the first one.
#include <stdlib.h>
#include <string.h>
#include "v.h"

struct widget { char *label; int width; };

static void set_label(struct widget *w, const char *text)
{
    char *block = malloc(strlen(text) + 1);
    if (!block)
        return;
    strcpy(block, text);
    w->label = block;
    w->width = (int)strlen(text);
}

int main(void)
{
    struct widget w = { NULL, 0 };
    int times = __VERIFIER_nondet_int();
    if (times < 0 || times > 2)
        return 0;
    for (int i = 0; i < times; i++)
        set_label(&w, i ? "second" : "first");
    int r = w.width;
    free(w.label);
    return r;
}
