// CAT: entry
// TRUTH: safe
// ARGS: --property memory-safety --function first
// WHY: the null pointer is looked for, and one element is there.
#include <stdlib.h>

int first(const int *p) { return p ? *p : 0; }
