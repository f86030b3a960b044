// CAT: io
// TRUTH: safe
// ARGS:
// WHY: a file that the program has removed is not there; nobody but a harness supplies it.
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *file = fopen("made-here", "w");
  if (!file)
    return 0;
  fclose(file);
  remove("made-here");
  assert(!fopen("made-here", "r"));
  return 0;
}
