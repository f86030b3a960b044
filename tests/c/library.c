// Functions of the C library that the lowering has models of, against the library itself.

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static const char *const numbers[] = {
    "42",       " -17x", "0x1fz",  "077",   "99999999999999999999", "-99999999999999999999", "-9223372036854775808",
    "  zz",     "",      "-1",     "+0x",   "18446744073709551615", "18446744073709551616",  "zz",
};
enum { COUNT = sizeof numbers / sizeof *numbers };

static unsigned sum;
static void add(unsigned long long value) { sum = sum * 31 + (unsigned)(value ^ value >> 32); }

static void conversions(const char *text, int base) {
  char *end;
  errno = 0;
  add(strtol(text, &end, base));
  add(end - text);
  add(errno);
  errno = 0;
  add(strtoul(text, &end, base));
  add(end - text);
  add(errno);
  add(strtoll(text, NULL, base));
  add(strtoull(text, NULL, base));
}

static void bits(int x) {
  add(ffs(x));
  add(ffsl(x));
  add(ffsll((long long)x << 20));
  div_t small = div(x, 7);
  ldiv_t large = ldiv(x, -9);
  add(small.quot);
  add(small.rem);
  add(large.quot);
  add(large.rem);
}

static void floats(double x, double y) {
  double whole;
  float wholef;
  add((long)(modf(x, &whole) * 1024));
  add((long)whole);
  add((long)(modff((float)y, &wholef) * 1024));
  add((long)wholef);
  double rest = remainder(x, y);
  add(isnan(rest));
  if (!isnan(rest)) {
    add((long)(rest * 1024));
    add(signbit(rest) != 0);
  }
  float restf = remainderf((float)y, 3);
  add((long)(restf * 1024));
  add(lround(x) + lrint(y));
  add(isinf(x / 0.0) != 0);
  add(fpclassify(x));
  add(isfinite(y) != 0);
  add(isnan(nan("")) != 0);
}

static void strings(const char *a, const char *b) {
  char buffer[64];
  strcpy(buffer, a);
  strcat(buffer, b);
  add(strlen(buffer));
  add(strcmp(a, b) < 0);
  add(strncmp(a, b, 2) == 0);
  add(strspn(buffer, " +-0123456789"));
  add(strcspn(buffer, "xz"));
  const char *found = strstr(buffer, "99");
  add(found ? found - buffer : 1000);
  found = strrchr(buffer, '9');
  add(found ? found - buffer : 1000);
  add(memcmp(buffer, a, strlen(a)));
  for (const char *p = buffer; *p; p++)
    add((isdigit(*p) != 0) + 2 * (isalpha(*p) != 0) + 4 * (isspace(*p) != 0) + 8 * (ispunct(*p) != 0));
}

int main(void) {
  static const int bases[] = {0, 8, 10, 16, 36};
  for (int i = 0; i < 4; i++) {
    unsigned char choice = __VERIFIER_nondet_uchar();
    const char *text = numbers[choice % COUNT];
    conversions(text, bases[choice / COUNT % 5]);
    bits(__VERIFIER_nondet_int());
    floats((signed char)__VERIFIER_nondet_uchar() / 4.0, (signed char)__VERIFIER_nondet_uchar() / 2.0);
    strings(text, numbers[choice / 16 % COUNT]);
  }
  if (sum % 8 == 0)
    reach_error();
  return sum & 0x7f;
}
