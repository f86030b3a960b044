// Arrays of structures, copies, recursion with arrays in frames, pointers into the middle, varargs.
#include <stdarg.h>
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct point {
  short x;
  int y;
  char name[3];
};
static struct point points[4] = {{1, 2, "a"}, {3, 4, "bc"}};
static int calls;

static int fold(int *numbers, int count) {
  int local[3] = {count, numbers[0], 1};
  calls++;
  if (count <= 1)
    return local[1];
  local[count % 3] += fold(numbers + 1, count - 1);
  return local[0] + local[1] * 2 - local[2];
}

static int total(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++)
    sum += i % 2 ? (int)va_arg(list, double) : va_arg(list, int);
  va_end(list);
  return sum;
}

static struct point moved(struct point p, int by) {
  p.x += by;
  p.y -= by;
  return p;
}

int main(void) {
  int numbers[6];
  for (int i = 0; i < 6; i++)
    numbers[i] = __VERIFIER_nondet_int() & 0xff;
  int where = __VERIFIER_nondet_uchar() & 3;
  points[where] = moved(points[1], numbers[where]);
  struct point copy = points[where];
  struct point *middle = &points[1];
  middle[1].name[0] = 'z';
  memset(&points[3], 0, sizeof points[3]);
  memmove(numbers + 1, numbers, 4 * sizeof numbers[0]);
  int result = fold(numbers, 1 + (where | 2)) + copy.x + points[2].y + total(3, numbers[0], 2.5, calls);
  if (result % 17 == 3 && copy.name[1] == 'c')
    reach_error();
  return result & 127;
}
