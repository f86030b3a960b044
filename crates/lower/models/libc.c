/* Functions of the C library, as C compiled into programs that use them without defining them.
 *
 * They follow the C standard in the "C" locale and are written for clarity, as a verifier reads them. */

typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

void *malloc(size_t size);
int *__errno_location(void);

/* string.h */

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t max) {
  size_t n = 0;
  while (n < max && s[n])
    n++;
  return n;
}

char *strcpy(char *to, const char *from) {
  size_t i = 0;
  while ((to[i] = from[i]))
    i++;
  return to;
}

char *stpcpy(char *to, const char *from) {
  while ((*to = *from)) {
    to++;
    from++;
  }
  return to;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  char *end = to + strlen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++)
    end[i] = from[i];
  end[i] = 0;
  return to;
}

int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i])
    i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i])
      return (unsigned char)a[i] - (unsigned char)b[i];
    if (!a[i])
      return 0;
  }
  return 0;
}

int tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; }

int strcasecmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]))
    i++;
  return tolower((unsigned char)a[i]) - tolower((unsigned char)b[i]);
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = tolower((unsigned char)a[i]), y = tolower((unsigned char)b[i]);
    if (x != y || !x)
      return x - y;
  }
  return 0;
}

char *strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c)
      return (char *)s;
    if (!*s)
      return NULL;
  }
}

char *strchrnul(const char *s, int c) {
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  char *last = NULL;
  for (;; s++) {
    if (*s == (char)c)
      last = (char *)s;
    if (!*s)
      return last;
  }
}

size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && strchr(set, s[n]))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !strchr(set, s[n]))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *set) {
  s += strcspn(s, set);
  return *s ? (char *)s : NULL;
}

char *strstr(const char *s, const char *part) {
  for (;; s++) {
    size_t i = 0;
    while (part[i] && s[i] == part[i])
      i++;
    if (!part[i])
      return (char *)s;
    if (!*s)
      return NULL;
  }
}

char *strdup(const char *s) {
  size_t size = strlen(s) + 1;
  char *copy = malloc(size);
  if (copy)
    strcpy(copy, s);
  return copy;
}

char *strndup(const char *s, size_t n) {
  size_t size = strnlen(s, n);
  char *copy = malloc(size + 1);
  if (copy) {
    for (size_t i = 0; i < size; i++)
      copy[i] = s[i];
    copy[size] = 0;
  }
  return copy;
}

static char *strtok_rest;

char *strtok_r(char *s, const char *set, char **rest) {
  if (!s)
    s = *rest;
  if (!s)
    return NULL;
  s += strspn(s, set);
  if (!*s) {
    *rest = NULL;
    return NULL;
  }
  char *end = s + strcspn(s, set);
  if (*end) {
    *end = 0;
    *rest = end + 1;
  } else {
    *rest = NULL;
  }
  return s;
}

char *strtok(char *s, const char *set) { return strtok_r(s, set, &strtok_rest); }

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i])
      return x[i] - y[i];
  return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *p = s;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (unsigned char)c)
      return (void *)(p + i);
  return NULL;
}

/* ctype.h */

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return (c >= 0 && c < ' ') || c == 127; }
int isprint(int c) { return c >= ' ' && c < 127; }
int isgraph(int c) { return c > ' ' && c < 127; }
int ispunct(int c) { return isgraph(c) && !isalnum(c); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }

/* Behind the macros of ctype.h in glibc: tables from -128 to 255. */

