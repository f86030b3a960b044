/* Functions of the C library, as C compiled into programs that use them without defining them.
 *
 * They follow the C standard in the "C" locale and are written for clarity, as a verifier reads them. What a model
 * leaves out stands above it. Where the standard only tells the sign of a result, or that it is not zero, the
 * lowering takes any such number where the program could tell (see `loose` in translate/call.rs). */

typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

void *malloc(size_t size);
void *realloc(void *old, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void abort(void);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int *__errno_location(void);

/* The library uses its own ones, whatever the program defines. */
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, c, n) __builtin_memset(to, c, n)

/* Always zero, but no compiler knows: what stands behind it is taken into programs, and not executed. */
static unsigned never;

/* errno.h. The lowering sets it behind calls of functions that may fail. */

static int __beeline_errno;
int *__errno_location(void) { return &__beeline_errno; }
enum { ENOENT = 2, ENOMEM = 12, EDOM = 33, ERANGE = 34, EINVAL = 22, EOVERFLOW = 75 };

/* string.h */

/* What has been copied did not overlap: C leaves that undefined for all but memmove. As for AddressSanitizer, a
 * text that is appended to belongs to what is written. */
void __beeline_apart(const void *to, size_t written, const void *from, size_t read);

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
  __beeline_apart(to, i + 1, from, i + 1);
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
  size_t copied = i < n ? i + 1 : n;
  __beeline_apart(to, copied, from, copied);
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  char *end = to + strlen(to);
  size_t i = 0;
  while ((end[i] = from[i]))
    i++;
  if (i)
    __beeline_apart(to, end - to + i + 1, from, i + 1);
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  char *end = to + strlen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++)
    end[i] = from[i];
  end[i] = 0;
  if (i)
    __beeline_apart(to, end - to + i + 1, from, i < n ? i + 1 : n);
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

/* Characters below zero are none; glibc takes them for those above 127. */
static int byte_of(int c) { return c >= -128 && c < -1 ? c + 256 : c; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : byte_of(c); }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : byte_of(c); }

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

/* What is left of the text is known at the end as well, as in glibc. */
char *strtok_r(char *s, const char *set, char **rest) {
  if (!s)
    s = *rest;
  s += strspn(s, set);
  char *end = s + strcspn(s, set);
  *rest = *end ? end + 1 : end;
  if (!*s)
    return NULL;
  /* A text that cannot be written may be asked for its last part. */
  if (*end)
    *end = 0;
  return s;
}

char *strtok(char *s, const char *set) { return strtok_r(s, set, &strtok_rest); }

/* C asks for whole ranges, where the model stops at what decides. */
void __beeline_reads(const void *from, size_t n);

int memcmp(const void *a, const void *b, size_t n) {
  __beeline_reads(a, n);
  __beeline_reads(b, n);
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

void *memrchr(const void *s, int c, size_t n) {
  const unsigned char *p = s;
  for (; n > 0; n--)
    if (p[n - 1] == (unsigned char)c)
      return (void *)(p + n - 1);
  return NULL;
}

void *rawmemchr(const void *s, int c) {
  const unsigned char *p = s;
  while (*p != (unsigned char)c)
    p++;
  return (void *)p;
}

void *memmem(const void *s, size_t size, const void *part, size_t length) {
  __beeline_reads(s, size);
  __beeline_reads(part, length);
  const char *p = s;
  for (size_t i = 0; i + length <= size; i++)
    if (!memcmp(p + i, part, length))
      return (void *)(p + i);
  return NULL;
}

void *mempcpy(void *to, const void *from, size_t n) { return (char *)memcpy(to, from, n) + n; }

void *memccpy(void *to, const void *from, int c, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < n; i++)
    if ((t[i] = f[i]) == (unsigned char)c)
      return t + i + 1;
  return NULL;
}

char *stpncpy(char *to, const char *from, size_t n) {
  strncpy(to, from, n);
  return to + strnlen(to, n);
}

char *strsep(char **rest, const char *set) {
  char *s = *rest;
  if (!s)
    return NULL;
  char *end = s + strcspn(s, set);
  *rest = *end ? end + 1 : NULL;
  if (*end)
    *end = 0;
  return s;
}

char *strcasestr(const char *s, const char *part) {
  size_t length = strlen(part);
  for (;; s++) {
    if (!strncasecmp(s, part, length))
      return (char *)s;
    if (!*s)
      return NULL;
  }
}

/* Behind the macro _FORTIFY_SOURCE: the last argument is the size of what is written to. */

static void fits(size_t n, size_t size) {
  if (n > size)
    abort();
}
void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
  fits(n, size);
  return memcpy(to, from, n);
}
void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
  fits(n, size);
  return mempcpy(to, from, n);
}
void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
  fits(n, size);
  return memmove(to, from, n);
}
void *__memset_chk(void *to, int c, size_t n, size_t size) {
  fits(n, size);
  return memset(to, c, n);
}
char *__strcpy_chk(char *to, const char *from, size_t size) {
  fits(strlen(from) + 1, size);
  return strcpy(to, from);
}
char *__stpcpy_chk(char *to, const char *from, size_t size) {
  fits(strlen(from) + 1, size);
  return stpcpy(to, from);
}
char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
  fits(n, size);
  return strncpy(to, from, n);
}
char *__strcat_chk(char *to, const char *from, size_t size) {
  fits(strlen(to) + strlen(from) + 1, size);
  return strcat(to, from);
}
char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
  fits(strlen(to) + strnlen(from, n) + 1, size);
  return strncat(to, from, n);
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

/* The functions tolower and toupper as tables, from -128 to 255. A negative index but -1 is that of the
 * same character without sign. */
#define UNSIGNED(c) ((c) < -1 ? (c) + 256 : (c))
#define TO_LOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) - 'A' + 'a' : UNSIGNED(c))
#define TO_UPPER(c) ((c) >= 'a' && (c) <= 'z' ? (c) - 'a' + 'A' : UNSIGNED(c))
#define FOUR(to, c) to(c), to(c + 1), to(c + 2), to(c + 3)
#define SIXTEEN(to, c) FOUR(to, c), FOUR(to, c + 4), FOUR(to, c + 8), FOUR(to, c + 12)
#define QUARTER(to, c) SIXTEEN(to, c), SIXTEEN(to, c + 16), SIXTEEN(to, c + 32), SIXTEEN(to, c + 48)
#define TABLE(to)                                                                                      \
  { QUARTER(to, -128), QUARTER(to, -64), QUARTER(to, 0), QUARTER(to, 64), QUARTER(to, 128), QUARTER(to, 192) }
static const int lower_case[384] = TABLE(TO_LOWER), upper_case[384] = TABLE(TO_UPPER);
static const int *const lower_from_zero = lower_case + 128, *const upper_from_zero = upper_case + 128;
const int **__ctype_tolower_loc(void) { return (const int **)&lower_from_zero; }
const int **__ctype_toupper_loc(void) { return (const int **)&upper_from_zero; }

/* stdlib.h */

void *reallocarray(void *old, size_t count, size_t size) {
  if (size && count > (size_t)-1 / size) {
    __beeline_errno = ENOMEM;
    return NULL;
  }
  return realloc(old, count * size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) || (alignment & (alignment - 1)))
    return EINVAL;
  void *object = aligned_alloc(alignment, size);
  if (!object)
    return ENOMEM;
  *result = object;
  return 0;
}

