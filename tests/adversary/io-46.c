// CAT: io
// TRUTH: safe
// ARGS:
// WHY: a file that the program has removed is not there; as the command has arguments, files are given to it.
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 0;
  FILE *file = fopen(argv[1], "w");
  if (!file)
    return 0;
  fclose(file);
  remove(argv[1]);
  assert(!fopen(argv[1], "r"));
  return 0;
}
