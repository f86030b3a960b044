// CAT: argv
// TRUTH: ub
// ARGS: --property memory-safety
// WHY: the list of the arguments ends with its null pointer.
#include "v.h"

int main(int count, char **arguments) { return arguments[count + 3] == 0; }