/* The digits at p as a number, at most `most`: how many characters they are, nothing if there are none. */
static size_t digits(const char *p, int base, unsigned long long most, unsigned long long *number, int *too_large) {
  unsigned long long value = 0;
  size_t n = 0;
  for (;; n++) {
    int c = p[n], digit;
    if (isdigit(c))
      digit = c - '0';
    else if (isalpha(c))
      digit = tolower(c) - 'a' + 10;
    else
      break;
    if (digit >= base)
      break;
    if (value > (most - digit) / base)
      *too_large = 1;
    value = value * base + digit;
  }
  *number = value;
  return n;
}

/* What all functions of the strto family do. The largest number may be one less than the least one is
 * below zero; an unsigned result takes a minus sign as well. */
static unsigned long long number(const char *s, char **end, int base, unsigned long long most, int is_signed, int c23) {
  const char *p = s;
  int negative = 0, too_large = 0;
  if (base < 0 || base == 1 || base > 36) { /* glibc leaves the end alone */
    __beeline_errno = EINVAL;
    return 0;
  }
  while (isspace(*p))
    p++;
  if (*p == '-' || *p == '+')
    negative = *p++ == '-';
  if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit(p[2])) {
    p += 2;
    base = 16;
  }
  if (c23 && (base == 0 || base == 2) && p[0] == '0' && (p[1] == 'b' || p[1] == 'B') && (p[2] == '0' || p[2] == '1')) {
    p += 2;
    base = 2;
  }
  if (base == 0)
    base = *p == '0' ? 8 : 10;
  unsigned long long limit = most + (is_signed && negative), value;
  size_t n = digits(p, base, limit, &value, &too_large);
  if (end)
    *end = (char *)(n ? p + n : s);
  if (too_large) {
    __beeline_errno = ERANGE;
    return is_signed && negative ? -limit : limit;
  }
  return negative ? -value : value;
}

/* In C of 2023, numbers may begin with 0b; headers give the functions other names then. */
#define STRTO(name, type, most, is_signed)                                                                          \
  type name(const char *s, char **end, int base) { return number(s, end, base, most, is_signed, 0); }               \
  type __isoc23_##name(const char *s, char **end, int base) { return number(s, end, base, most, is_signed, 1); }
STRTO(strtol, long, __LONG_MAX__, 1)
STRTO(strtoll, long long, __LONG_LONG_MAX__, 1)
STRTO(strtoimax, long long, __LONG_LONG_MAX__, 1)
STRTO(strtoul, unsigned long, ~0ul, 0)
STRTO(strtoull, unsigned long long, ~0ull, 0)
STRTO(strtoumax, unsigned long long, ~0ull, 0)
int atoi(const char *s) { return (int)strtol(s, NULL, 10); }
long atol(const char *s) { return strtol(s, NULL, 10); }
long long atoll(const char *s) { return strtoll(s, NULL, 10); }

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }

/* What the world decides. */

int __beeline_input_rand(void);
int __beeline_input_getchar(void);
int __beeline_input_fopen_succeeds(void);
void __VERIFIER_assume(int);

static int within(int value, int least, int most) {
  __VERIFIER_assume(least <= value && value <= most);
  return value;
}
int rand(void) { return within(__beeline_input_rand(), 0, __INT_MAX__); }
long random(void) { return rand(); }
int getchar(void) { return within(__beeline_input_getchar(), -1, 255); }
void __beeline_stream(void *stream);
int fgetc(void *from) {
  __beeline_stream(from);
  return getchar();
}
int getc(void *from) { return fgetc(from); }
/* A line with its ending, in room that grows. */
long getdelim(char **line, size_t *room, int ending, void *from) {
  size_t n = 0;
  int c;
  if (!line || !room) {
    __beeline_errno = EINVAL;
    return -1;
  }
  if (!*line || *room == 0) {
    char *first = realloc(*line, 120);
    if (!first)
      return -1;
    *line = first;
    *room = 120;
  }
  do {
    c = fgetc(from);
    if (c < 0)
      break;
    if (n + 2 > *room) {
      char *larger = realloc(*line, 2 * *room);
      if (!larger)
        return -1;
      *line = larger;
      *room *= 2;
    }
    (*line)[n++] = (char)c;
  } while (c != ending);
  if (n == 0)
    return -1;
  (*line)[n] = 0;
  return n;
}
long getline(char **line, size_t *room, void *from) { return getdelim(line, room, '\n', from); }
int __beeline_guess_errno(void);
int __beeline_any_int(void);
int __beeline_guess_fopen_after_writing(void);
/* The world decides which files are there, until the program may have made or changed one. */
static int writes_files;
void *fopen(const char *path, const char *mode) {
  int wrote = writes_files;
  if (mode[0] != 'r' || mode[1] == '+' || (mode[1] && mode[2] == '+'))
    writes_files = 1;
  if (wrote ? __beeline_guess_fopen_after_writing() : __beeline_input_fopen_succeeds())
    return malloc(1);
  __beeline_errno = within(__beeline_guess_errno(), 1, 4095);
  return NULL;
}
void free(void *object);
/* What fopen takes is given back. */
int fclose(void *stream) {
  __beeline_stream(stream);
  free(stream);
  return __beeline_any_int() ? -1 : 0;
}
int rand_r(unsigned *seed) {
  *seed = __beeline_guess_errno();
  return within(__beeline_guess_errno(), 0, __INT_MAX__);
}

/* strings.h */

int ffsll(long long x) {
  int n = 1;
  if (!x)
    return 0;
  for (; !(x & 1); n++)
    x = (unsigned long long)x >> 1;
  return n;
}
int ffsl(long x) { return ffsll((unsigned long)x); }
int ffs(int x) { return ffsll((unsigned)x); }

/* Numbers in the order in which networks send their bytes. */
unsigned short htons(unsigned short host) { return __builtin_bswap16(host); }
unsigned short ntohs(unsigned short net) { return __builtin_bswap16(net); }
unsigned htonl(unsigned host) { return __builtin_bswap32(host); }
unsigned ntohl(unsigned net) { return __builtin_bswap32(net); }

char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }
void bzero(void *to, size_t n) { memset(to, 0, n); }
void explicit_bzero(void *to, size_t n) { memset(to, 0, n); }
void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }

static void exchange(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char c = a[i];
    a[i] = b[i];
    b[i] = c;
  }
}

void __beeline_any_order_qsort(void *, size_t, size_t, int (*)(const void *, const void *));

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *p = base;
  if (never) /* but the function has to be taken into the program */
    __beeline_any_order_qsort(base, count, size, compare);
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

void *lfind(const void *key, const void *base, size_t *count, size_t size,
            int (*compare)(const void *, const void *)) {
  for (size_t i = 0; i < *count; i++)
    if (compare(key, (const char *)base + i * size) == 0)
      return (char *)base + i * size;
  return NULL;
}

/* The same where the comparison does more than compare: how often and in which order it is called is open. The
 * lowering chooses. */
static void compare_some(char *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  while (__beeline_any_int()) {
    size_t i = __beeline_any_int(), j = __beeline_any_int();
    if (i < count && j < count)
      compare(base + i * size, base + j * size);
  }
}
void __beeline_any_order_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  compare_some(base, count, size, compare);
  qsort(base, count, size, compare);
}

