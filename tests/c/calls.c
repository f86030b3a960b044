// Calls through pointers, also of functions of the C library, and variable arguments of all kinds.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct large {
  int numbers[7];
};
struct small {
  int count;
  double weight;
};
struct triple {
  float a, b, c;
};
struct bytes {
  char a, b, c;
};

// Every kind of argument, as the letters say; all may come after others.
static long collect(const char *kinds, ...) {
  va_list list;
  long result = 7;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    long value = 0;
    switch (*kinds) {
    case 'i':
      value = va_arg(list, int);
      break;
    case 'd':
      value = (long)va_arg(list, double);
      break;
    case 'L':
      value = (long)va_arg(list, long double);
      break;
    case 'l': {
      struct large large = va_arg(list, struct large);
      value = large.numbers[0] + 3 * large.numbers[6];
      break;
    }
    case 's': {
      struct small small = va_arg(list, struct small);
      value = small.count + (long)small.weight;
      break;
    }
    case 't': {
      struct triple triple = va_arg(list, struct triple);
      value = (long)(triple.a + 2 * triple.b + 4 * triple.c);
      break;
    }
    case 'b': {
      struct bytes bytes = va_arg(list, struct bytes);
      value = bytes.a + 2 * bytes.b + 4 * bytes.c;
      break;
    }
    case 'p':
      value = ++*va_arg(list, int *);
      break;
    }
    result = (result * 31 + value) & 0xffffff;
  }
  va_end(list);
  return result;
}

static int sum(const char *name, ...) {
  va_list list;
  va_start(list, name);
  int result = va_arg(list, int) + (int)va_arg(list, double);
  va_end(list);
  return result;
}
static int change(const char *name, ...) {
  va_list list;
  va_start(list, name);
  int result = va_arg(list, int) - (int)va_arg(list, double);
  *va_arg(list, int *) += result;
  va_end(list);
  return result;
}
static int (*variadic[2])(const char *, ...) = {sum, change};

static int successor(int number) { return number + 1; }
static int (*unary[2])(int) = {abs, successor};

static int twice(int number) { return 2 * number; }
static int identity(int number) { return number; }
static int (*chosen)(int) = identity;

// An allocator that may be the library's.
static char pool[256];
static size_t used;
static void *from_pool(size_t size) {
  void *start = pool + used;
  used += (size + 15) & ~(size_t)15;
  return start;
}
static void from_pool_no_more(void *start) { (void)start; }
struct allocator {
  void *(*take)(size_t);
  void (*give)(void *);
};
static const struct allocator allocators[2] = {{malloc, free}, {from_pool, from_pool_no_more}};
static void (*failing[2])(void) = {0, reach_error};

int main(void) {
  int first = __VERIFIER_nondet_uchar(), second = __VERIFIER_nondet_uchar(), changed = 5;
  struct large large = {{first, 2, 3, 4, 5, 6, second}};
  struct small small = {first, 2.5};
  struct triple triple = {1, (float)second, 3};
  struct bytes bytes = {1, 2, (char)(first & 63)};
  long result = collect("ildLsbtpi", 1, large, 3.75, (long double)first, small, bytes, triple, &changed, 12);
  result += collect("bbbittllsL", bytes, bytes, bytes, 4, triple, triple, large, large, small, (long double)2);
  for (int i = 0; i < 2; i++) {
    result += unary[(first + i) & 1](-second);
    result += variadic[(second + i) & 1]("x", first, 2.5, &changed);
    const struct allocator *allocator = &allocators[(first >> 1) + i & 1];
    int *numbers = allocator->take(3 * sizeof *numbers);
    for (int j = 0; j < 3; j++)
      numbers[j] = second + j;
    result += numbers[2] * 5;
    allocator->give(numbers);
  }
  if (first & 4)
    chosen = twice;
  result += chosen(second);
  if (first % 16 == 3)
    failing[1]();
  return (int)((result + changed) % 199);
}
