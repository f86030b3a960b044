// CAT: entry
// TRUTH: unsafe
// ARGS: --property memory-safety --function fourth
// WHY: a pointer to an array points to one array.

int fourth(int (*rows)[3]) { return rows ? rows[1][0] : 0; }