/* stdio.h: what is printed into memory, piece by piece, by a format that the lowering knows (src/printed.rs calls these).
 * Each is told how much has been printed and tells how much is then; what finds no room is counted only. A width below
 * zero has what is printed to the left. */

static size_t print_one(char *to, size_t room, size_t at, char c) {
  if (room && at < room - 1)
    to[at] = c;
  return at + 1;
}
static size_t print_blanks(char *to, size_t room, size_t at, long long count) {
  for (; count > 0; count--)
    at = print_one(to, room, at, ' ');
  return at;
}
size_t __beeline_print_letters(char *to, size_t room, size_t at, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    at = print_one(to, room, at, text[i]);
  return at;
}
size_t __beeline_print_letter(char *to, size_t room, size_t at, long long width, int c) {
  at = print_blanks(to, room, at, width - 1);
  at = print_one(to, room, at, (char)c);
  return print_blanks(to, room, at, -width - 1);
}
/* At most so many letters of a text, if that is not below zero. */
size_t __beeline_print_text(char *to, size_t room, size_t at, long long width, long long most, const char *text) {
  size_t limit = most < 0 ? (size_t)-1 : (size_t)most, n = 0;
  if (width > 0)
    at = print_blanks(to, room, at, width - (long long)strnlen(text, limit));
  for (; n < limit && text[n]; n++)
    at = print_one(to, room, at, text[n]);
  __beeline_apart(to, at < room ? at : room, text, n < limit ? n + 1 : n);
  return width < 0 ? print_blanks(to, room, at, -width - (long long)n) : at;
}
/* The digits stand in the order of their weights; a sign of zero is none. */
static size_t print_number(char *to, size_t room, size_t at, const char *digits, size_t count, char sign, long long width,
                          int zeros) {
  long long length = (long long)count + (sign != 0);
  if (!zeros)
    at = print_blanks(to, room, at, width - length);
  if (sign)
    at = print_one(to, room, at, sign);
  if (zeros)
    for (long long i = length; i < width; i++)
      at = print_one(to, room, at, '0');
  for (; count > 0; count--)
    at = print_one(to, room, at, digits[count - 1]);
  return print_blanks(to, room, at, -width - length);
}
enum { ZEROS = 1, PLUS = 2, SPACES = 4, UPPER_CASE = 8 };
#define PRINT_NUMBER(bits, type)                                                                                      \
  static size_t digits##bits(char *digits, unsigned type number, int base, long long least, long long how) {          \
    size_t n = 0, most = base == 16 ? bits / 4 : base == 8 ? (bits + 2) / 3 : bits == 32 ? 10 : 20;                   \
    for (; n < most && number; number /= (unsigned)base) {                                                            \
      int digit = (int)(number % (unsigned)base);                                                                     \
      digits[n++] = digit < 10 ? '0' + digit : (how & UPPER_CASE ? 'A' : 'a') + digit - 10;                           \
    }                                                                                                                 \
    size_t wanted = least < 0 ? 1 : (size_t)least;                                                                    \
    while (n < wanted)                                                                                                \
      digits[n++] = '0';                                                                                              \
    return n;                                                                                                         \
  }                                                                                                                   \
  size_t __beeline_print_unsigned##bits(char *to, size_t room, size_t at, long long width, unsigned type number,      \
                                        long long base, long long least, long long how) {                             \
    char digits[24];                                                                                                  \
    size_t n = digits##bits(digits, number, base, least, how);                                                        \
    return print_number(to, room, at, digits, n, 0, width, (how & ZEROS) && least < 0);                               \
  }                                                                                                                   \
  size_t __beeline_print_signed##bits(char *to, size_t room, size_t at, long long width, type number, long long base, \
                                      long long least, long long how) {                                               \
    char digits[24], sign = number < 0 ? '-' : how & PLUS ? '+' : how & SPACES ? ' ' : 0;                             \
    size_t n = digits##bits(digits, number < 0 ? -(unsigned type)number : (unsigned type)number, base, least, how);   \
    return print_number(to, room, at, digits, n, sign, width, (how & ZEROS) && least < 0);                            \
  }
PRINT_NUMBER(32, int)
PRINT_NUMBER(64, long long)
int __beeline_print_end(char *to, size_t room, size_t at) {
  if (room)
    to[at < room ? at : room - 1] = 0;
  return (int)at;
}
/* What is to be taken into the program. */
static int print_every_piece(char *to, size_t room) {
  size_t at = __beeline_print_letters(to, room, 0, to, 0);
  at = __beeline_print_letter(to, room, at, 0, 0);
  at = __beeline_print_text(to, room, at, 0, 0, to);
  at = __beeline_print_unsigned32(to, room, at, 0, 0, 10, 0, 0);
  at = __beeline_print_unsigned64(to, room, at, 0, 0, 10, 0, 0);
  at = __beeline_print_signed32(to, room, at, 0, 0, 10, 0, 0);
  at = __beeline_print_signed64(to, room, at, 0, 0, 10, 0, 0);
  return __beeline_print_end(to, room, at);
}
int sprintf(char *to, const char *format, ...) { return print_every_piece(to, 0); }
int snprintf(char *to, size_t room, const char *format, ...) { return print_every_piece(to, room); }

/* What is read from a text in the same way. Numbers that do not fit are any, as C leaves them undefined. */

static const char *scanned;
static int scanned_count;
static enum { GOES_ON, DIFFERS, ENDED } scan_state;

void __beeline_scan_begin(const char *text) {
  scanned = text;
  scanned_count = 0;
  scan_state = GOES_ON;
}
void __beeline_scan_blanks(void) {
  while (scan_state == GOES_ON && isspace(*scanned))
    scanned++;
}
void __beeline_scan_letters(const char *letters, size_t length) {
  for (size_t i = 0; i < length && scan_state == GOES_ON; i++)
    if (*scanned == letters[i])
      scanned++;
    else
      scan_state = *scanned ? DIFFERS : ENDED;
}
/* Goes to what a conversion reads, if there is anything. */
static int scan_comes(int skips_blanks) {
  if (skips_blanks)
    __beeline_scan_blanks();
  if (scan_state == GOES_ON && !*scanned)
    scan_state = ENDED;
  return scan_state == GOES_ON;
}
void __beeline_scan_word(long long width, char *to) {
  size_t n = 0;
  if (!scan_comes(1))
    return;
  for (; n != (size_t)width && *scanned && !isspace(*scanned); n++)
    to[n] = *scanned++;
  to[n] = 0;
  scanned_count++;
}
void __beeline_scan_characters(long long width, char *to) {
  if (!scan_comes(0))
    return;
  for (long long n = 0; n < width && *scanned; n++)
    to[n] = *scanned++;
  scanned_count++;
}
static int digit_of(char c) {
  return isdigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}
