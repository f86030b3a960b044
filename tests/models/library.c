/* The models of texts, memory, numbers in texts, formats and floats against the C library's, by random calls. What stands above
 * this in the file that is compiled is the model, each of its functions with `model_` before the name.
 *
 * What is read lies before a page that cannot be accessed, and cannot be written: the model neither reads nor writes more
 * than the library does. */
#undef memcpy
#undef memmove
#undef memset
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
int atoi(const char *);
double strtod(const char *, char **);
float strtof(const char *, char **);
long double strtold(const char *, char **);
int rand(void);
char *strcasestr(const char *, const char *);
void *memrchr(const void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t);
char *strchrnul(const char *, int);

/* What models ask the verifier: a call that the library leaves open has no result to compare. */
static int is_open;
void __VERIFIER_assume(int holds) { is_open |= !holds; }
int __beeline_any_int(void) { return is_open = 1; }
long long __beeline_any_long(void) { return is_open = 1; }
void __beeline_apart(const void *to, size_t written, const void *from, size_t read) {}
void __beeline_reads(const void *from, size_t n) {}
void __beeline_stream(void *stream) {}
#define OPEN(type, name) \
  type name(void) { return is_open = 1; }
OPEN(int, __beeline_input_rand)
OPEN(int, __beeline_input_getchar)
OPEN(int, __beeline_input_fopen_succeeds)
OPEN(int, __beeline_guess_errno)
OPEN(int, __beeline_guess_fopen_after_writing)
OPEN(long, __beeline_input_time)
OPEN(int, __beeline_guess_localtime)
OPEN(int, __beeline_guess_asctime)
OPEN(long, __beeline_guess_mktime)
const char *__beeline_guess_zone(void) {
  is_open = 1;
  return "";
}
OPEN(double, __beeline_guess_strtod)
OPEN(float, __beeline_guess_strtof)
OPEN(long double, __beeline_guess_strtold)
OPEN(unsigned char, __beeline_input_memory)
OPEN(int, __beeline_input_klee_range)
OPEN(int, __beeline_any_signal)
/* Where an execution ends: no call below comes there. */
#define ENDS(name) \
  void name(void) { abort(); }
ENDS(__beeline_not_modelled_atexit)
ENDS(__beeline_not_modelled_kill)
ENDS(__beeline_not_modelled_raise)
ENDS(__beeline_not_modelled_alarm)
ENDS(__beeline_not_modelled_setitimer)
ENDS(__beeline_not_modelled_pause)
ENDS(__beeline_not_modelled_pthread_sigmask)
ENDS(__beeline_not_modelled_pthread_mutexattr_setrobust)
ENDS(__beeline_not_modelled_pthread_rwlock_kinds)
ENDS(__beeline_not_modelled_pthread_cond_signal)

enum { PAGE = 4096, LONGEST = 9, RUNS = 300000 };
/* Two texts of the library and two of the model, each before a page that cannot be accessed. */
static char *ends[4];
static char *texts[4];

static void make_pages(void) {
  for (int i = 0; i < 4; i++) {
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + PAGE, PAGE, PROT_NONE);
    ends[i] = pages + PAGE;
  }
}
static void may_write(int may) {
  for (int i = 0; i < 4; i++)
    mprotect(ends[i] - PAGE, PAGE, may ? PROT_READ | PROT_WRITE : PROT_READ);
}
/* Fills the text `which` for both, at the end of its page. */
static int draw(int which, const char *letters) {
  int count = strlen(letters), length = rand() % LONGEST;
  char text[LONGEST + 1];
  for (int i = 0; i < length; i++)
    text[i] = letters[rand() % count];
  text[length] = 0;
  for (int i = which; i < 4; i += 2) {
    memset(ends[i] - PAGE, 'z', PAGE);
    texts[i] = ends[i] - length - 1;
    memcpy(texts[i], text, length + 1);
  }
  return length;
}

