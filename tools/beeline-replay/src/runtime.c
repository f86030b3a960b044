/* What every harness has: the values of its paths in order, reports, and the functions of libraries that a program
 * takes inputs from. Nothing here calls a function that the program may define itself. */

#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>
#ifdef __i386__
/* Debian has no <asm/unistd.h> for the other width. */
enum { SYS_read = 3, SYS_write = 4, SYS_close = 6, SYS_chdir = 12, SYS_fcntl = 55, SYS_exit_group = 252, SYS_openat = 295,
       SYS_mkdirat = 296, SYS_faccessat = 307 };
#else
#include <sys/syscall.h>
#endif

/* A program may leave any other name to be defined here. */
#define path beeline_path
#define line beeline_line
#define line_room beeline_line_room
#define is_line beeline_is_line
#define begin_line beeline_begin_line
#define blank_line beeline_blank_line
#define read_line beeline_read_line
#define begin_read beeline_begin_read
#define touch beeline_touch
#define check_line beeline_check_line
#define unread beeline_unread
#define unread_count beeline_unread_count
#define next beeline_next
#define report beeline_report
#define begin beeline_begin
#define first beeline_first
#define length_of beeline_length_of
#define tell beeline_tell
#define say beeline_say
#define end beeline_end
#define pass beeline_pass
#define same beeline_same
#define take_if_next beeline_take_if_next
#define take beeline_take
#define refused beeline_refused
#define is_one_of beeline_is_one_of
#define is_read_as beeline_is_read_as
#define skips_blanks beeline_skips_blanks
#define check_scan beeline_check_scan
#define assert_failed beeline_assert_failed
#define found_in_environment beeline_found_in_environment
#define outside_at beeline_outside_at
#define link_outside beeline_link_outside
#define enter_world beeline_enter_world
#define moved_up beeline_moved_up

/* A value: the function that returns it, its bits, and where it is read. */
struct value {
  const char *function;
  unsigned long long bits[2];
  const char *place;
};

/* A byte that memory holds when it begins to exist: where (-1: on the heap), the so-manieth time (-1: each time). */
struct fill {
  int storage, time;
  unsigned long long offset;
  unsigned char byte;
};

/* A thread goes on past a scheduling point. */
struct turn {
  unsigned thread;
  int point;
};

/* Memory behind pointers from outside: what it is natively, and its address and size on the path. */
struct chunk {
  unsigned char *bytes;
  unsigned long long start, size;
};

/* A pointer in such memory, and where it leads. */
struct pointer {
  unsigned char *at;
  void *to;
};

/* A path: what it gives the program, and which target and which mark it is to reach. */
struct path {
  const struct value *values;
  unsigned count;
  const struct fill *fills;
  unsigned fill_count;
  const unsigned long long (*arguments)[2];
  int target, mark;
  const struct turn *turns;
  unsigned turn_count;
  const unsigned *created;
  unsigned created_count;
  /* Does it end where threads are: two that race, or all that wait? */
  unsigned char ends_with_threads;
  unsigned racing[2];
  const struct chunk *outside;
  unsigned outside_count;
  const struct pointer *pointers;
  unsigned pointer_count;
};

extern const struct path beeline_paths[];
/* The one that this run is about. */
static const struct path *path = beeline_paths;

extern const unsigned char beeline_kinds[];
extern unsigned beeline_times[];
enum { PLAIN, ON_HEAP, READ };

/* What the program reads: where to, how much room there is, and whether it is a line. */
static unsigned char *line;
static int is_line;
static unsigned long long line_room;
static void begin_line(int wanted, int time);
static void check_line(void);

/* Where a scan has not come to: that is not written. */
static void *unread[16];
static unsigned unread_count;

extern size_t malloc_usable_size(void *);

