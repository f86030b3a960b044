// CAT: 562
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: The value is kept in the configuration itself.
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
    config.own = strict_limit;
    config.limit = strict ? &config.own : &standard;
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
