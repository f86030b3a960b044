// CAT: io
// TRUTH: safe
// ARGS:
// WHY: flags, widths and precisions in what sprintf writes; a star takes an argument, and below zero it is another one.
#include "v.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char b[100];
  int n = sprintf(b, "a%d-%5s%%%-3c%.*s|%+05d|%X|%.3u|%ld|%-4d|%o", -42, "xy", 'q', 2, "hello", 7, 0xbeef, 5u,
                  -1234567890123L, 9, 8);
  assert(!strcmp(b, "a-42-   xy%q  he|+0007|BEEF|005|-1234567890123|9   |10"));
  assert(n == (int)strlen(b));
  sprintf(b, "%.3d|%.0d|%.0s|%5.2s|%-5sX|% d|%*d|%.*s", 7, 0, "abc", "xyz", "q", 3, -4, 5, -1, "all");
  assert(!strcmp(b, "007|||   xy|q    X| 3|5   |all"));
  sprintf(b, "%d %lld %llu %x", INT_MIN, LLONG_MIN, ULLONG_MAX, UINT_MAX);
  assert(!strcmp(b, "-2147483648 -9223372036854775808 18446744073709551615 ffffffff"));
  assert(snprintf(NULL, 0, "%s-%d", "abc", 12) == 6);
  assert(sprintf(b, "%c%s", 0, "x") == 2 && b[0] == 0 && b[1] == 'x' && b[2] == 0);
  return 0;
}
