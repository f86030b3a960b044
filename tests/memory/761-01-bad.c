// CAT: 761
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 24
// WITNESS: 2
// WHY: Leading blanks are skipped with the only pointer to the block, which is then freed.
#include <stdlib.h>
#include "v.h"

int main(void)
{
    char *text = malloc(6);
    char *p;
    unsigned i, blanks = __VERIFIER_nondet_uint();
    if (text == NULL)
        return 1;
    for (i = 0; i < 5; i++)
        text[i] = i < blanks ? ' ' : 'z';
    text[5] = '\0';
    p = text;
    while (*p == ' ')
        p++;
    int first = *p;
    free(p);
    return first;
}