/* Memory is filled when the function that has it begins, which is before it may be used. */
__attribute__((no_sanitize("address"))) void beeline_fill(unsigned char *memory, int storage) {
  static unsigned on_heap;
  if (!memory)
    return;
  int kind = beeline_kinds[storage], time = (int)(kind == ON_HEAP ? on_heap++ : beeline_times[storage]++);
  for (unsigned i = 0; i < unread_count && i < 16; i++)
    if (unread[i] == memory)
      return;
  int wanted = kind == ON_HEAP ? -1 : storage;
  if (kind == READ && memory != line)
    return;
  unsigned long long room = kind == READ ? line_room : kind == ON_HEAP ? malloc_usable_size(memory) : -1ull;
  if (kind == READ && is_line)
    begin_line(wanted, time);
  for (unsigned i = 0; i < path->fill_count; i++) {
    const struct fill *fill = &path->fills[i];
    if (fill->storage == wanted && (fill->time == time || fill->time == -1))
      if (fill->offset < room)
        memory[fill->offset] = fill->byte;
  }
  if (kind == READ && is_line)
    check_line();
}

static unsigned next;
static int report = -1;

#ifdef AS_COMMAND
static void enter_world(void);
#endif

__attribute__((no_sanitize("all"))) static void begin(void) {
  char digits[12] = "";
  int file = (int)syscall(SYS_openat, AT_FDCWD, "path.txt", O_RDONLY, 0);
  if (file >= 0) {
    syscall(SYS_read, file, digits, sizeof digits - 1);
    syscall(SYS_close, file);
  }
  unsigned number = 0;
  for (const char *at = digits; *at >= '0' && *at <= '9'; at++)
    number = 10 * number + (unsigned)(*at - '0');
  path = &beeline_paths[number];
  report = (int)syscall(SYS_openat, AT_FDCWD, "report.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
#ifdef AS_COMMAND
  enter_world();
#endif
}
/* Constructors of the program take inputs, too: this is before all of them. */
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = begin;

static size_t length_of(const char *text) {
  size_t length = 0;
  while (text[length])
    length++;
  return length;
}

/* Tells beeline-replay. */
static void tell(const char *text) {
  if (report >= 0)
    syscall(SYS_write, report, text, length_of(text));
}

/* Tells people as well. */
static void say(const char *text) {
  syscall(SYS_write, 2, text, length_of(text));
  tell(text);
}

/* Ends the program: the first word is for beeline-replay, the rest for people. */
__attribute__((noreturn)) static void end(const char *word, const char *about) {
  say(word);
  say(" ");
  say(about);
  say("\n");
  syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

/* Tells of a mark that is not the one that is looked for. */
__attribute__((unused)) static void pass(unsigned number) {
  char digits[12] = "";
  unsigned at = sizeof digits - 1;
  do
    digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  tell("passed ");
  tell(digits + at);
  tell("\n");
}

/* What an address from outside is natively. */
__attribute__((unused)) static void *outside_at(unsigned long long address) {
  for (unsigned i = 0; i < path->outside_count; i++) {
    const struct chunk *chunk = &path->outside[i];
    if (address - chunk->start < chunk->size)
      return chunk->bytes + (address - chunk->start);
  }
  /* The memory there is unknown. */
  end("assume", "");
}

/* Sets the pointers in memory from outside. */
__attribute__((unused)) static void link_outside(void) {
  for (unsigned i = 0; i < path->pointer_count; i++)
    __builtin_memcpy(path->pointers[i].at, &path->pointers[i].to, sizeof(void *));
}

static int same(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

/* The next value, if it is this function's. */
static const unsigned long long *take_if_next(const char *function) {
  unread_count = 0;
  return next < path->count && same(path->values[next].function, function) ? path->values[next++].bits : NULL;
}

/* The next value, which must be this function's. */
static const unsigned long long *take(const char *function) {
  const unsigned long long *bits = take_if_next(function);
  if (!bits)
    end(next < path->count ? "other-input" : "more-input", function);
  return bits;
}

#ifdef REFUSING
/* Requests for memory that are refused where the path has it so; `malloc_fails` is what the lowering calls that. */
extern int *__errno_location(void);
static int refused(void) {
  const unsigned long long *given = take_if_next("malloc_fails");
  if (given && given[0])
    *__errno_location() = 12;
  return given && given[0];
}
extern void *__real_malloc(size_t), *__real_calloc(size_t, size_t), *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t size) { return refused() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t n, size_t size) { return refused() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *old, size_t size) { return refused() ? NULL : __real_realloc(old, size); }
#endif

/* What the counterexample does not tell of a line is blank up to its last character, and a zero comes behind that. */
static void begin_line(int wanted, int time) {
  unsigned long long end = 0;
  for (unsigned i = 0; i < path->fill_count; i++) {
    const struct fill *fill = &path->fills[i];
    if (fill->storage == wanted && (fill->time == time || fill->time == -1))
      if (fill->byte && fill->offset < line_room && fill->offset >= end)
        end = fill->offset + 1;
  }
  for (unsigned long long i = 0; i < end; i++)
    line[i] = ' ';
  if (end < line_room)
    line[end] = 0;
}

/* What was there before is no line that was read, whether or not the counterexample tells of this one. */
__attribute__((unused)) static void blank_line(void) {
  if (line_room > 1)
    line[0] = ' ';
  if (line_room > 0)
    line[line_room > 1] = 0;
}

/* A line ends with a zero, and has a line feed only before that. */
static void check_line(void) {
  unsigned long long length = 0;
  while (length < line_room && line[length] && line[length] != 10)
    length++;
  length += length < line_room && line[length] == 10;
  if (length == 0 || length >= line_room || line[length])
    end("assume", "");
  line = NULL;
}

static int is_one_of(char letter, const char *letters) {
  while (*letters && *letters != letter)
    letters++;
  return letter && *letters == letter;
}

/* Is a word what a conversion from `%` on reads: of so many letters at most, which are none of a space, or those of a set? */
static int is_read_as(const char *set, const char *word, unsigned long long most) {
  unsigned long long length = 0;
  for (; length < most && word[length]; length++) {
    if (!set) {
      if (is_one_of(word[length], " \t\n\v\f\r"))
        return 0;
      continue;
    }
    const char *at = set + (*set == '^');
    int found = 0;
    for (const char *first = at; at == first || *at != ']'; at++)
      if (at[1] == '-' && at[2] != ']') {
        found |= at[0] <= word[length] && word[length] <= at[2];
        at += 2;
      } else
        found |= *at == word[length];
    if (found == (*set == '^'))
      return 0;
  }
  return length > 0 && !word[length];
}

/* Does a conversion, from behind the `%` on, begin behind any number of blanks? */
static int skips_blanks(const char *conversion) {
  while (is_one_of(*conversion, "0123456789hlLjztq"))
    conversion++;
  return is_one_of(*conversion, "diuxXoaAeEfFgGs");
}

/* A scan that counts so many conversions. Numbers are put there behind the call, words are there already. It ends the program
 * where no file can hold what they are, or where that is not known. */
__attribute__((unused)) static void check_scan(const char *format, int count, va_list arguments) {
  const char *start = format;
  for (int index = 0; *format; format++) {
    const char *percent = format;
    if (*format != '%' || *++format == '%')
      continue;
    unsigned long long width = 0;
    for (; *format >= '0' && *format <= '9'; format++)
      width = 10 * width + (unsigned)(*format - '0');
    int has_size = is_one_of(*format, "hlLjztq");
    while (is_one_of(*format, "hlLjztq"))
      format++;
    char kind = *format;
    const char *set = kind == '[' ? format + 1 : NULL;
    if (set)
      for (format = set + (*set == '^') + 1; *format && *format != ']'; format++)
        ;
    if (!*format || kind == '*')
      end("assume", "");
    void *to = va_arg(arguments, void *);
    int is_last = index + 1 == count || is_one_of(format[1], " \t\n"), is_possible;
    if (kind == 's' && format[1] == '%')
      is_last |= skips_blanks(format + 2);
    if (set || kind == 's')
      is_possible = !has_size && is_last && is_read_as(set, to, width ? width : -1ull);
    else if (kind == 'c')
      is_possible = !has_size && percent == start;
    else
      is_possible = !width && is_one_of(kind, "diuxXoaAeEfFgG");
    if (index++ >= count)
      unread[unread_count++ % 16] = to;
    else if (!is_possible)
      end("assume", "");
  }
}
#define SCAN(function, name, stream, ...)       \
  int function(__VA_ARGS__, ...) __asm__(name); \
  int function(__VA_ARGS__, ...) {              \
    va_list arguments;                          \
    va_start(arguments, format);                \
    SCANNED(name, stream)                       \
    va_end(arguments);                          \
    return count;                               \
  }
#define SCAN_LIST(function, name, stream, ...)                \
  int function(__VA_ARGS__, va_list arguments) __asm__(name); \
  int function(__VA_ARGS__, va_list arguments) {              \
    SCANNED(name, stream)                                     \
    return count;                                             \
  }
#define SCANNED(name, stream)                           \
  const unsigned long long *given = take_if_next(name); \
  int count = given ? (int)given[0] : 0;                \
  check_scan(format, count, arguments);                 \
  if (count < 0)                                        \
    reach_end(stream);

/* A stream that has given less than was asked for is at its end, and says so: the flags are the first word of its FILE. (It could
 * have failed as well: such a path is not confirmed.) */
#define reach_end beeline_reach_end
extern int *beeline_stdin __asm__("stdin");
__attribute__((unused)) static void reach_end(void *stream) {
  enum { IO_EOF_SEEN = 0x10 };
  *(int *)stream |= IO_EOF_SEEN;
}

/* Looks whether there is room for so many bytes, as the sanitizer sees it. */
__attribute__((unused)) static void touch(volatile unsigned char *to, size_t count) {
  for (; count; count--, to++)
    *to = *to;
}

/* So many things of a size are read, of as many as there was room for. */
static void begin_read(void *to, long got, size_t count, size_t size) {
  if (got > 0 && (size_t)got > count)
    end("assume", "");
  line = to;
  is_line = 0;
  line_room = got > 0 ? got * size : 0;
}

/* What is found in the environment by a name: the same each time, texts apart from each other. It ends the program where no
 * environment is like that. */
__attribute__((unused)) static char *found_in_environment(const char *name, char *text) {
  static struct {
    char name[64], *text;
  } known[64];
  size_t length = length_of(name);
  unsigned i = 0;
  for (; i < 64 && known[i].name[0]; i++) {
    char *other = known[i].text;
    if (same(known[i].name, name) ? text != other
        : text && other && text <= other + length_of(other) && other <= text + length_of(text))
      end("assume", "");
  }
  if (i == 64 || length >= sizeof known[i].name || (text && (!length || is_one_of('=', name))))
    end("assume", "");
  for (size_t at = 0; at < length; at++)
    known[i].name[at] = name[at];
  known[i].text = text;
  return text;
}

/* A function that returns inputs, and one that is not known: calls of that are recorded only where the
 * program reads the result. */
#define INPUT(type, function, name) FUNCTION(type, function, name, take(name))
#define UNKNOWN(type, function, name) FUNCTION(type, function, name, take_if_next(name))
#define FUNCTION(type, function, name, taken)          \
  type function(void) __asm__(name);                   \
  type function(void) {                                \
    union {                                            \
      unsigned long long bits[2];                      \
      type value;                                      \
    } result = {{0, 0}};                               \
    const unsigned long long *given = taken;           \
    if (given) {                                       \
      result.bits[0] = given[0];                       \
      result.bits[1] = given[1];                       \
    }                                                  \
    return result.value;                               \
  }
/* Unknown functions without a result. */
#define NOTHING(function, name)      \
  void function(void) __asm__(name); \
  void function(void) {}
#define STOPS(function, name)        \
  void function(void) __asm__(name); \
  void function(void) { end("stopped", name); }

/* Functions below give way to the program's own. */
#define LIBRARY(result, function, name, ...)                 \
  result function(__VA_ARGS__) __asm__(name);                \
  __attribute__((weak)) result function(__VA_ARGS__)

/* Sanitizers have these as well, and come first: only the program's own may come before. */
#define INSTEAD(weak, result, function, name, ...) \
  result function(__VA_ARGS__) __asm__(name);      \
  weak result function(__VA_ARGS__)

LIBRARY(void, assume, "__VERIFIER_assume", int holds) {
  if (!holds)
    end("assume", "");
}
/* `assert` where the program has not included its header. */
static void assert_failed(void);
LIBRARY(void, library_assert, "assert", int holds) {
  if (!holds)
    assert_failed();
}
LIBRARY(void, atomic_begin, "__VERIFIER_atomic_begin", void) {}
LIBRARY(void, atomic_end, "__VERIFIER_atomic_end", void) {}

/* What clang calls for large atomic objects: libatomic need not be there. */
static volatile char atomic_lock;
static void atomic_lock_all(void) {
  while (__atomic_test_and_set(&atomic_lock, __ATOMIC_ACQUIRE))
    ;
}
static void atomic_unlock_all(void) { __atomic_clear(&atomic_lock, __ATOMIC_RELEASE); }
static void atomic_copy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((volatile char *)to)[i] = ((const volatile char *)from)[i];
}
static _Bool atomic_same(const void *a, const void *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (((const volatile char *)a)[i] != ((const volatile char *)b)[i])
      return 0;
  return 1;
}
LIBRARY(void, atomic_load, "__atomic_load", size_t n, const void *from, void *to, int order) {
  atomic_lock_all();
  atomic_copy(to, from, n);
  atomic_unlock_all();
}
LIBRARY(void, atomic_store, "__atomic_store", size_t n, void *to, const void *from, int order) {
  atomic_lock_all();
  atomic_copy(to, from, n);
  atomic_unlock_all();
}
LIBRARY(void, atomic_exchange, "__atomic_exchange", size_t n, void *object, const void *from, void *old, int order) {
  atomic_lock_all();
  atomic_copy(old, object, n);
  atomic_copy(object, from, n);
  atomic_unlock_all();
}
LIBRARY(_Bool, atomic_compare, "__atomic_compare_exchange", size_t n, void *object, void *expected, const void *from,
        int success, int failure) {
  atomic_lock_all();
  _Bool same = atomic_same(object, expected, n);
  same ? atomic_copy(object, from, n) : atomic_copy(expected, object, n);
  atomic_unlock_all();
  return same;
}
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 large;
LIBRARY(large, atomic_load_large, "__atomic_load_16", const large *from, int order) {
  large value;
  atomic_load(16, from, &value, order);
  return value;
}
LIBRARY(void, atomic_store_large, "__atomic_store_16", large *to, large value, int order) {
  atomic_store(16, to, &value, order);
}
LIBRARY(large, atomic_exchange_large, "__atomic_exchange_16", large *object, large value, int order) {
  large old;
  atomic_exchange(16, object, &value, &old, order);
  return old;
}
LIBRARY(_Bool, atomic_compare_large, "__atomic_compare_exchange_16", large *object, large *expected, large value,
        int success, int failure) {
  return atomic_compare(16, object, expected, &value, success, failure);
}
#define ATOMIC_FETCH(function, name, result)                       \
  LIBRARY(large, function, name, large *object, large value, int order) { \
    atomic_lock_all();                                             \
    large old = *object;                                           \
    *object = result;                                              \
    atomic_unlock_all();                                           \
    return old;                                                    \
  }
ATOMIC_FETCH(atomic_add_large, "__atomic_fetch_add_16", old + value)
ATOMIC_FETCH(atomic_sub_large, "__atomic_fetch_sub_16", old - value)
ATOMIC_FETCH(atomic_and_large, "__atomic_fetch_and_16", old & value)
ATOMIC_FETCH(atomic_or_large, "__atomic_fetch_or_16", old | value)
ATOMIC_FETCH(atomic_xor_large, "__atomic_fetch_xor_16", old ^ value)
ATOMIC_FETCH(atomic_nand_large, "__atomic_fetch_nand_16", ~(old & value))
#endif

/* The C library, where the world decides: as models/libc.c of the lowering has it. */
LIBRARY(int, input_rand, "rand", void) { return (int)take("rand")[0]; }
LIBRARY(long, input_random, "random", void) {
  /* An input by its name, where there are no models. */
  const unsigned long long *given = take_if_next("random");
  return given ? (long)given[0] : (int)take("rand")[0];
}
extern int *__errno_location(void);
#ifndef READS_OWN_DATA
/* The library looks into the stream. */
static int take_from(void *stream) {
  (void)*(volatile char *)stream;
  int given = (int)take("getchar")[0];
  if (given < 0)
    reach_end(stream);
  return given;
}
LIBRARY(int, input_getchar, "getchar", void) { return take_from(beeline_stdin); }
LIBRARY(int, input_fgetc, "fgetc", void *from) { return take_from(from); }
LIBRARY(int, input_getc, "getc", void *from) { return take_from(from); }
extern void *realloc(void *, size_t);
/* As the model has it: what is read comes letter by letter. */
static long read_line(char **to, size_t *room, int ending, void *from) {
  size_t n = 0;
  int given;
  if (!to || !room) {
    *__errno_location() = 22;
    return -1;
  }
  if (!*to || *room == 0) {
    *to = realloc(*to, 120);
    *room = 120;
  }
  do {
    given = take_from(from);
    if (given < 0)
      break;
    if (n + 2 > *room)
      *to = realloc(*to, *room *= 2);
    (*to)[n++] = (char)given;
  } while (given != ending);
  if (n == 0)
    return -1;
  (*to)[n] = 0;
  return (long)n;
}
INSTEAD(WEAK_GETDELIM, long, input_getdelim, "getdelim", char **to, size_t *room, int ending, void *from) {
  return read_line(to, room, ending, from);
}
INSTEAD(WEAK_GETLINE, long, input_getline, "getline", char **to, size_t *room, void *from) {
  return read_line(to, room, 10, from);
}
#endif
INSTEAD(WEAK_TIME, long, input_time, "time", long *to) {
  long now = (long)take("time")[0];
  if (to)
    *to = now;
  return now;
}
extern void *fdopen(int, const char *);
LIBRARY(void, nondet_memory, "__VERIFIER_nondet_memory", unsigned char *to, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = (unsigned char)take("memory")[0];
}
LIBRARY(void, make_symbolic, "klee_make_symbolic", unsigned char *to, size_t n, const char *name) {
  nondet_memory(to, n);
}
/* What CBMC knows of objects and a program that runs does not: the counterexample got here, so it may access them. Where it may
 * not, the program goes another way, which confirms nothing. */
LIBRARY(_Bool, may_read, "__CPROVER_r_ok", const void *from, size_t n) { return 1; }
LIBRARY(_Bool, may_write, "__CPROVER_w_ok", const void *to, size_t n) { return 1; }
LIBRARY(_Bool, leads_within, "beeline_leads_within", const void *to) { return 1; }
LIBRARY(_Bool, may_access, "__CPROVER_rw_ok", const void *at, size_t n) { return 1; }
#ifndef AS_COMMAND
INSTEAD(WEAK_FOPEN, void *, input_fopen, "fopen", const char *path, const char *mode) {
  if (!(int)take("fopen_succeeds")[0]) {
    *__errno_location() = 2;
    return NULL;
  }
  return fdopen((int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR), "r+");
}
#endif

/* The kernel's, in terms of the C library's. */
extern void *malloc(size_t), *calloc(size_t, size_t);
extern void free(void *);
LIBRARY(void *, kernel_malloc, "kmalloc", size_t size, int flags) { return malloc(size); }
LIBRARY(void *, kernel_malloc_, "__kmalloc", size_t size, int flags) { return malloc(size); }
LIBRARY(void *, kernel_vmalloc, "vmalloc", size_t size) { return malloc(size); }
LIBRARY(void *, kernel_zalloc, "kzalloc", size_t size, int flags) { return calloc(size, 1); }
LIBRARY(void *, kernel_zalloc_node, "kzalloc_node", size_t size, int flags, int node) { return calloc(size, 1); }
LIBRARY(void *, kernel_calloc, "kcalloc", size_t n, size_t size, int flags) { return calloc(n, size); }
LIBRARY(void, kernel_free, "kfree", void *object) { free(object); }
LIBRARY(void, kernel_vfree, "vfree", void *object) { free(object); }
LIBRARY(void, old_free, "cfree", void *object) { free(object); }
LIBRARY(int, kernel_print, "printk", const char *format, ...) { return 0; }
