/* A command finds what the counterexample has: its arguments, and files in a folder of its own. A first run makes them when
 * they are opened, by the name that the program asks for; a second run has these from the start (`complete`), and makes none.
 * A program that asks for what such a folder cannot have goes another way. */

#define copied_arguments beeline_copied_arguments
#define make_file beeline_make_file
#define fill_file beeline_fill_file
#define expect_file beeline_expect_file
#define flags_of beeline_flags_of
#define tell_of beeline_tell_of
#define home beeline_home
#define opened beeline_opened
#define opened_count beeline_opened_count
#define opened_next beeline_opened_next
#define files_read beeline_files_read
#define is_complete beeline_is_complete

enum { FILES = 2, LONGEST_NAME = 4096, NO_FILE = 2, HIGH = 200 };
static char opened[4096];
static long opened_count, opened_next;
static int files_read, is_complete, home = -1;

/* A descriptor that the program does not come to. */
static int moved_up(int file) {
  int high = (int)syscall(SYS_fcntl, file, F_DUPFD, HIGH);
  syscall(SYS_close, file);
  return high;
}

/* The program is in a folder of its own, and its descriptors begin with 3. */
__attribute__((no_sanitize("all"))) static void enter_world(void) {
  report = moved_up(report);
  home = moved_up((int)syscall(SYS_openat, AT_FDCWD, ".", O_RDONLY | O_DIRECTORY, 0));
  int file = (int)syscall(SYS_openat, home, "opened", O_RDONLY, 0);
  if (file >= 0) {
    opened_count = syscall(SYS_read, file, opened, sizeof opened);
    syscall(SYS_close, file);
  }
  is_complete = syscall(SYS_faccessat, home, "complete", 0) == 0;
  syscall(SYS_chdir, "world");
}

/* The arguments, each in memory that ends where it does, as a sanitizer sees. */
static char **copied_arguments(int count, char **list) {
  static char **copies, name[] = "program";
  copies = calloc((size_t)count + 1, sizeof *copies);
  copies[0] = name;
  for (int i = 1; i < count; i++) {
    size_t size = length_of(list[i]) + 1;
    copies[i] = malloc(size);
    for (size_t at = 0; at < size; at++)
      copies[i][at] = list[i][at];
  }
  return copies;
}

/* Makes an empty file of a name, with the folders that it lies in. */
static int make_file(const char *name) {
  static char part[LONGEST_NAME];
  size_t length = length_of(name);
  if (length >= sizeof part)
    end("assume", "");
  for (size_t i = 0; i <= length; i++) {
    if (name[i] == '/') {
      part[i] = 0;
      syscall(SYS_mkdirat, AT_FDCWD, part, 0700);
    }
    part[i] = name[i];
  }
  int file = (int)syscall(SYS_openat, AT_FDCWD, part, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0)
    end("assume", "");
  return file;
}

/* Tells of a file that was made: its name in hexadecimal digits, and which it is. */
static void tell_of(const char *name, int number) {
  tell("made ");
  for (; *name; name++) {
    const char *digits = "0123456789abcdef";
    char two[3] = {digits[(unsigned char)*name >> 4], digits[*name & 15], 0};
    tell(two);
  }
  tell(number == 1 ? " 1\n" : " 2\n");
}

static void fill_file(int to, int number) {
  char source[] = "file0", bytes[4096];
  source[4] = (char)('0' + number);
  int from = (int)syscall(SYS_openat, home, source, O_RDONLY, 0);
  for (long got; (got = syscall(SYS_read, from, bytes, sizeof bytes)) > 0;)
    syscall(SYS_write, to, bytes, got);
  syscall(SYS_close, from);
  syscall(SYS_close, to);
}

/* Sees to it that a file is there or not, as the counterexample has it: can it be opened? Models of the lowering say what is
 * not asked (models/world.c). */
static int expect_file(const char *name, int flags) {
  int reads = (flags & O_ACCMODE) == O_RDONLY;
  int is_there = name[0] && syscall(SYS_faccessat, AT_FDCWD, name, 0) == 0;
  int is_asked = name[0] && name[0] != '/' && !(reads && files_read == FILES);
  if (is_asked && opened_next >= opened_count)
    end("more-input", "a file");
  if (!is_asked || opened[opened_next++] != '1') {
    if (is_there && name[0] != '/')
      end("assume", "");
    *__errno_location() = NO_FILE;
    return 0;
  }
  /* What lies above the folder is not the program's. */
  for (const char *at = name; *at; at++)
    if (at[0] == '.' && at[1] == '.')
      end("assume", "");
  files_read += reads;
  if (!is_there && reads) {
    if (is_complete)
      end("missing-file", "");
    fill_file(make_file(name), files_read);
    tell_of(name, files_read);
  }
  return 1;
}

extern int __real_open(const char *, int, ...);
extern void *__real_fopen(const char *, const char *);
int __wrap_open(const char *name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  unsigned mode = flags & O_CREAT ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  if (!expect_file(name, flags))
    return -1;
  int file = __real_open(name, flags, mode);
  if (file < 0)
    end("assume", "");
  return file;
}
int __wrap_open64(const char *, int, ...) __attribute__((alias("__wrap_open")));
int __wrap_creat(const char *name, unsigned mode) { return __wrap_open(name, O_WRONLY | O_CREAT | O_TRUNC, mode); }

/* How a mode of fopen opens, or -1. */
static int flags_of(const char *mode) {
  int both = mode[0] && (mode[1] == '+' || (mode[1] && mode[2] == '+'));
  int writes = both ? O_RDWR : O_WRONLY;
  return mode[0] == 'r'   ? both ? O_RDWR : O_RDONLY
         : mode[0] == 'w' ? writes | O_CREAT | O_TRUNC
         : mode[0] == 'a' ? writes | O_CREAT | O_APPEND
                          : -1;
}
void *__wrap_fopen(const char *name, const char *mode) {
  int flags = flags_of(mode);
  if (flags >= 0 && !expect_file(name, flags))
    return NULL;
  void *stream = __real_fopen(name, mode);
  if (!stream && flags >= 0)
    end("assume", "");
  return stream;
}
void *__wrap_fopen64(const char *, const char *) __attribute__((alias("__wrap_fopen")));