static const char *failed;
#define SAME(what, should, is)                                                                          \
  do {                                                                                                  \
    if ((should) != (is)) {                                                                             \
      printf("%s of \"%s\", \"%s\", %d\n", what, texts[0], texts[1], number);                           \
      failed = what;                                                                                    \
    }                                                                                                   \
  } while (0)
static int sign(int value) { return (value > 0) - (value < 0); }
/* A pointer into a text, or null, as a number that is the same for the library and the model. */
static long at(const void *pointer, int side) {
  for (int i = side; i < side + 2; i++)
    if ((const char *)pointer >= ends[i] - PAGE && (const char *)pointer <= ends[i])
      return ends[i] - (const char *)pointer + i % 2 * PAGE;
  return pointer ? -2 : -1;
}
#define A texts[side]
#define B texts[side + 1]
/* A call with the texts A and B that returns a pointer. */
#define POINTER(name, ...)                                                  \
  do {                                                                      \
    int side = 0;                                                           \
    long should = at(name(__VA_ARGS__), 0);                                 \
    side = 2;                                                               \
    SAME(#name, should, at(model_##name(__VA_ARGS__), 2));                  \
  } while (0)
#define NUMBER(name, of, ...)                                               \
  do {                                                                      \
    int side = 0;                                                           \
    long should = (long)of(name(__VA_ARGS__));                              \
    side = 2;                                                               \
    SAME(#name, should, (long)of(model_##name(__VA_ARGS__)));               \
  } while (0)

static void only_read(void) {
  int number = rand() % (LONGEST + 3), length = draw(0, rand() % 2 ? "abAB" : "a\xe4 \t1"), part = draw(1, "abA1 ");
  int letter = "abzA1 \xe4"[rand() % 8] + (rand() % 4 ? 0 : 256);
  may_write(0);
  NUMBER(strlen, , A);
  NUMBER(strnlen, , A, number);
  NUMBER(strcmp, sign, A, B);
  NUMBER(strncmp, sign, A, B, number);
  NUMBER(strcasecmp, sign, A, B);
  NUMBER(strncasecmp, sign, A, B, number);
  NUMBER(strspn, , A, B);
  NUMBER(strcspn, , A, B);
  POINTER(strchr, A, letter);
  POINTER(strchrnul, A, letter);
  POINTER(strrchr, A, letter);
  POINTER(strpbrk, A, B);
  POINTER(strstr, A, B);
  POINTER(strcasestr, A, B);
  POINTER(memchr, A, letter, length + 1);
  POINTER(memrchr, A, letter, length + 1);
  POINTER(memmem, A, length, B, part);
  number = rand() % (1 + (length < part ? length : part));
  NUMBER(memcmp, sign, A, B, number);
}

/* Texts are taken apart, also those that cannot be written where nothing has to be. */
static void take_apart(void) {
  int number = rand() % 2, is_written = rand() % 2;
  draw(0, is_written ? "a,;" : "ab");
  draw(1, ",;");
  char *rest[2] = {texts[0], texts[2]}, *from[2] = {texts[0], texts[2]};
  may_write(is_written);
  for (int i = 0; i < 5; i++) {
    const char *set = texts[1];
    if (number) {
      SAME("strsep", at(strsep(&rest[0], set), 0), at(model_strsep(&rest[1], set), 2));
    } else {
      SAME("strtok_r", at(strtok_r(from[0], set, &rest[0]), 0), at(model_strtok_r(from[1], set, &rest[1]), 2));
      from[0] = from[1] = NULL;
    }
    SAME("what is left by strtok_r or strsep", at(rest[0], 0), at(rest[1], 2));
  }
  may_write(1);
  SAME("a text that is taken apart", 0, memcmp(ends[0] - 32, ends[2] - 32, 32));
}

static void written(void) {
  may_write(1);
  int length = draw(0, "abc"), number = rand() % 12, part = draw(1, "xyz"), letter = "xyz"[rand() % 4];
  for (int i = 0; i < 4; i += 2)
    memmove(ends[i] - 40, texts[i], length + 1), texts[i] = ends[i] - 40;
  switch (rand() % 7) {
    case 0: POINTER(strcpy, A, B); break;
    case 1: POINTER(stpcpy, A, B); break;
    case 2: POINTER(strncpy, A, B, number); break;
    case 3: POINTER(strcat, A, B); break;
    case 4: POINTER(strncat, A, B, number); break;
    case 5: POINTER(stpncpy, A, B, number); break;
    case 6: POINTER(memccpy, A, B, letter, part + 1); break;
  }
  SAME("a text that is written", 0, memcmp(ends[0] - 64, ends[2] - 64, 24 + 32));
}

#define NUMBER_OF_TEXT(name)                                                                  \
  do {                                                                                        \
    char *end[2] = {NULL, NULL};                                                              \
    errno = *model___errno_location() = 0;                                                    \
    SAME(#name, name(texts[0], &end[0], number), model_##name(texts[2], &end[1], number));    \
    SAME("the end of " #name, at(end[0], 0), at(end[1], 2));                                  \
    SAME("errno of " #name, errno, *model___errno_location());                                \
  } while (0)
static void numbers_in_texts(void) {
  static const int bases[] = {0, 10, 16, 8, 2, 36, 1, 37};
  int number = bases[rand() % 8];
  may_write(1);
  draw(1, "a");
  draw(0, rand() % 2 ? "-+0x19fz \t" : "0189-");
  if (rand() % 8 == 0) {
    static const char *const large[] = {"9223372036854775807", "9223372036854775808", "-9223372036854775808",
                                        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
                                        "-18446744073709551615", "99999999999999999999999"};
    const char *text = large[rand() % 8];
    for (int i = 0; i < 4; i += 2)
      strcpy(texts[i] = ends[i] - strlen(text) - 1, text);
  }
  may_write(0);
  NUMBER_OF_TEXT(strtol);
  NUMBER_OF_TEXT(strtoll);
  NUMBER_OF_TEXT(strtoul);
  NUMBER_OF_TEXT(strtoull);
  if (number == 10 && errno != ERANGE)
    SAME("atoi", atoi(texts[0]), model_atoi(texts[2]));
}

/* What is exact is the same bit by bit; the sign of what is no number counts, too. */
#define FLOAT_OF_TEXT(name, type)                                                                      \
  do {                                                                                                 \
    char *end[2] = {NULL, NULL};                                                                       \
    errno = *model___errno_location() = is_open = 0;                                                   \
    type should = name(texts[0], &end[0]), is = model_##name(texts[2], &end[1]);                       \
    SAME("the end of " #name, at(end[0], 0), at(end[1], 2));                                           \
    exact_floats += !is_open;                                                                          \
    if (!is_open) {                                                                                    \
      SAME(#name, should != should ? 1 : should, is != is ? 1 : is);                                   \
      SAME("sign of " #name, !!__builtin_signbit(should), !!__builtin_signbit(is));                    \
      SAME("errno of " #name, errno, 0);                                                               \
    }                                                                                                  \
  } while (0)
static int exact_floats;
static void floats_in_texts(void) {
  static const char *const letters[] = {"01289.e+-", "-+ 0123456789.eE", "0x1fFpP.-+", "infatyNA()_1", "9007199254740993e.0"};
  static const char *const kinds[] = {"%g", "%.17g", "%a", "%.3f", "%e", "%.0f", "%.20f", "-%g00000"};
  int number = rand() % 5;
  may_write(1);
  draw(1, "a");
  draw(0, letters[number]);
  char text[100] = "";
  if (rand() % 3 == 0) {
    double value = (rand() % 2000000 - 1000000) / (rand() % 2 ? 1 : 1000.0) * (rand() % 2 ? 1 : 1e9);
    snprintf(text, sizeof text, kinds[rand() % 8], value);
  } else if (rand() % 3 == 0) {
    for (int n = 10 + rand() % 40; n; n--)
      strncat(text, &"0000123456789.0000e-1"[rand() % 21], 1);
  }
  for (int i = 0; i < 4 && text[0]; i += 2)
    strcpy(texts[i] = ends[i] - strlen(text) - 1, text);
  may_write(0);
  FLOAT_OF_TEXT(strtod, double);
  FLOAT_OF_TEXT(strtof, float);
  FLOAT_OF_TEXT(strtold, long double);
}

/* A number by a format with a width, a precision and flags, as the lowering takes it apart. */
static void formats(void) {
  static const char *const flags[] = {"", "0", "+", " ", "-", "+0", "-+"};
  int number = rand() % 3 ? rand() % 2000 - 1000 : (int)(rand() * 2u + rand()), which = rand() % 7;
  int width = rand() % 8, least = rand() % 3 ? -1 : rand() % 6, room = rand() % 14;
  int is_left = which == 4 || which == 6, how = which == 1 || which == 5 ? 1 : 0;
  how |= which == 2 || which >= 5 ? 2 : which == 3 ? 4 : 0;
  int kind = rand() % 4;
  /* Flags that ask for a sign are for numbers that have one. */
  if (kind && how & 6)
    return;
  char format[32], point[8] = "";
  if (least >= 0)
    sprintf(point, ".%d", least);
  sprintf(format, "%%%s%d%s%c", flags[which], width, point, "duxX"[kind]);
  if (!width)
    sprintf(format, "%%%s%s%c", flags[which], point, "duxX"[kind]);
  char should[24], is[24];
  memset(should, 'z', sizeof should);
  memset(is, 'z', sizeof is);
  int length = snprintf(should, room, format, number);
  long long wide = is_left ? -width : width;
  size_t done;
  if (kind == 0)
    done = __beeline_print_signed32(is, room, 0, wide, number, 10, least, how);
  else
    done = __beeline_print_unsigned32(is, room, 0, wide, number, kind == 1 ? 10 : 16, least, how | (kind == 3 ? 8 : 0));
  draw(0, "a"), draw(1, "a");
  SAME(format, length, model___beeline_print_end(is, room, done));
  SAME(format, 0, memcmp(should, is, sizeof is));
  char *text = "some text" + rand() % 10;
  memset(should, 'z', sizeof should);
  memset(is, 'z', sizeof is);
  length = is_left ? snprintf(should, room, "%-*.*s", width, least, text) : snprintf(should, room, "%*.*s", width, least, text);
  done = model___beeline_print_text(is, room, 0, wide, least, text);
  SAME("a text", length, model___beeline_print_end(is, room, done));
  SAME("a text", 0, memcmp(should, is, sizeof is));
}

/* What is scanned is compared where C defines it, and the number of conversions. */
static void scans(void) {
  int number = rand() % 5, width = rand() % 2 ? -1 : 1 + rand() % 4;
  may_write(1);
  draw(1, "a");
  draw(0, rand() % 2 ? "-+019 x" : "12 ab,");
  may_write(0);
  int is_number = number < 3;
  unsigned value[2] = {77, 77};
  char word[2][LONGEST + 1] = {"zzzzzzzz", "zzzzzzzz"}, format[32], size[8] = "";
  if (width > 0)
    sprintf(size, "%d", width);
  sprintf(format, "%%%s%c,", size, "duxsc"[number]);
  int count = is_number ? sscanf(texts[0], format, &value[0]) : sscanf(texts[0], format, word[0]);
  is_open = 0;
  model___beeline_scan_begin(texts[2]);
  switch (number) {
    case 0: __beeline_scan_signed32(width, (int *)&value[1]); break;
    case 1: __beeline_scan_unsigned32(width, &value[1]); break;
    case 2: __beeline_scan_hexadecimal32(width, &value[1]); break;
    case 3: model___beeline_scan_word(width, word[1]); break;
    case 4: model___beeline_scan_characters(width < 0 ? 1 : width, word[1]); break;
  }
  model___beeline_scan_letters(",", 1);
  int counted = model___beeline_scan_end();
  if (is_open)
    return;
  SAME(format, count, counted);
  SAME(format, value[0], value[1]);
  SAME(format, 0, memcmp(word[0], word[1], sizeof word[0]));
}

static int same_float(double a, double b) { return a != a ? b != b : a == b && signbit(a) == signbit(b); }
#define FLOAT(name, ...)                                                             \
  do {                                                                               \
    if (!same_float(name(__VA_ARGS__), model_##name(__VA_ARGS__)))                   \
      printf("%s of %a, %a, %d\n", failed = #name, x, y, n);                         \
  } while (0)
static double any_float(void) {
  static const double special[] = {0.0, -0.0, 1, -1, 0.5, -1.5, 2.5, 3, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023,
                                   INFINITY, -INFINITY, NAN, 0x1p52, 0x1.8p53, 1e-310, -7.25, 0x1p-149, 0x1p127};
  unsigned long long bits = (unsigned long long)rand() << 42 ^ (unsigned long long)rand() << 21 ^ rand();
  double any;
  memcpy(&any, &bits, sizeof any);
  return rand() % 3 ? special[rand() % 20] : any;
}
static void floats(void) {
  double x = any_float(), y = any_float(), parts[2];
  int n = rand() % 3 ? rand() % 300 - 150 : rand() % 5000 - 2500, powers[2] = {0, 0};
  FLOAT(ldexp, x, n);
  FLOAT(scalbn, x, n);
  FLOAT(ldexpf, (float)x, n);
  FLOAT(nextafter, x, y);
  FLOAT(nextafterf, (float)x, (float)y);
  /* For numbers below the normal ones, glibc may return a zero with the wrong sign. */
  if (!(fabs(y) < 0x1p-1000))
    FLOAT(remainder, x, y);
  if (!(fabs(y) < 0x1p-100))
    FLOAT(remainderf, (float)x, (float)y);
  FLOAT(logb, x);
  FLOAT(ilogb, x);
  FLOAT(lround, x > -1e9 && x < 1e9 ? x : 0);
  FLOAT(lrint, x > -1e9 && x < 1e9 ? x : 0);
  if (!same_float(frexp(x, &powers[0]), model_frexp(x, &powers[1])) || (isfinite(x) && powers[0] != powers[1]))
    printf("%s of %a\n", failed = "frexp", x);
  if (!same_float(modf(x, &parts[0]), model_modf(x, &parts[1])) || !same_float(parts[0], parts[1]))
    printf("%s of %a\n", failed = "modf", x);
}

static void letters(void) {
  const unsigned short *table = *model___ctype_b_loc(), *known = *__ctype_b_loc();
  for (int c = -128; c < 256; c++) {
    if (table[c] != known[c] || (*model___ctype_tolower_loc())[c] != (*__ctype_tolower_loc())[c] ||
        (*model___ctype_toupper_loc())[c] != (*__ctype_toupper_loc())[c])
      printf("%s of %d\n", failed = "the tables of letters", c);
#define CLASS(name)                     \
  if (c >= -1 && !name(c) != !model_##name(c)) \
    printf("%s of %d\n", failed = #name, c);
    CLASS(isalpha) CLASS(isdigit) CLASS(isalnum) CLASS(isupper) CLASS(islower) CLASS(isspace) CLASS(isblank) CLASS(iscntrl)
    CLASS(isprint) CLASS(isgraph) CLASS(ispunct) CLASS(isxdigit)
    if (tolower(c) != model_tolower(c) || toupper(c) != model_toupper(c))
      printf("%s of %d\n", failed = "tolower or toupper", c);
  }
}

int main(void) {
  make_pages();
  letters();
  for (int run = 0; run < RUNS && !failed; run++) {
    may_write(1);
    switch (run % 8) {
      case 0: only_read(); break;
      case 1: take_apart(); break;
      case 2: written(); break;
      case 3: numbers_in_texts(); break;
      case 4: formats(); break;
      case 5: scans(); break;
      case 6: floats(); break;
      case 7: floats_in_texts(); break;
    }
  }
  if (exact_floats < RUNS / 8 && !failed)
    printf("%d floats in texts are exact\n", exact_floats), failed = "exact floats";
  fflush(stdout);
  return failed != NULL;
}
