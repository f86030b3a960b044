// CAT: 590
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: Only a block that came from the heap is freed.
#include <stdlib.h>
#include "v.h"

static void release(char *p, int from_heap)
{
    if (!from_heap)
        return;
    free(p);
}

int main(void)
{
    char small[16] = { 0 };
    char *text = small;
    int from_heap = 0;
    unsigned char need = __VERIFIER_nondet_uchar();
    if (need > sizeof small) {
        text = malloc(need);
        if (text == NULL)
            return 1;
        from_heap = 1;
    }
    text[0] = 'x';
    int r = text[0];
    release(text, from_heap);
    return r;
}
