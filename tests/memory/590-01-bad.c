// CAT: 590
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 13
// WITNESS: 40
// WHY: A long value needs a heap block, but the release frees the small buffer on the stack as well.
#include <stdlib.h>
#include "v.h"

static void release(char *p, int from_heap)
{
    (void)from_heap;
    free(p);
}

int main(void)
{
    char small[16] = { 0 };
    char *text = small;
    int from_heap = 0;
    unsigned char need = __VERIFIER_nondet_uchar();
    if (need > 40) {
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
