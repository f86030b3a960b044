// CAT: 690
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 28
// WITNESS: 4
// WHY: The lookup gives a null pointer for an unknown key and the caller reads through it.
#include <stddef.h>
#include "v.h"

struct entry { int key; int value; };

static struct entry table[] = { { 1, 10 }, { 2, 20 }, { 5, 50 } };

static struct entry *lookup(int key)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].key == key)
            return &table[i];
    return NULL;
}

int main(void)
{
    int key = __VERIFIER_nondet_int();
    if (key < 1 || key > 5 || key == 3)
        return 0;
    struct entry *e = lookup(key);
    return e->value;
}