/* The size of a number and its sign; are there any digits, and does it fit into so many bits? */
static int scan_number(long long width, int base, unsigned long long *number, int *negative, int *fits) {
  int any = 0;
  *number = 0;
  *negative = 0;
  *fits = 1;
  if (!scan_comes(1))
    return 0;
  if (*scanned == '-' || *scanned == '+') {
    *negative = *scanned++ == '-';
    width--;
  }
  if (base == 16 && width != 0 && *scanned == '0') {
    any = 1;
    scanned++;
    width--;
    if (width != 0 && (*scanned == 'x' || *scanned == 'X')) {
      scanned++;
      width--;
      any = digit_of(*scanned) < 16 && width != 0 ? 0 : __beeline_any_int() != 0;
    }
  }
  for (; width != 0 && digit_of(*scanned) < base; width--, scanned++) {
    int digit = digit_of(*scanned);
    *fits &= *number <= (~0ull - digit) / base;
    *number = *number * base + digit;
    any = 1;
  }
  if (!any)
    scan_state = DIFFERS;
  return any;
}
/* A number that is not kept counts for nothing. */
void __beeline_scan_number(long long width, long long base) {
  unsigned long long number;
  int negative, fits;
  scan_number(width, (int)base, &number, &negative, &fits);
}
#define SCAN_NUMBER(name, base, type, most, least)                        \
  void __beeline_scan_##name(long long width, type *to) {                 \
    unsigned long long number;                                            \
    int negative, fits;                                                   \
    if (!scan_number(width, base, &number, &negative, &fits))             \
      return;                                                             \
    fits = fits && number <= (negative ? least : most);                   \
    *to = fits ? (type)(negative ? -number : number) : (type)__beeline_any_long(); \
    scanned_count++;                                                      \
  }
