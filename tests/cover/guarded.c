// Statements of all kinds, for conditions before them.
extern unsigned char __VERIFIER_nondet_uchar(void);
#include "guarded.h"
#define BUMP sum++;
#define SET(value) sum = (value)
#define TWICE last++; b++;
#define IN_LOOP(body) do { body; } while (0)
static int sum;
extern volatile int watched;

static int alone(int a, int b) {
  if (a > 3)
    sum = a;
  else if (b > 250)
    BUMP
  else
    SET(2 + (b & 1));
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      sum += i * j;
  while (a < 2)
    a++;
  do
    if (b) sum++; else sum--;
  while (sum < 0);
  if (a)
    if (b)
      sum = 1;
    else
      sum =
        2;sum += 2;
  return a;
}

static int labelled(int kind, int b) {
  int got = 0;
  switch (kind) {
  case 0: got = 1;
  case 1:
  case 2:
    got += 2;
    break;
  default:
    if (b == 7) goto out;
    got = 9;
  }
  int last = got + 1;
  for (int round = 0; round < 2; round++) {
    struct pair { int one, two; } pair = {round, got};
    last += pair.one + ({ int inner = pair.two; inner - got; });
    IN_LOOP(last++);
  }
out:
  last = sum;
  if (b > 200)
    TWICE
  return last;
}

int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar() & 7, b = __VERIFIER_nondet_uchar();
  int first = alone(a, b);
  int second = labelled(a & 3, b);
  int third = twice(first);
  return second + third;
}
