// Copies and fills of sizes that are not known, which begin or end in the middle of a cell, overlap, or
// meet structures with several views of the same bytes.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct views {
  union {
    int whole;
    short halves[2];
  } number;
  int other;
};

static int words[6], more[6];
static long long wide[4];
static double reals[3], copies[3];
static struct views views[3], others[3];

// Kept apart, so that the arrays are seen as words only.
static unsigned sum(const int *numbers, int count) {
  unsigned total = 0;
  for (int i = 0; i < count; i++)
    total = total * 7 + (unsigned)numbers[i];
  return total;
}

int main(void) {
  unsigned size = __VERIFIER_nondet_uchar() % 17;
  unsigned from = __VERIFIER_nondet_uchar() % 3;
  unsigned to = __VERIFIER_nondet_uchar() % 3;
  for (int i = 0; i < 6; i++) {
    words[i] = __VERIFIER_nondet_int();
    more[i] = ~words[i];
  }
  memcpy(more, words, size);
  unsigned result = sum(more, 6);
  memmove(words + to, words + from, size > 12 ? 12 : size);
  result += sum(words, 6);
  memset((char *)&words[1] + 2, 0x5a, size > 14 ? 14 : size);
  result += sum(words, 6);
  memcpy((char *)&more[1] + 2, (char *)&words[1] + 2, size > 14 ? 14 : size);
  result += sum(more, 6);
  memmove((char *)&more[2] + 2, (char *)&more[1] + 2, size > 10 ? 10 : size);
  result += sum(more, 6);
  for (int i = 0; i < 4; i++)
    wide[i] = (long long)words[i] * more[i];
  memset(wide, (int)to, size);
  result += (unsigned)(wide[0] ^ wide[1] >> 32) + (unsigned)wide[2];
  for (int i = 0; i < 3; i++) {
    reals[i] = (double)words[i] / 16;
    copies[i] = -1.5;
    views[i].number.whole = words[i];
    views[i].other = i + 5;
  }
  memcpy(copies, reals, size);
  for (int i = 0; i < 3; i++)
    result = result * 3 + (copies[i] > 1000.0 ? 2u : copies[i] < 0 ? 1u : 0u);
  memcpy(others, views, size);
  for (int i = 0; i < 3; i++)
    result = result * 5 + (unsigned)others[i].number.halves[0] + (unsigned)others[i].number.halves[1] * 3 +
             (unsigned)others[i].other;
  if (result % 13 == 4)
    reach_error();
  return (int)(result & 127);
}
