// CAT: mix
// TRUTH: safe
// ARGS:
// WHY: the day of the year becomes a month and a day by formulas with magic numbers, and the table leads back.
#include "v.h"

static int is_leap(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int day_of_year(int year, int month, int day) {
  static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  return before[month - 1] + day - 1 + (month > 2 && is_leap(year));
}

static void from_day_of_year(int year, int yday, int *month, int *day) {
  int january_and_february = 59 + is_leap(year);
  if (yday < january_and_february) {
    *month = 1 + yday / 31;
    *day = 1 + yday % 31;
    return;
  }
  int shifted = yday - january_and_february;
  int m = (5 * shifted + 2) / 153;
  *day = shifted - (153 * m + 2) / 5 + 1;
  *month = m + 3;
}

int main(void) {
  int year = 1890 + __VERIFIER_nondet_uchar();
  int yday = __VERIFIER_nondet_ushort() % (365 + is_leap(year));
  int month = 0;
  int day = 0;
  from_day_of_year(year, yday, &month, &day);
  assert(month >= 1 && month <= 12);
  assert(day >= 1 && day <= 31);
  if (month == 2)
    assert(day <= 28 + is_leap(year));
  assert(day_of_year(year, month, day) == yday);
  return 0;
}
