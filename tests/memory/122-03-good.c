// CAT: 122
// TRUTH: safe
// PROPERTY: memory-safety
// WHY: A matrix of shorts is allocated with the size of a short for each cell.
#include <stdlib.h>
#include "v.h"

struct matrix { unsigned rows, cols; short *cells; };

static int setup(struct matrix *m, unsigned rows, unsigned cols)
{
	m->rows = rows;
	m->cols = cols;
	m->cells = malloc(rows * cols * sizeof *m->cells);
	return m->cells != NULL;
}

static void clear(struct matrix *m)
{
	for (unsigned r = 0; r < m->rows; r++)
		for (unsigned c = 0; c < m->cols; c++)
			m->cells[r * m->cols + c] = 0;
}

int main(void)
{
	struct matrix m;
	unsigned rows = __VERIFIER_nondet_uint();
	unsigned cols = __VERIFIER_nondet_uint();
	if (rows < 1 || rows > 3 || cols < 1 || cols > 3)
		return 0;
	if (!setup(&m, rows, cols))
		return 1;
	clear(&m);
	free(m.cells);
	return 0;
}
