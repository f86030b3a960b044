// CAT: io
// TRUTH: safe
// ARGS:
// WHY: what the program has written is what it reads.
#include <assert.h>
#include <stdio.h>

int main(void) {
  FILE *file = fopen("made-here", "w");
  if (!file)
    return 0;
  if (fputc('h', file) != 'h' || fclose(file))
    return 0;
  file = fopen("made-here", "r");
  if (!file)
    return 0;
  int c = fgetc(file);
  assert(c == 'h' || c == EOF);
  fclose(file);
  return 0;
}
