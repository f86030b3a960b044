// CAT: io
// TRUTH: safe
// ARGS:
// WHY: a line of getline is never empty, is terminated, and has its only newline at the end; strlen can be less than n.
#define _GNU_SOURCE
#include "v.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

int main(void) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t n = getline(&line, &capacity, stdin);
  if (n >= 0) {
    assert(n > 0);
    assert((size_t)n < capacity);
    assert(line[n] == '\0');
    assert(strlen(line) <= (size_t)n);
    char *newline = memchr(line, '\n', n);
    assert(newline == NULL || newline == line + n - 1);
  }
  free(line);
  return 0;
}
