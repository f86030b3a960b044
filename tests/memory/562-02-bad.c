// CAT: 562
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 25
// WITNESS: 1
// WHY: A configuration keeps a pointer to a local of the function that set it up.
#include "v.h"

struct config {
    int *limit;
    int own;
};

static struct config config;
static int standard = 10;

static void configure(_Bool strict)
{
    int strict_limit = 3;
    config.limit = strict ? &strict_limit : &standard;
}

static int allowed(int n)
{
    return n <= *config.limit;
}

int main(void)
{
    configure(__VERIFIER_nondet_bool());
    return allowed(5);
}
