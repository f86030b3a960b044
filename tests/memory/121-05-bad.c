// CAT: 121
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 16
// WITNESS: 2 2 2
// WHY: Three long words need 13 bytes in a line of 12, and the room left is not looked at.
#include <string.h>
#include "v.h"

static const char *const words[] = { "a", "of", "four" };

static unsigned append(char *line, unsigned used, const char *word)
{
    unsigned n = (unsigned)strlen(word);
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
