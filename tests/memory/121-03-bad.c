// CAT: 121
// TRUTH: unsafe
// PROPERTY: valid-deref
// LINE: 14
// WITNESS: 3 0
// WHY: A grid of 3 rows is addressed with a row number that may be 3.
#include "v.h"

enum { ROWS = 3, COLS = 4 };

static void mark(int grid[ROWS][COLS], unsigned row, unsigned col)
{
    int *line = grid[0];
    line[row * COLS + col] = 1;
}

static int total(int grid[ROWS][COLS])
{
    int sum = 0;
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++)
            sum += grid[r][c];
    return sum;
}

int main(void)
{
    int grid[ROWS][COLS] = {{0}};
    unsigned row = __VERIFIER_nondet_uint();
    unsigned col = __VERIFIER_nondet_uint();
    if (row >= COLS || col >= COLS)
        return 0;
    mark(grid, row, col);
    return total(grid) == 1;
}
