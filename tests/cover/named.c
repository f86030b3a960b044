// A function of the program that has a name near that of Beeline's marks.
#include <assert.h>

static int seen;

void beeline_mark(int holds, int number) {
  if (holds)
    seen = number;
}

int main(void) {
  beeline_mark(1, 7);
  assert(seen == 0);
  return 0;
}