long long __beeline_any_long(void);
#define SCAN_BITS(bits, type)                                                        \
  SCAN_NUMBER(signed##bits, 10, signed type, ~0ull >> (65 - bits), 1ull << (bits - 1)) \
  SCAN_NUMBER(unsigned##bits, 10, unsigned type, ~0ull >> (64 - bits), ~0ull >> (64 - bits)) \
  SCAN_NUMBER(hexadecimal##bits, 16, unsigned type, ~0ull >> (64 - bits), ~0ull >> (64 - bits))
SCAN_BITS(8, char)
SCAN_BITS(16, short)
SCAN_BITS(32, int)
SCAN_BITS(64, long long)
/* The library keeps no pointer to the text. */
int __beeline_scan_end(void) {
  scanned = NULL;
  return scanned_count == 0 && scan_state == ENDED ? -1 : scanned_count;
}

static int scan_every_piece(const char *text, char *to) {
  __beeline_scan_begin(text);
  __beeline_scan_blanks();
  __beeline_scan_letters(text, 0);
  __beeline_scan_word(0, to);
  __beeline_scan_characters(0, to);
  __beeline_scan_number(0, 10);
#define SCAN_ALL(bits, type)                                   \
  __beeline_scan_signed##bits(0, (signed type *)to);           \
  __beeline_scan_unsigned##bits(0, (unsigned type *)to);       \
  __beeline_scan_hexadecimal##bits(0, (unsigned type *)to);
  SCAN_ALL(8, char)
  SCAN_ALL(16, short)
  SCAN_ALL(32, int)
  SCAN_ALL(64, long long)
  return __beeline_scan_end();
}
int sscanf(const char *text, const char *format, ...) { return scan_every_piece(text, (char *)text); }
int __isoc99_sscanf(const char *text, const char *format, ...) { return scan_every_piece(text, (char *)text); }
int __isoc23_sscanf(const char *text, const char *format, ...) { return scan_every_piece(text, (char *)text); }

/* assert.h: a call of `assert` without the header. */

void __assert_fail(const char *, const char *, unsigned, const char *);
void assert(int holds) {
  if (!holds)
    __assert_fail("assert", "", 0, "");
}

/* time.h. The time is an input; what follows from it in the calendar is any that a calendar has. */

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

long __beeline_input_time(void);
int __beeline_guess_localtime(void);
int __beeline_guess_asctime(void);
long __beeline_guess_mktime(void);

/* The clock goes on. */
static long last_time;
long time(long *t) {
  long now = __beeline_input_time();
  /* No clock of a system shows more: it counts nanoseconds in 64 bits. */
  __VERIFIER_assume(last_time <= now && now <= 9223372036LL);
  last_time = now;
  if (t)
    *t = now;
  return now;
}

/* Exact up to the one rounding of the result. */
double difftime(long end, long start) { return (double)((long double)end - (long double)start); }

/* The name of a zone, which is the library's. */
const char *__beeline_guess_zone(void);

static void any_date(struct tm *to) {
  to->tm_sec = within(__beeline_guess_localtime(), 0, 60);
  to->tm_min = within(__beeline_guess_localtime(), 0, 59);
  to->tm_hour = within(__beeline_guess_localtime(), 0, 23);
  to->tm_mday = within(__beeline_guess_localtime(), 1, 31);
  to->tm_mon = within(__beeline_guess_localtime(), 0, 11);
  to->tm_year = __beeline_guess_localtime();
  to->tm_wday = within(__beeline_guess_localtime(), 0, 6);
  to->tm_yday = within(__beeline_guess_localtime(), 0, 365);
  to->tm_isdst = within(__beeline_guess_localtime(), -1, 1);
  to->tm_gmtoff = __beeline_guess_localtime();
}

/* Does an int hold the year of a time, which its zone puts at most so many seconds earlier or later? */
static int has_year(long long t, int zone) {
  const long long first = -67768040609740800ll, last = 67768036191676799ll;
  int surely = t >= first + zone && t <= last - zone, perhaps = t >= first - zone && t <= last + zone;
  if (surely || (perhaps && __beeline_any_int()))
    return 1;
  __beeline_errno = EOVERFLOW;
  return 0;
}
struct tm *localtime_r(const long *t, struct tm *to) {
  if (!has_year(*t, 24 * 60 * 60))
    return NULL;
  any_date(to);
  to->tm_zone = __beeline_guess_zone();
  return to;
}
static struct tm calendar;
struct tm *localtime(const long *t) { return localtime_r(t, &calendar); }
struct tm *gmtime_r(const long *t, struct tm *to) {
  if (!has_year(*t, 0))
    return NULL;
  any_date(to);
  to->tm_isdst = 0;
  to->tm_gmtoff = 0;
  to->tm_zone = __beeline_guess_localtime() ? "GMT" : "UTC";
  return to;
}
struct tm *gmtime(const long *t) { return gmtime_r(t, &calendar); }

/* A date that is no time stays as it is. */
long mktime(struct tm *time) {
  if (__beeline_guess_mktime()) {
    __beeline_errno = EOVERFLOW;
    return -1;
  }
  any_date(time);
  time->tm_zone = __beeline_guess_zone();
  return __beeline_guess_mktime();
}

/* A year of four digits makes a text of 25 characters; another one that is longer or shorter. */
static char *date(char *to, int four) {
  int length = four ? 24 : within(__beeline_guess_asctime(), 21, 31);
  for (int i = 0; i < length; i++) {
    char c = __beeline_guess_asctime();
    __VERIFIER_assume(c != 0);
    to[i] = c;
  }
  to[length] = '\n';
  to[length + 1] = 0;
  return to;
}
static char date_text[33];
char *asctime_r(const struct tm *time, char *to) {
  if (time->tm_year > 2147483647 - 1900) {
    __beeline_errno = EOVERFLOW;
    return NULL;
  }
  return date(to, time->tm_year >= -900 && time->tm_year < 8100);
}
char *asctime(const struct tm *time) { return asctime_r(time, date_text); }
char *ctime_r(const long *t, char *to) {
  const long long day = 24 * 60 * 60, first = -30610224000ll, last = 253402300799ll;
  return has_year(*t, day) ? date(to, *t >= first + day && *t <= last - day) : NULL;
}
char *ctime(const long *t) { return ctime_r(t, date_text); }

/* fenv.h: rounding is to nearest. Other modes are refused. */

int fegetround(void) { return 0; }

/* math.h: what the macros for classification call. */

int __finite(double x) { return x - x == 0; }
int __finitef(float x) { return x - x == 0; }
int __finitel(long double x) { return x - x == 0; }
int __isnan(double x) { return x != x; }
int __isnanf(float x) { return x != x; }
int __isnanl(long double x) { return x != x; }
int isnan(double x) { return x != x; }
int isnanf(float x) { return x != x; }
int isnanl(long double x) { return x != x; }
int __isinf(double x) { return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0; }
int __isinff(float x) { return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0; }
int __isinfl(long double x) {
  return x == (long double)__builtin_inf() ? 1 : x == -(long double)__builtin_inf() ? -1 : 0;
}
int isinf(double x) { return __isinf(x); }
int isinff(float x) { return __isinff(x); }
int isinfl(long double x) { return __isinfl(x); }
int finite(double x) { return __finite(x); }
int finitef(float x) { return __finitef(x); }
int finitel(long double x) { return __finitel(x); }
int isfinite(double x) { return __finite(x); }
int __iszero(double x) { return x == 0; }
int __iszerof(float x) { return x == 0; }
int __iszerol(long double x) { return x == 0; }
int __signbit(double x) { return __builtin_signbit(x); }
int __signbitf(float x) { return __builtin_signbitf(x); }
int __signbitl(long double x) { return __builtin_signbitl(x); }
int signbit(double x) { return __builtin_signbit(x); }

enum { FP_NAN_, FP_INFINITE_, FP_ZERO_, FP_SUBNORMAL_, FP_NORMAL_ };
int __fpclassify(double x) {
  return __builtin_fpclassify(FP_NAN_, FP_INFINITE_, FP_NORMAL_, FP_SUBNORMAL_, FP_ZERO_, x);
}
int __fpclassifyf(float x) {
  return __builtin_fpclassify(FP_NAN_, FP_INFINITE_, FP_NORMAL_, FP_SUBNORMAL_, FP_ZERO_, x);
}
int __fpclassifyl(long double x) {
  return __builtin_fpclassify(FP_NAN_, FP_INFINITE_, FP_NORMAL_, FP_SUBNORMAL_, FP_ZERO_, x);
}

double nan(const char *tag) { return __builtin_nan(""); }
float nanf(const char *tag) { return __builtin_nanf(""); }
long double nanl(const char *tag) { return __builtin_nanl(""); }

long lround(double x) { return (long)__builtin_round(x); }
long lroundf(float x) { return (long)__builtin_roundf(x); }
long lrint(double x) { return (long)__builtin_rint(x); }
long lrintf(float x) { return (long)__builtin_rintf(x); }
long lroundl(long double x) { return (long)__builtin_roundl(x); }
long lrintl(long double x) { return (long)__builtin_rintl(x); }
long long llround(double x) { return (long long)__builtin_round(x); }
long long llroundf(float x) { return (long long)__builtin_roundf(x); }
long long llrint(double x) { return (long long)__builtin_rint(x); }
long long llrintf(float x) { return (long long)__builtin_rintf(x); }

double modf(double x, double *whole) {
  double t = __builtin_trunc(x);
  *whole = t;
  return __builtin_copysign(__builtin_isinf(x) ? 0.0 : x - t, x);
}
float modff(float x, float *whole) {
  float t = __builtin_truncf(x);
  *whole = t;
  return __builtin_copysignf(__builtin_isinf(x) ? 0.0f : x - t, x);
}
long double modfl(long double x, long double *whole) {
  long double t = __builtin_truncl(x);
  *whole = t;
  return __builtin_copysignl(__builtin_isinf(x) ? 0.0l : x - t, x);
}

double frexp(double x, int *exponent) {
  union {
    double number;
    unsigned long long bits;
  } image = {x};
  int biased = image.bits >> 52 & 2047;
  *exponent = 0;
  if (biased == 2047 || x == 0)
    return x;
  if (biased == 0) {
    image.number = x * 0x1p54;
    biased = (int)(image.bits >> 52 & 2047) - 54;
  }
  *exponent = biased - 1022;
  image.bits = (image.bits & ~(2047ull << 52)) | 1022ull << 52;
  return image.number;
}
float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }

/* Where C leaves it to the library whether errno tells. */
static void perhaps(int error) {
  if (__beeline_any_int())
    __beeline_errno = error;
}
/* From the least number on to the greatest. */
static double power_of_two(int n) {
  union {
    unsigned long long bits;
    double number;
  } image = {n < -1022 ? 1ull << (n + 1074) : (unsigned long long)(n + 1023) << 52};
  return image.number;
}
/* Rounds once: what is multiplied before is exact, unless the result is zero or infinite anyway. */
double ldexp(double x, int n) {
  double y = x;
  n = n < -2100 ? -2100 : n > 2100 ? 2100 : n;
  for (; n > 1023; n -= 1023)
    y *= 0x1p1023;
  if (n < -1074)
    y = y * power_of_two(n + 1030) * 0x1p-1030;
  else
    y *= power_of_two(n);
  if (x - x == 0 && x != 0 && y - y != 0)
    __beeline_errno = ERANGE;
  else if (x != 0 && __builtin_fabs(y) < 0x1p-1022)
    perhaps(ERANGE);
  return y;
}
/* The double is exact, or its float is zero or infinite. */
float ldexpf(float x, int n) {
  float y = (float)ldexp(x, n);
  if (x - x == 0 && x != 0 && y - y != 0)
    __beeline_errno = ERANGE;
  else if (x != 0 && __builtin_fabsf(y) < 0x1p-126f)
    perhaps(ERANGE);
  return y;
}
static int as_exponent(long n) { return n < -2100 ? -2100 : n > 2100 ? 2100 : (int)n; }
double scalbn(double x, int n) { return ldexp(x, n); }
float scalbnf(float x, int n) { return ldexpf(x, n); }
double scalbln(double x, long n) { return ldexp(x, as_exponent(n)); }
float scalblnf(float x, long n) { return ldexpf(x, as_exponent(n)); }
int ilogb(double x) {
  int exponent;
  if (x - x != 0 || x == 0) {
    perhaps(EDOM);
    return x != x || x == 0 ? -__INT_MAX__ - 1 : __INT_MAX__;
  }
  frexp(x, &exponent);
  return exponent - 1;
}
int ilogbf(float x) { return ilogb(x); }
double logb(double x) {
  if (x == 0)
    perhaps(ERANGE);
  return x - x != 0 ? x * x : x == 0 ? -__builtin_inf() : ilogb(x);
}
float logbf(float x) { return (float)logb(x); }
#define NEXT_AFTER(name, type, word, least, normal, suffix)                                     \
  type name(type x, type y) {                                                                   \
    union {                                                                                     \
      type number;                                                                              \
      word bits;                                                                                \
    } image = {x};                                                                              \
    if (x != x || y != y)                                                                       \
      return x + y;                                                                             \
    if (x == y)                                                                                 \
      return y;                                                                                 \
    if (x == 0)                                                                                 \
      image.number = __builtin_copysign##suffix(least, y);                                      \
    else                                                                                        \
      image.bits += (x < y) == (x > 0) ? 1 : -1;                                                \
    if (image.number - image.number != 0 || __builtin_fabs##suffix(image.number) < normal)      \
      perhaps(ERANGE);                                                                          \
    return image.number;                                                                        \
  }
NEXT_AFTER(nextafter, double, unsigned long long, 0x1p-1074, 0x1p-1022, )
NEXT_AFTER(nextafterf, float, unsigned, 0x1p-149f, 0x1p-126f, f)

/* Floats in text, as they are in the C locale. The value is exact where it is a product or a quotient of two exact
 * numbers, which rounds once: that of 15 digits and exponents up to 22. Otherwise it is any, and so is whether errno tells. */

double __beeline_guess_strtod(void);
float __beeline_guess_strtof(void);
long double __beeline_guess_strtold(void);

enum { NO_NUMBER, DECIMAL, INFINITE, NO_VALUE, OTHER_NUMBER };
struct number {
  int is;
  int negative;
  /* A decimal number has these digits times ten to the exponent; OTHER_NUMBER has more, or is hexadecimal. */
  unsigned long long digits;
  int exponent;
  const char *end;
};

/* Whether a text begins with lower-case letters, in any case. */
static int begins(const char *s, const char *letters) {
  for (; *letters; s++, letters++)
    if ((*s | 32) != *letters)
      return 0;
  return 1;
}
/* What follows a letter for the exponent, up to more than any text has digits. */
static const char *exponent_of(const char *s, int *exponent) {
  const char *p = s + 1;
  int negative = 0, value = 0;
  if (*p == '-' || *p == '+')
    negative = *p++ == '-';
  if (*p < '0' || *p > '9')
    return s;
  for (; *p >= '0' && *p <= '9'; p++)
    value = value < 100000000 ? value * 10 + (*p - '0') : value;
  *exponent = negative ? -value : value;
  return p;
}
static const char *hexadecimal(const char *p) {
  int ignored;
  for (p += 2; isxdigit(*p); p++)
    ;
  if (*p == '.')
    for (p++; isxdigit(*p); p++)
      ;
  return (*p | 32) == 'p' ? exponent_of(p, &ignored) : p;
}
static void decimal(const char *p, struct number *found) {
  unsigned long long value = 0;
  int exponent = 0, shift = 0, after_point = 0;
  found->is = NO_NUMBER;
  for (;; p++) {
    if (*p == '.' && !after_point) {
      after_point = 1;
      continue;
    }
    if (*p < '0' || *p > '9')
      break;
    if (found->is == NO_NUMBER)
      found->is = DECIMAL;
    if (value < 100000000000000000) {
      value = value * 10 + (*p - '0');
      exponent -= after_point;
    } else {
      if (*p != '0')
        found->is = OTHER_NUMBER;
      exponent += !after_point;
    }
  }
  if (found->is == NO_NUMBER)
    return;
  if ((*p | 32) == 'e')
    p = exponent_of(p, &shift);
  found->digits = value;
  found->exponent = exponent + shift;
  found->end = p;
}
static struct number float_in(const char *s) {
  struct number found = {NO_NUMBER};
  const char *p = s;
  while (isspace(*p))
    p++;
  if (*p == '-' || *p == '+')
    found.negative = *p++ == '-';
  if (begins(p, "inf")) {
    found.is = INFINITE;
    found.end = begins(p, "infinity") ? p + 8 : p + 3;
  } else if (begins(p, "nan")) {
    const char *q = p + 3;
    found.is = NO_VALUE;
    found.end = q;
    if (*q == '(') {
      for (q++; isalnum(*q) || *q == '_'; q++)
        ;
      if (*q == ')') {
        found.is = OTHER_NUMBER;
        found.end = q + 1;
      }
    }
  } else if (*p == '0' && (p[1] | 32) == 'x' && (isxdigit(p[2]) || (p[2] == '.' && isxdigit(p[3])))) {
    found.is = OTHER_NUMBER;
    found.end = hexadecimal(p);
  } else {
    decimal(p, &found);
  }
  return found;
}
static const double tens[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
/* Digits up to `exact` are exact in the type, and so is ten to `most`. */
#define FLOAT_IN_TEXT(name, type, exact, most, suffix)                                             \
  type name(const char *s, char **end) {                                                           \
    struct number found = float_in(s);                                                             \
    type value = 0;                                                                                \
    if (end)                                                                                       \
      *end = (char *)(found.is == NO_NUMBER ? s : found.end);                                      \
    if (found.is == NO_NUMBER)                                                                     \
      return 0;                                                                                    \
    while (found.is == DECIMAL && found.digits > exact && found.digits % 10 == 0) {                \
      found.digits /= 10;                                                                          \
      found.exponent++;                                                                            \
    }                                                                                              \
    if (found.is == INFINITE)                                                                      \
      value = __builtin_inf();                                                                     \
    else if (found.is == NO_VALUE)                                                                 \
      value = __builtin_nan##suffix("");                                                           \
    else if (found.is == OTHER_NUMBER || found.digits > exact)                                     \
      return __beeline_guess_##name();                                                             \
    else if (found.digits == 0)                                                                    \
      value = 0;                                                                                   \
    else if (found.exponent >= 0 && found.exponent <= most)                                        \
      value = (type)found.digits * (type)tens[found.exponent];                                     \
    else if (found.exponent < 0 && found.exponent >= -most)                                        \
      value = (type)found.digits / (type)tens[-found.exponent];                                    \
    else                                                                                           \
      return __beeline_guess_##name();                                                             \
    return found.negative ? -value : value;                                                        \
  }
FLOAT_IN_TEXT(strtod, double, 9007199254740992, 22, )
FLOAT_IN_TEXT(strtof, float, 16777216, 10, f)
FLOAT_IN_TEXT(strtold, long double, 18446744073709551615u, 22, l)
double atof(const char *s) { return strtod(s, NULL); }

/* The remainder of the division whose quotient is rounded to the nearest, ties to even: exact, since
 * each difference is between numbers at most a factor of two apart. */
#define REMAINDER(name, type, suffix)                                      \
  type name(type x, type y) {                                              \
    type size = __builtin_fabs##suffix(y), part;                           \
    if (y != y || x - x != 0 || y == 0) {                                  \
      if (x == x && y == y)                                                \
        __beeline_errno = EDOM;                                            \
      return x * 0 / 0;                                                    \
    }                                                                      \
                                                    \
    if (size - size != 0)                                                  \
      return x;                                                            \
    part = __builtin_fmod##suffix(__builtin_fabs##suffix(x), size);        \
    type rest = size - part;                                               \
    int odd = __builtin_fmod##suffix(__builtin_fabs##suffix(x), size * 2) != part; \
    if (part > rest || (part == rest && odd))                              \
      part = -rest;                                                        \
    return __builtin_copysign##suffix(1, x) < 0 ? -part : part;            \
  }
REMAINDER(remainder, double, )
REMAINDER(remainderf, float, f)
REMAINDER(remainderl, long double, l)

/* stdlib.h: what runs when the program ends. Lowering calls __beeline_run_at_exit there. */

static void (*at_exit[1024])(void);
static unsigned at_exit_count;
void __beeline_not_modelled_atexit(void);

void __beeline_run_at_exit(void) {
  while (at_exit_count > 0)
    at_exit[--at_exit_count]();
}

int atexit(void (*function)(void)) {
  if (at_exit_count > 1024) /* never, but the function has to be taken into the program */
    __beeline_run_at_exit();
  if (at_exit_count == 1024)
    __beeline_not_modelled_atexit();
  at_exit[at_exit_count++] = function;
  return 0;
}

/* err.h, error.h: a message, and the end of the program. */

void exit(int status);
void err(int status, const char *format, ...) { exit(status); }
void errx(int status, const char *format, ...) { exit(status); }
void verr(int status, const char *format, void *list) { exit(status); }
void verrx(int status, const char *format, void *list) { exit(status); }
void error(int status, int number, const char *format, ...) {
  if (status)
    exit(status);
}
void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  if (status)
    exit(status);
}

/* signal.h: signals come from `raise` and `abort` only; where others may come, the execution ends. Handlers with more than
   one parameter get no information. */

typedef void (*handler)(int);
enum { SET_BITS = 8 * sizeof(long), SET_WORDS = 1024 / SET_BITS, KERNEL_WORDS = 64 / SET_BITS };
struct action {
  handler function;
  unsigned long mask[SET_WORDS];
  int flags;
  void (*restorer)(void);
};
static struct action actions[65];
void _Exit(int);
#define IGNORED ((handler)1)
#define NO_HANDLER ((handler)-1)
enum { SIGILL = 4, SIGTRAP = 5, SIGABRT = 6, SIGBUS = 7, SIGFPE = 8, SIGKILL = 9, SIGSEGV = 11, SIGALRM = 14, SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19 };
enum { SIGTSTP = 20, SIGTTOU = 22, SIGURG = 23, SIGWINCH = 28, SIGSYS = 31, SIGCANCEL = 32, SIGSETXID = 33, SIGNALS = 65 };
enum { SA_RESTORER = 0x04000000, SA_NODEFER = 0x40000000, SA_RESTART = 0x10000000, SA_RESETHAND = (int)0x80000000 };
int raise(int);
static unsigned long bit_of(int number) { return 1ul << (number - 1) % SET_BITS; }
static int word_of(int number) { return (number - 1) / SET_BITS; }
/* By the handlers that run. */
static unsigned long blocked[KERNEL_WORDS];
void __beeline_before_abort(void) {
  if (actions[SIGABRT].function && actions[SIGABRT].function != IGNORED) {
    blocked[word_of(SIGABRT)] &= ~bit_of(SIGABRT);
    raise(SIGABRT);
  }
}
static int may_be_handled(int number) {
  if (never) /* but the function has to be taken into the program */
    __beeline_before_abort();
  if (number > 0 && number < SIGNALS && number != SIGCANCEL && number != SIGSETXID)
    return 1;
  __beeline_errno = EINVAL;
  return 0;
}
static int may_be_changed(int number) {
  if (!may_be_handled(number))
    return 0;
  if (number != SIGKILL && number != SIGSTOP)
    return 1;
  __beeline_errno = EINVAL;
  return 0;
}
/* What waits until the handlers return, or until it is not blocked any more. */
static unsigned long waiting[KERNEL_WORDS];
static int is_ignored(int number) {
  handler function = actions[number].function;
  return function == IGNORED ||
         !function && (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH);
}
static void forget_ignored(int number) {
  if (is_ignored(number))
    waiting[word_of(number)] &= ~bit_of(number);
}
handler signal(int number, handler function) {
  if (!may_be_changed(number))
    return NO_HANDLER;
  handler old = actions[number].function;
  memset(&actions[number], 0, sizeof(struct action));
  actions[number].function = function;
  actions[number].mask[word_of(number)] = bit_of(number);
  actions[number].flags = SA_RESTORER | SA_RESTART;
  forget_ignored(number);
  return old;
}
/* The kernel keeps a set of 64 signals, without those that cannot be blocked. */
int sigaction(int number, const struct action *action, struct action *old) {
  if (!may_be_handled(number) || (action && !may_be_changed(number)))
    return -1;
  struct action before = actions[number];
  if (action) {
    actions[number].function = action->function;
    actions[number].flags = action->flags | SA_RESTORER;
    for (int i = 0; i < KERNEL_WORDS; i++)
      actions[number].mask[i] = action->mask[i];
    actions[number].mask[word_of(SIGKILL)] &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
    forget_ignored(number);
  }
  if (old) {
    old->function = before.function;
    old->flags = before.flags;
    for (int i = 0; i < KERNEL_WORDS; i++)
      old->mask[i] = before.mask[i];
    old->restorer = NULL;
  }
  return 0;
}
/* Those that the program causes itself come first. */
static int waits_unblocked(void) {
  unsigned long own = waiting[0] & ~blocked[0] &
                      (bit_of(SIGILL) | bit_of(SIGTRAP) | bit_of(SIGBUS) | bit_of(SIGFPE) | bit_of(SIGSEGV) | bit_of(SIGSYS));
  for (int number = SIGILL; own && number <= SIGSYS; number++)
    if (own & bit_of(number))
      return number;
  for (int i = 0; i < KERNEL_WORDS; i++)
    for (int bit = 0; waiting[i] & ~blocked[i] && bit < SET_BITS; bit++)
      if ((waiting[i] & ~blocked[i]) >> bit & 1)
        return i * SET_BITS + bit + 1;
  return 0;
}
void __beeline_not_modelled_raise(void);
static void deliver(int number);
static void deliver_waiting(void) {
  for (int number; (number = waits_unblocked());) {
    waiting[word_of(number)] &= ~bit_of(number);
    deliver(number);
  }
}
static void deliver(int number) {
  struct action action = actions[number];
  if (is_ignored(number))
    return;
  /* The process stops, and it is open when it goes on. */
  if (!action.function && (number == SIGSTOP || (number >= SIGTSTP && number <= SIGTTOU))) {
    __beeline_not_modelled_raise();
    return;
  }
  if (!action.function)
    _Exit(1);
  if (action.flags & SA_RESETHAND)
    actions[number].function = NULL;
  unsigned long before[KERNEL_WORDS];
  for (int i = 0; i < KERNEL_WORDS; i++) {
    before[i] = blocked[i];
    blocked[i] |= action.mask[i];
  }
  if (!(action.flags & SA_NODEFER))
    blocked[word_of(number)] |= bit_of(number);
  /* The kernel prepares all handlers; the last one runs first. */
  deliver_waiting();
  action.function(number);
  for (int i = 0; i < KERNEL_WORDS; i++)
    blocked[i] = before[i];
  deliver_waiting();
}
int raise(int number) {
  if (number < 0 || number >= SIGNALS) {
    __beeline_errno = EINVAL;
    return -1;
  }
  if (number == 0) /* is no signal, but may be sent */
    return 0;
  if (blocked[word_of(number)] & bit_of(number)) {
    /* Those behind the standard ones are counted. */
    if (number > SIGSYS && waiting[word_of(number)] & bit_of(number))
      __beeline_not_modelled_raise();
    waiting[word_of(number)] |= bit_of(number);
  } else
    deliver(number);
  return 0;
}
/* Masks of signals have more bits than the kernel knows; the library keeps two of its signals open. */
enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };
int sigprocmask(int how, const unsigned long *set, unsigned long *old) {
  if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) {
    __beeline_errno = EINVAL;
    return -1;
  }
  for (int i = 0; i < KERNEL_WORDS; i++) {
    unsigned long before = blocked[i], change = set ? set[i] : 0;
    if (i == word_of(SIGKILL))
      change &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
    if (i == word_of(SIGCANCEL))
      change &= ~bit_of(SIGCANCEL);
    if (i == word_of(SIGSETXID))
      change &= ~bit_of(SIGSETXID);
    if (set)
      blocked[i] = how == SIG_BLOCK ? before | change : how == SIG_UNBLOCK ? before & ~change : change;
    if (old)
      old[i] = before;
  }
  deliver_waiting();
  return 0;
}
int sigpending(unsigned long *set) {
  for (int i = 0; i < KERNEL_WORDS; i++)
    set[i] = waiting[i] & blocked[i];
  return 0;
}

/* From here on a signal may come from outside at any time. The execution ends; what may follow is said all the same. */
void __beeline_not_modelled_kill(void), __beeline_not_modelled_alarm(void), __beeline_not_modelled_setitimer(void),
    __beeline_not_modelled_pause(void), __beeline_not_modelled_pthread_sigmask(void);
int __beeline_any_signal(void);
int kill(int process, int number) {
  __beeline_not_modelled_kill();
  return raise(number);
}
int killpg(int group, int number) { return kill(-group, number); }
unsigned alarm(unsigned seconds) {
  __beeline_not_modelled_alarm();
  raise(SIGALRM);
  return __beeline_any_signal();
}
int setitimer(int which, const void *value, void *old) {
  __beeline_not_modelled_setitimer();
  return raise(__beeline_any_signal());
}
int pause(void) {
  __beeline_not_modelled_pause();
  return raise(__beeline_any_signal());
}
int sigsuspend(const unsigned long *mask) { return pause(); }
int sigwait(const unsigned long *set, int *number) {
  *number = __beeline_any_signal();
  return pause();
}
/* Each thread has a mask of its own. */
int pthread_sigmask(int how, const unsigned long *set, unsigned long *old) {
  __beeline_not_modelled_pthread_sigmask();
  return sigprocmask(how, set, old);
}
static int is_signal(int number) {
  if (number > 0 && number < SIGNALS)
    return 1;
  __beeline_errno = EINVAL;
  return 0;
}
int sigaddset(unsigned long *set, int number) {
  if (!is_signal(number))
    return -1;
  set[word_of(number)] |= bit_of(number);
  return 0;
}
int sigdelset(unsigned long *set, int number) {
  if (!is_signal(number))
    return -1;
  set[word_of(number)] &= ~bit_of(number);
  return 0;
}
int sigismember(const unsigned long *set, int number) {
  return is_signal(number) ? set[word_of(number)] / bit_of(number) % 2 : -1;
}
int sigemptyset(unsigned long *set) {
  memset(set, 0, 128);
  return 0;
}
int sigfillset(unsigned long *set) {
  memset(set, 255, 128);
  set[word_of(SIGCANCEL)] &= ~bit_of(SIGCANCEL);
  set[word_of(SIGSETXID)] &= ~bit_of(SIGSETXID);
  return 0;
}

/* Memory that verifiers are told to give any content. */

unsigned char __beeline_input_memory(void);
void __VERIFIER_nondet_memory(void *to, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)to)[i] = __beeline_input_memory();
}
void klee_make_symbolic(void *to, size_t n, const char *name) { __VERIFIER_nondet_memory(to, n); }
void __VERIFIER_assume(int holds);
int __beeline_input_klee_range(void);
int klee_range(int begin, int end, const char *name) {
  int value = __beeline_input_klee_range();
  __VERIFIER_assume(begin <= value && value < end);
  return value;
}

