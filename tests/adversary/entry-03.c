// CAT: entry
// TRUTH: safe
// ARGS: --property memory-safety --function at --requires n>=0&&n<64&&fresh(p,n+1)
// WHY: so many elements are required as the index needs.
#include <stdlib.h>

int at(int *p, int n) { return p[n]; }
