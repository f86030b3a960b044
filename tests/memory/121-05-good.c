// CAT: 121
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The room left is looked at before each word is appended.
#include <string.h>
#include "v.h"

static const char *const words[] = { "a", "of", "four" };

static unsigned append(char *line, unsigned used, const char *word)
{
    unsigned n = (unsigned)strlen(word);
    if (used + n + 1 > 12)
        return used;
    memcpy(line + used, word, n);
    line[used + n] = '\0';
    return used + n;
}

int main(void)
{
    char line[12] = "";
    unsigned used = 0;
    int round;

    for (round = 0; round < 3; ++round) {
        unsigned w = __VERIFIER_nondet_uint();
        __VERIFIER_assume(w < 3);
        used = append(line, used, words[w]);
    }
    return line[0] == 'a';
}
