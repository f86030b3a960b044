// CAT: entry
// TRUTH: unsafe
// ARGS: --property memory-safety --function at
// WHY: a pointer leads to one element, and the index is any.
#include <stdlib.h>

int at(int *p, int n) { return p[n]; }
