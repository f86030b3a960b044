// CAT: 761
// TRUTH: unsafe
// PROPERTY: valid-free
// LINE: 34
// WITNESS: 2
// WHY: One block holds all rows of a table, and the table of rows is freed row by row.
#include <stdlib.h>
#include "v.h"

#define ROWS 3

static int *rows[ROWS];

static int *allocate(int cols)
{
    int *block = calloc((size_t)(ROWS * cols), sizeof *block);
    if (block)
        for (int r = 0; r < ROWS; r++)
            rows[r] = block + r * cols;
    return block;
}

int main(void)
{
    int cols = __VERIFIER_nondet_int();
    if (cols < 1 || cols > 4)
        return 0;
    if (!allocate(cols))
        return 1;
    rows[2][cols - 1] = cols;
    int r = rows[2][cols - 1];
    for (int i = ROWS - 1; i >= 0; i--)
        if (i == 0 || cols == 2)
            free(rows[i]);
    rows[0] = rows[1] = rows[2] = NULL;
    return r;
}