/* stdatomic.h: what clang calls for atomic objects that no instruction accesses at once. Each is one step of a thread. */

void atomic_load(size_t n, const void *from, void *to, int order) __asm__("__atomic_load");
void atomic_load(size_t n, const void *from, void *to, int order) { memcpy(to, from, n); }
void atomic_store(size_t n, void *to, const void *from, int order) __asm__("__atomic_store");
void atomic_store(size_t n, void *to, const void *from, int order) { memcpy(to, from, n); }
void atomic_exchange(size_t n, void *object, const void *from, void *old, int order) __asm__("__atomic_exchange");
void atomic_exchange(size_t n, void *object, const void *from, void *old, int order) {
  memcpy(old, object, n);
  memcpy(object, from, n);
}
_Bool atomic_compare_exchange(size_t n, void *object, void *expected, const void *from, int success, int failure)
    __asm__("__atomic_compare_exchange");
_Bool atomic_compare_exchange(size_t n, void *object, void *expected, const void *from, int success, int failure) {
  if (memcmp(object, expected, n)) {
    memcpy(expected, object, n);
    return 0;
  }
  memcpy(object, from, n);
  return 1;
}

/* complex.h: what clang calls where a product of complex numbers is no number. */

#define COMPLEX(product, type, suffix)                                                       \
  type _Complex product(type a, type b, type c, type d) {                                    \
    type re = a * c - b * d, im = a * d + b * c;                                             \
    int of_infinite = __builtin_isinf(a * c) || __builtin_isinf(b * d) ||                    \
                      __builtin_isinf(a * d) || __builtin_isinf(b * c);                      \
    if (re != re && im != im) {                                                              \
      int infinite = 0;                                                                      \
      if (__builtin_isinf(a) || __builtin_isinf(b)) {                                        \
        a = __builtin_copysign##suffix(__builtin_isinf(a) ? 1 : 0, a);                       \
        b = __builtin_copysign##suffix(__builtin_isinf(b) ? 1 : 0, b);                       \
        c = c != c ? __builtin_copysign##suffix(0, c) : c;                                   \
        d = d != d ? __builtin_copysign##suffix(0, d) : d;                                   \
        infinite = 1;                                                                        \
      }                                                                                      \
      if (__builtin_isinf(c) || __builtin_isinf(d)) {                                        \
        c = __builtin_copysign##suffix(__builtin_isinf(c) ? 1 : 0, c);                       \
        d = __builtin_copysign##suffix(__builtin_isinf(d) ? 1 : 0, d);                       \
        a = a != a ? __builtin_copysign##suffix(0, a) : a;                                   \
        b = b != b ? __builtin_copysign##suffix(0, b) : b;                                   \
        infinite = 1;                                                                        \
      }                                                                                      \
      if (!infinite && of_infinite) {                                                        \
        a = a != a ? __builtin_copysign##suffix(0, a) : a;                                   \
        b = b != b ? __builtin_copysign##suffix(0, b) : b;                                   \
        c = c != c ? __builtin_copysign##suffix(0, c) : c;                                   \
        d = d != d ? __builtin_copysign##suffix(0, d) : d;                                   \
        infinite = 1;                                                                        \
      }                                                                                      \
      if (infinite) {                                                                        \
        re = __builtin_inf() * (a * c - b * d);                                              \
        im = __builtin_inf() * (a * d + b * c);                                              \
      }                                                                                      \
    }                                                                                        \
    type _Complex result;                                                                    \
    __real__ result = re;                                                                    \
    __imag__ result = im;                                                                    \
    return result;                                                                           \
  }
COMPLEX(__mulsc3, float, f)
COMPLEX(__muldc3, double, )
