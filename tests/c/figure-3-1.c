// The program of Figure 3.1 of "TOUR"; each line of the figure is a line here.
#include <stdlib.h>

static void f(int i) {
  int a = i;
}

void order(int *x, int k) {
  if (x[1] > x[2]) {
    f(x[1]);
    if (k == 0)
      x[2] = x[1];
    else
      x[1] = x[2];
  } else {
    f(x[2]);
  }
  if (x[1] > x[2])
    abort();
}
