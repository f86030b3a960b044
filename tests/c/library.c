// Functions of the C library that the lowering has models of, against the library itself.

#define _GNU_SOURCE
#define _FORTIFY_SOURCE 2
#include <arpa/inet.h>
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
  add(htons((unsigned short)x));
  add(ntohs((unsigned short)(x >> 3)));
  add(htonl((unsigned)x));
  add(ntohl((unsigned)x * 7));
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
  int exponent;
  add((long)(frexp(x * 0x1p-1030, &exponent) * 1024));
  add(exponent);
  add((long)(frexpf((float)y, &exponent) * 1024));
  add(exponent);
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

static void distance(const void *from, const void *to) { add(to ? (const char *)to - (const char *)from : 1000); }

// Texts are divided in place; what is left of them is known as well.
static void division(const char *text) {
  char buffer[32], *rest;
  strcpy(buffer, text);
  for (char *part = strtok_r(buffer, " -", &rest); part; part = strtok_r(NULL, "9 ", &rest)) {
    distance(buffer, part);
    distance(buffer, rest);
    add(strlen(part));
  }
  distance(buffer, rest);
  strcpy(buffer, text);
  rest = buffer;
  for (char *part; (part = strsep(&rest, "19 "));)
    distance(buffer, part);
}

static void memory(const char *text, unsigned char c) {
  char buffer[40] = "0123456789";
  size_t n = strlen(text);
  distance(buffer, mempcpy(buffer + 10, text, n));
  distance(buffer, memccpy(buffer + 20, text, '9', n));
  distance(buffer, stpncpy(buffer + 5, text, 7));
  distance(text, memrchr(text, '9', n));
  distance(text, rawmemchr(text, 0));
  distance(text, memmem(text, n, "99", 2));
  distance(text, memmem(text, n, "", 0));
  distance(text, strcasestr(text, "F"));
  distance(text, index(text, '9'));
  distance(text, rindex(text, 0));
  bcopy(buffer, buffer + 3, 9);
  bzero(buffer + 4, c % 4);
  memset(buffer + 8, 'a', c % 8);
  memmove(buffer + 2, buffer + 1, c % 16);
  strncat(buffer, "xyz", c % 5);
  for (int i = 0; i < 36; i++)
    add(buffer[i]);
  add(tolower(c));
  add(toupper(c));
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
    division(text);
    memory(text, choice);
  }
  if (sum % 8 == 0)
    reach_error();
  return sum & 0x7f;
}
