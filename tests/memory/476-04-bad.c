// CAT: 476
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 36
// WITNESS: 0 1
// WHY: The lazily made cache is freed and cleared by one command and used by the next without being made again.
#include <stdlib.h>
#include "v.h"

static unsigned char *cache;

static unsigned char *get_cache(void)
{
    if (cache == NULL)
        cache = calloc(4, 1);
    return cache;
}

static void flush(void)
{
    free(cache);
    cache = NULL;
}

int main(void)
{
    if (!get_cache())
        return 1;
    for (int i = 0; i < 3; i++) {
        int command = __VERIFIER_nondet_int();
        switch (command) {
        case 0:
            flush();
            break;
        case 1:
            cache[i] = 1;
            break;
        default:
            break;
        }
    }
    flush();
    return 0;
}
