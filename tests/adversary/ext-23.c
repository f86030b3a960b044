// CAT: ext
// TRUTH: unsafe
// NATIVE: skip
// WHY: a table of another file leads to texts that this file does not know.
#include "v.h"

extern const struct {
  const char *name;
  int id;
} commands[2];

static int is_equal(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

int main(void) {
  char own[] = "ls";
  if (!is_equal(own, "ls"))
    return 1;
  for (int i = 0; i < 2; i++)
    if (is_equal(commands[i].name, "rm"))
      reach_error();
  return 0;
}
