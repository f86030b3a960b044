// CAT: io
// TRUTH: safe
// ARGS:
// WHY: what sscanf counts, where it stops, and that -1 is for a text that ends before anything was read.
#include "v.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int a = 5, b = 2, c = 3;
  char word[8], letter;
  assert(sscanf("  -7abc def", "%d%s %c", &a, word, &letter) == 3);
  assert(a == -7 && !strcmp(word, "abc") && letter == 'd');
  assert(sscanf("1,2", "%d,%d,%d", &a, &b, &c) == 2 && a == 1 && b == 2 && c == 3);
  assert(sscanf("12345", "%2d%*1d%d", &a, &b) == 2 && a == 12 && b == 45);
  assert(sscanf("50 %", "%d%%", &a) == 1 && a == 50);
  assert(sscanf("", "%d", &a) == -1 && sscanf(" ", "%d", &a) == -1 && sscanf("-", "%d", &a) == 0);
  assert(sscanf("x", "y") == 0 && sscanf("5", "%*d %d", &a) == -1 && a == 50);
  unsigned char bytes[2];
  assert(sscanf("0Xff7f", "%4hhx%2hhx", &bytes[0], &bytes[1]) == 2 && bytes[0] == 255 && bytes[1] == 127);
  long least;
  unsigned long most;
  assert(sscanf("-9223372036854775808-1", "%ld%lu", &least, &most) == 2 && least == LONG_MIN && most == ULONG_MAX);
  return 0;
}
