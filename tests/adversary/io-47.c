// CAT: io
// TRUTH: unsafe
// ARGS:
// WHY: a file that is not removed can be read again.
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 0;
  FILE *file = fopen(argv[1], "r");
  if (!file)
    return 0;
  fclose(file);
  assert(!fopen(argv[1], "r"));
  return 0;
}
