// CAT: mix
// TRUTH: unsafe
// ARGS:
// WITNESS: 99
// WHY: one function knows the rule of the 400 years, the other only that of the 100: they part in the year 2000.
#include "v.h"

static int is_leap(int year) { return year % 4 == 0 && year % 100 != 0; }

static long days_before(int year) {
  long y = year - 1;
  return y * 365 + y / 4 - y / 100 + y / 400;
}

static int days_in_month(int year, int month) {
  if (month == 2)
    return is_leap(year) ? 29 : 28;
  if (month == 4 || month == 6 || month == 9 || month == 11)
    return 30;
  return 31;
}

int main(void) {
  int year = 1901 + __VERIFIER_nondet_uchar() % 200;
  int total = 0;
  for (int month = 1; month <= 12; month++)
    total += days_in_month(year, month);
  assert(total >= 365 && total <= 366);
  assert(days_before(year + 1) - days_before(year) == total);
  return 0;
}
