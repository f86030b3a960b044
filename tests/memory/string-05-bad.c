// CAT: string
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 18
// WITNESS: 4
// WHY: strdup is given the tail of a list of words, whose last word is the null pointer.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include "v.h"

static const char *words[] = { "zero", "one", "two", "three", NULL };

struct entry { char *text; size_t length; };

static void fill(struct entry *e, const char *word)
{
    e->length = strlen(word);
    e->text = strdup(word);
}

int main(void)
{
    struct entry e = { NULL, 0 };
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    fill(&e, words[i]);
    int r = e.text != NULL && e.text[0] == 'o';
    free(e.text);
    return r;
}
