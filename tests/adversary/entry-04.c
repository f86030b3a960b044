// CAT: entry
// TRUTH: unsafe
// ARGS: --property memory-safety --function at --requires n>=0&&n<64&&fresh(p,n)
// WHY: one element less is required than the index needs.
#include <stdlib.h>

int at(int *p, int n) { return p[n]; }