enum {
  UPPER = 1 << 8, LOWER = 1 << 9, ALPHA = 1 << 10, DIGIT = 1 << 11, XDIGIT = 1 << 12, SPACE = 1 << 13,
  PRINT = 1 << 14, GRAPH = 1 << 15, BLANK = 1 << 0, CNTRL = 1 << 1, PUNCT = 1 << 2, ALNUM = 1 << 3,
  SEEN = PRINT | GRAPH, LETTER = SEEN | ALPHA | ALNUM
};
#define RANGE(from, to) [128 + from ... 128 + to]
static const unsigned short classes[384] = {
    RANGE(0, 8) = CNTRL, RANGE('\t', '\t') = CNTRL | SPACE | BLANK, RANGE('\n', '\r') = CNTRL | SPACE,
    RANGE(14, 31) = CNTRL, RANGE(' ', ' ') = SPACE | PRINT | BLANK, RANGE('!', '/') = SEEN | PUNCT,
    RANGE('0', '9') = SEEN | DIGIT | XDIGIT | ALNUM, RANGE(':', '@') = SEEN | PUNCT,
    RANGE('A', 'F') = LETTER | UPPER | XDIGIT, RANGE('G', 'Z') = LETTER | UPPER, RANGE('[', '`') = SEEN | PUNCT,
    RANGE('a', 'f') = LETTER | LOWER | XDIGIT, RANGE('g', 'z') = LETTER | LOWER, RANGE('{', '~') = SEEN | PUNCT,
    RANGE(127, 127) = CNTRL};
static const unsigned short *const classes_from_zero = classes + 128;
const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&classes_from_zero; }

/* stdlib.h */

static long digits(const char *s, const char **end, int base) {
  long value = 0;
  for (;; s++) {
    int c = *s, digit;
    if (isdigit(c))
      digit = c - '0';
    else if (isalpha(c))
      digit = tolower(c) - 'a' + 10;
    else
      break;
    if (digit >= base)
      break;
    value = (long)((unsigned long)value * base + digit);
  }
  *end = s;
  return value;
}

long strtol(const char *s, char **end, int base) {
  const char *p = s, *stop;
  int negative = 0;
  while (isspace(*p))
    p++;
  if (*p == '-' || *p == '+')
    negative = *p++ == '-';
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit(p[2])) {
    p += 2;
    base = 16;
  }
  if (base == 0)
    base = *p == '0' ? 8 : 10;
  long value = digits(p, &stop, base);
  if (end)
    *end = (char *)(stop == p ? s : stop);
  return negative ? (long)-(unsigned long)value : value;
}

unsigned long strtoul(const char *s, char **end, int base) { return (unsigned long)strtol(s, end, base); }
int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtol(s, NULL, 10); }

static void exchange(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char c = a[i];
    a[i] = b[i];
    b[i] = c;
  }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *p = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(p + (j - 1) * size, p + j * size) > 0; j--)
      exchange(p + (j - 1) * size, p + j * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *at = (const char *)base + middle * size;
    int order = compare(key, at);
    if (order == 0)
      return (void *)at;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

static int errno_value;
int *__errno_location(void) { return &errno_value; }

/* math.h: what the macros for classification call. */

int __finite(double x) { return x - x == 0; }
int __finitef(float x) { return x - x == 0; }
int __isnan(double x) { return x != x; }
int __isnanf(float x) { return x != x; }
int isnan(double x) { return x != x; }
int isnanf(float x) { return x != x; }
int __isinf(double x) { return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0; }
int __isinff(float x) { return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0; }
int isinf(double x) { return __isinf(x); }
int isinff(float x) { return __isinff(x); }
int finite(double x) { return __finite(x); }
int __signbit(double x) { return __builtin_signbit(x); }
int __signbitf(float x) { return __builtin_signbitf(x); }

enum { FP_NAN_, FP_INFINITE_, FP_ZERO_, FP_SUBNORMAL_, FP_NORMAL_ };
int __fpclassify(double x) {
  return __builtin_fpclassify(FP_NAN_, FP_INFINITE_, FP_NORMAL_, FP_SUBNORMAL_, FP_ZERO_, x);
}
int __fpclassifyf(float x) {
  return __builtin_fpclassify(FP_NAN_, FP_INFINITE_, FP_NORMAL_, FP_SUBNORMAL_, FP_ZERO_, x);
}

long lround(double x) { return (long)__builtin_round(x); }
long lroundf(float x) { return (long)__builtin_roundf(x); }
long lrint(double x) { return (long)__builtin_rint(x); }
long lrintf(float x) { return (long)__builtin_rintf(x); }

double modf(double x, double *whole) {
  double t = __builtin_trunc(x);
  *whole = t;
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - t, x);
}
