/* The world of a program that is started as a command (`--as-command`): its arguments, its standard input, and the files
 * that it opens, as C compiled into programs.
 *
 * All of it is input, of bounded size, and beeline-replay gives a native program exactly that: real arguments, a folder with
 * real files, and the C library of the system, which is where these functions have to agree with. They follow POSIX for
 * regular files. What is written is written, and what is read can be read: a device that fails is left out. A file that
 * is opened for reading and writing holds anything. */

typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)
#define EOF (-1)

void *malloc(size_t size);
void free(void *object);
size_t strlen(const char *text);
int *__errno_location(void);
#define errno (*__errno_location())
enum { EBADF = 9, EINVAL = 22, ENOTTY = 25 };

void __VERIFIER_assume(int);
int __beeline_any_int(void), __beeline_guess_errno(void);
long long __beeline_any_long(void);

/* What these models do not do ends an execution, which is counted. */
void __beeline_not_modelled_open(void), __beeline_not_modelled_ungetc(void), __beeline_not_modelled_scanf(void),
    __beeline_not_modelled_fmemopen(void);

/* What is drawn. The names end as beeline-replay knows them (crates/witness/src/command.rs). */
int draw_more_arguments(void) __asm__("__beeline_input_world.more-arguments");
unsigned char draw_letter(void) __asm__("__beeline_input_world.letter");
int draw_opened(void) __asm__("__beeline_input_world.opened");
int draw_stdin(void) __asm__("__beeline_input_world.stdin");
int draw_file1(void) __asm__("__beeline_input_world.file1");
int draw_file2(void) __asm__("__beeline_input_world.file2");

/* Arguments: the name of the program, and at most four others of at most eight bytes. */

enum { MOST_ARGUMENTS = 4, LONGEST = 8 };
static char name[] = "program";
static char text1[LONGEST + 1], text2[LONGEST + 1], text3[LONGEST + 1], text4[LONGEST + 1];
static char *const texts[MOST_ARGUMENTS] = {text1, text2, text3, text4};
static char *list[MOST_ARGUMENTS + 2] = {name};
static char *environment[1];

/* How many there are. The last byte of each is zero already. */
static int arguments(void) {
  int count = 1;
  while (count <= MOST_ARGUMENTS && draw_more_arguments()) {
    char *text = texts[count - 1];
    /* Without a loop, which a search would look at turn by turn. */
    text[0] = draw_letter(), text[1] = draw_letter(), text[2] = draw_letter(), text[3] = draw_letter();
    text[4] = draw_letter(), text[5] = draw_letter(), text[6] = draw_letter(), text[7] = draw_letter();
    list[count++] = text;
  }
  return count;
}

/* Where the program starts, by how many parameters `main` has. */
int main0(void) __asm__("main");
int main1(int) __asm__("main");
int main2(int, char **) __asm__("main");
int main3(int, char **, char **) __asm__("main");
int __beeline_command0(void) { return main0(); }
int __beeline_command1(void) { return main1(arguments()); }
int __beeline_command2(void) {
  int count = arguments();
  return main2(count, list);
}
int __beeline_command3(void) {
  int count = arguments();
  return main3(count, list, environment);
}

/* What files hold: the standard input comes first. A byte is drawn when it is read for the first time. */

enum { FILES = 3, ROOM = 1024, STANDARD_INPUT = 0, NOWHERE = -1, ANYTHING = -2 };
static struct content {
  size_t known;
  int is_whole;
  unsigned char bytes[ROOM];
} contents[FILES];
static int files = 1;

static int draw(int file) {
  int byte = file == STANDARD_INPUT ? draw_stdin() : file == 1 ? draw_file1() : draw_file2();
  __VERIFIER_assume(-1 <= byte && byte <= 255);
  return byte;
}
static void draw_next(int file) {
  struct content *content = &contents[file];
  int byte = content->known < ROOM ? draw(file) : EOF;
  if (byte < 0)
    content->is_whole = 1;
  else
    content->bytes[content->known++] = (unsigned char)byte;
}
/* The byte at a place, or EOF. Only behind a seek more than one of them is not known yet. */
static int byte_at(int file, size_t at) {
  struct content *content = &contents[file];
  if (at > content->known)
    while (content->known < at && !content->is_whole)
      draw_next(file);
  if (at == content->known && !content->is_whole)
    draw_next(file);
  return at < content->known ? content->bytes[at] : EOF;
}
static size_t size_of(int file) {
  while (!contents[file].is_whole)
    draw_next(file);
  return contents[file].known;
}

/* fcntl.h, unistd.h: descriptors. The system gives the least number that is free. */

enum { DESCRIPTORS = 12, ACCESS = 3, READ_ONLY = 0, WRITE_ONLY = 1, READ_WRITE = 2 };
static struct description {
  int is_open, access, file;
  size_t at;
} descriptions[DESCRIPTORS] = {{1, READ_ONLY, STANDARD_INPUT, 0}, {1, WRITE_ONLY, NOWHERE, 0}, {1, WRITE_ONLY, NOWHERE, 0}};

static struct description *description(int number) {
  if (number >= 0 && number < DESCRIPTORS && descriptions[number].is_open)
    return &descriptions[number];
  errno = EBADF;
  return NULL;
}
/* What any of the reasons may be why a file cannot be opened. */
static void set_any_error(void) {
  int error = __beeline_guess_errno();
  __VERIFIER_assume(1 <= error && error <= 4095);
  errno = error;
}
/* There is no file by an empty name, none outside of the folder by a name from the root on, and no third one to be read. */
static int opened(const char *path, int access) {
  if (!path[0] || path[0] == '/' || (access == READ_ONLY && files == FILES) || !draw_opened()) {
    set_any_error();
    return -1;
  }
  int number = 0;
  while (number < DESCRIPTORS && descriptions[number].is_open)
    number++;
  if (number == DESCRIPTORS)
    __beeline_not_modelled_open();
  descriptions[number].is_open = 1;
  descriptions[number].access = access;
  descriptions[number].file = access == READ_ONLY ? files++ : access == WRITE_ONLY ? NOWHERE : ANYTHING;
  descriptions[number].at = 0;
  return number;
}
int open(const char *path, int flags, ...) { return opened(path, flags & ACCESS); }
int open64(const char *path, int flags, ...) { return opened(path, flags & ACCESS); }
int creat(const char *path, unsigned mode) { return opened(path, WRITE_ONLY); }
int close(int number) {
  struct description *from = description(number);
  if (!from)
    return -1;
  from->is_open = 0;
  return 0;
}
static int byte_from(struct description *from) {
  if (from->file == ANYTHING) {
    int byte = __beeline_any_int();
    __VERIFIER_assume(-1 <= byte && byte <= 255);
    return byte;
  }
  int byte = byte_at(from->file, from->at);
  if (byte >= 0)
    from->at++;
  return byte;
}
long read(int number, void *to, size_t count) {
  struct description *from = description(number);
  if (!from)
    return -1;
  if (from->access == WRITE_ONLY) {
    errno = EBADF;
    return -1;
  }
  size_t got = 0;
  for (int byte; got < count && (byte = byte_from(from)) >= 0; got++)
    ((unsigned char *)to)[got] = (unsigned char)byte;
  return (long)got;
}
/* What is written is looked at, for it has to be there. */
static unsigned char last_written;
static void written(const void *from, size_t count) {
  if (count) {
    last_written = ((const unsigned char *)from)[0];
    last_written = ((const unsigned char *)from)[count - 1];
  }
}
long write(int number, const void *from, size_t count) {
  struct description *to = description(number);
  if (!to)
    return -1;
  if (to->access == READ_ONLY) {
    errno = EBADF;
    return -1;
  }
  written(from, count);
  return (long)count;
}
int isatty(int number) {
  if (description(number))
    errno = ENOTTY;
  return 0;
}
enum { SET, CURRENT, END };
static long moved(struct description *from, long by, int whence) {
  if (from->file < 0)
    return (long)__beeline_any_long();
  long start = whence == SET ? 0 : whence == CURRENT ? (long)from->at : whence == END ? (long)size_of(from->file) : -1;
  if (start < 0 || start + by < 0) {
    errno = EINVAL;
    return -1;
  }
  from->at = (size_t)(start + by);
  return (long)from->at;
}
long lseek(int number, long by, int whence) {
  struct description *from = description(number);
  return from ? moved(from, by, whence) : -1;
}
long long lseek64(int number, long long by, int whence) { return lseek(number, (long)by, whence); }

/* stdio.h: streams. What is written is passed over, as models of the lowering do (`fprintf` and the like are theirs). */

enum { MOST_BACK = 4 };
struct stream {
  int number, is_at_end, has_failed, back;
  unsigned char put_back[MOST_BACK];
  /* A stream that reads memory has no descriptor. */
  const unsigned char *memory;
  size_t size, at;
};
static struct stream standard[3] = {{0}, {1}, {2}};
struct stream *stdin = &standard[0], *stdout = &standard[1], *stderr = &standard[2];

static int access_of(const char *mode) {
  int both = mode[0] && (mode[1] == '+' || (mode[1] && mode[2] == '+'));
  return both ? READ_WRITE : mode[0] == 'r' ? READ_ONLY : WRITE_ONLY;
}
struct stream *fdopen(int number, const char *mode) {
  struct description *opened = description(number);
  if (!opened)
    return NULL;
  /* How the standard ones were opened is for who starts the program to say. */
  if (number > 2 && opened->access != READ_WRITE && opened->access != access_of(mode)) {
    errno = EINVAL;
    return NULL;
  }
  struct stream *stream = malloc(sizeof *stream);
  if (!stream)
    return NULL;
  stream->number = number;
  stream->is_at_end = stream->has_failed = stream->back = 0;
  stream->memory = NULL;
  return stream;
}
struct stream *fmemopen(void *memory, size_t size, const char *mode) {
  if (!memory || mode[0] != 'r' || mode[1] == '+')
    __beeline_not_modelled_fmemopen();
  struct stream *stream = malloc(sizeof *stream);
  if (!stream)
    return NULL;
  stream->number = -1;
  stream->is_at_end = stream->has_failed = stream->back = 0;
  stream->memory = memory;
  stream->size = size;
  stream->at = 0;
  return stream;
}
struct stream *fopen(const char *path, const char *mode) {
  if (mode[0] != 'r' && mode[0] != 'w' && mode[0] != 'a') {
    errno = EINVAL;
    return NULL;
  }
  int number = opened(path, access_of(mode));
  return number < 0 ? NULL : fdopen(number, mode);
}
struct stream *fopen64(const char *path, const char *mode) { return fopen(path, mode); }
int fclose(struct stream *stream) {
  int result = !stream->memory && close(stream->number) < 0 ? EOF : 0;
  if (stream != &standard[0] && stream != &standard[1] && stream != &standard[2])
    free(stream);
  return result;
}
int fileno(struct stream *stream) { return stream->number; }
int feof(struct stream *stream) { return stream->is_at_end; }
int ferror(struct stream *stream) { return stream->has_failed; }
void clearerr(struct stream *stream) { stream->is_at_end = stream->has_failed = 0; }

int fgetc(struct stream *stream) {
  if (stream->back > 0)
    return stream->put_back[--stream->back];
  if (stream->memory) {
    if (stream->at < stream->size)
      return stream->memory[stream->at++];
    stream->is_at_end = 1;
    return EOF;
  }
  struct description *from = description(stream->number);
  if (!from || from->access == WRITE_ONLY) {
    errno = EBADF;
    stream->has_failed = 1;
    return EOF;
  }
  int byte = byte_from(from);
  if (byte < 0)
    stream->is_at_end = 1;
  return byte;
}
int getc(struct stream *stream) { return fgetc(stream); }
int getchar(void) { return fgetc(stdin); }
/* The byte that was read last can be read again. */
static int goes_back(struct stream *stream, int byte) {
  struct description *from = stream->memory ? NULL : description(stream->number);
  if (stream->back || !from || from->file < 0 || from->at == 0 || from->at > contents[from->file].known ||
      contents[from->file].bytes[from->at - 1] != (unsigned char)byte)
    return 0;
  from->at--;
  return 1;
}
int ungetc(int byte, struct stream *stream) {
  if (byte == EOF)
    return EOF;
  stream->is_at_end = 0;
  if (goes_back(stream, byte))
    return (unsigned char)byte;
  if (stream->back == MOST_BACK)
    __beeline_not_modelled_ungetc();
  stream->put_back[stream->back++] = (unsigned char)byte;
  return (unsigned char)byte;
}
char *fgets(char *to, int room, struct stream *stream) {
  int n = 0;
  if (room < 1)
    return NULL;
  while (n < room - 1) {
    int byte = fgetc(stream);
    if (byte < 0)
      break;
    to[n++] = (char)byte;
    if (byte == '\n')
      break;
  }
  if (room > 1 && (n == 0 || stream->has_failed))
    return NULL;
  to[n] = 0;
  return to;
}
char *gets(char *to) {
  size_t n = 0;
  int byte;
  while ((byte = fgetc(stdin)) >= 0 && byte != '\n')
    to[n++] = (char)byte;
  if (n == 0 && byte < 0)
    return NULL;
  to[n] = 0;
  return to;
}
size_t fread(void *to, size_t size, size_t count, struct stream *stream) {
  size_t n = 0;
  if (size == 0)
    return 0;
  for (int byte; n < size * count && (byte = fgetc(stream)) >= 0; n++)
    ((unsigned char *)to)[n] = (unsigned char)byte;
  return n / size;
}
/* `getdelim` and `getline` are those of libc.c, which read by `fgetc`. */

long ftell(struct stream *stream) {
  if (stream->memory)
    return (long)stream->at - stream->back;
  struct description *from = description(stream->number);
  if (!from)
    return -1;
  return from->file < 0 ? (long)__beeline_any_long() : (long)from->at - stream->back;
}
long ftello(struct stream *stream) { return ftell(stream); }
int fseek(struct stream *stream, long by, int whence) {
  if (stream->memory)
    __beeline_not_modelled_fmemopen();
  struct description *from = description(stream->number);
  if (!from)
    return -1;
  if (whence == CURRENT)
    by -= stream->back;
  stream->back = 0;
  if (moved(from, by, whence) < 0)
    return -1;
  stream->is_at_end = 0;
  return 0;
}
int fseeko(struct stream *stream, long by, int whence) { return fseek(stream, by, whence); }
int fseeko64(struct stream *stream, long long by, int whence) { return fseek(stream, (long)by, whence); }
long long ftello64(struct stream *stream) { return ftell(stream); }
void rewind(struct stream *stream) {
  fseek(stream, 0, SET);
  stream->has_failed = 0;
}

int fflush(struct stream *stream) { return 0; }
static int can_write(struct stream *stream) {
  struct description *to = description(stream->number);
  if (to && to->access != READ_ONLY)
    return 1;
  errno = EBADF;
  stream->has_failed = 1;
  return 0;
}
int fputc(int byte, struct stream *stream) { return can_write(stream) ? (unsigned char)byte : EOF; }
int putc(int byte, struct stream *stream) { return fputc(byte, stream); }
int putchar(int byte) { return fputc(byte, stdout); }
/* How it went well is a number that libraries choose. */
int fputs(const char *text, struct stream *stream) {
  strlen(text);
  if (!can_write(stream))
    return EOF;
  int result = __beeline_any_int();
  __VERIFIER_assume(result >= 0);
  return result;
}
int puts(const char *text) { return fputs(text, stdout); }
size_t fwrite(const void *from, size_t size, size_t count, struct stream *stream) {
  if (size == 0 || count == 0 || !can_write(stream))
    return 0;
  written(from, size * count);
  return count;
}

/* What is read by a format. A number that does not fit is any, as C leaves it undefined. */

double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
int isspace(int c);

struct scan {
  struct stream *from;
  /* How many bytes were taken. */
  int taken;
  __builtin_va_list arguments;
};
static int take(struct scan *scan) {
  int byte = fgetc(scan->from);
  if (byte >= 0)
    scan->taken++;
  return byte;
}
static void give_back(struct scan *scan, int byte) {
  if (byte >= 0) {
    ungetc(byte, scan->from);
    scan->taken--;
  }
}
static void skip_blanks(struct scan *scan) {
  int byte;
  while (isspace(byte = take(scan)))
    ;
  give_back(scan, byte);
}
/* The value of a digit, or a number that is none of any base. */
static int digit_of(int c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}
/* A number, of at most so many characters: 1 if it is one, 0 if not, -1 at the end of the file. The byte behind it is looked
 * at in any case, and `0x` alone is a number, as in glibc. */
static int scan_number(struct scan *scan, int base, int most, unsigned long long *number) {
  int byte = take(scan), is_negative = 0, digits = 0, fits = 1;
  unsigned long long value = 0;
  if (byte < 0)
    return -1;
  if (byte == '-' || byte == '+') {
    is_negative = byte == '-';
    most--;
    byte = take(scan);
  }
  if (most > 0 && byte == '0') {
    most--;
    digits = 1;
    byte = take(scan);
    if (most > 0 && (byte == 'x' || byte == 'X') && (base == 0 || base == 16)) {
      most--;
      base = 16;
      byte = take(scan);
    } else if (base == 0)
      base = 8;
  }
  if (base == 0)
    base = 10;
  for (; most > 0 && byte >= 0 && digit_of(byte) < base; most--) {
    fits &= value <= (0x7fffffffffffffffull - digit_of(byte)) / base;
    value = value * base + digit_of(byte);
    digits++;
    byte = take(scan);
  }
  give_back(scan, byte);
  *number = !fits ? (unsigned long long)__beeline_any_long() : is_negative ? -value : value;
  return digits > 0;
}
/* The text of a float, of at most so many characters. Names, hexadecimal digits and long texts are left out: such an execution
 * ends here. */
static int scan_float(struct scan *scan, int most, char *text, int room) {
  int n = 0, byte = take(scan), digits = 0, dots = 0, exponents = 0;
  if (byte < 0)
    return -1;
  if (byte == 'i' || byte == 'I' || byte == 'n' || byte == 'N')
    __beeline_not_modelled_scanf();
  for (;;) {
    int is_digit = digit_of(byte) < 10;
    int is_sign = (byte == '-' || byte == '+') && (n == 0 || text[n - 1] == 'e');
    int is_dot = byte == '.' && !dots && !exponents;
    int is_exponent = (byte == 'e' || byte == 'E') && digits && !exponents;
    if (byte == 'x' || byte == 'X')
      __beeline_not_modelled_scanf();
    if (!is_digit && !is_sign && !is_dot && !is_exponent)
      break;
    if (n == room - 1)
      __beeline_not_modelled_scanf();
    text[n++] = (char)(is_exponent ? 'e' : byte);
    digits += is_digit;
    dots += is_dot;
    exponents += is_exponent;
    byte = EOF;
    if (n == most)
      break;
    byte = take(scan);
  }
  give_back(scan, byte);
  text[n] = 0;
  return digits > 0;
}
/* Is a byte in a set such as `^a-z]`? Where that ends is told. */
static int is_in_set(const char *set, int byte, const char **end) {
  int is_inverted = *set == '^', found = 0;
  set += is_inverted;
  const char *first = set;
  for (; *set && (*set != ']' || set == first); set++)
    if (set[1] == '-' && set[2] && set[2] != ']') {
      found |= (unsigned char)set[0] <= byte && byte <= (unsigned char)set[2];
      set += 2;
    } else
      found |= (unsigned char)*set == byte;
  *end = set;
  return found != is_inverted;
}
/* Bytes that are one of a set, or none of a space, or any: 1, 0 or -1 as above. */
static int scan_text(struct scan *scan, int kind, const char *set, int most, char *to) {
  const char *end;
  int n = 0, byte = EOF;
  for (; n < most; n++) {
    byte = take(scan);
    if (byte < 0 || (kind == 's' && isspace(byte)) || (kind == '[' && !is_in_set(set, byte, &end)))
      break;
    if (to)
      to[n] = (char)byte;
  }
  if (n < most)
    give_back(scan, byte);
  if (n == 0)
    return byte < 0 ? -1 : 0;
  if (to && kind != 'c')
    to[n] = 0;
  return 1;
}
enum { SMALLEST = -2, SMALL, PLAIN, LONG, LONGEST_SIZE };
static void put_number(void *to, int size, unsigned long long number) {
  if (size == SMALLEST)
    *(signed char *)to = (signed char)number;
  else if (size == SMALL)
    *(short *)to = (short)number;
  else if (size == PLAIN)
    *(int *)to = (int)number;
  else if (size == LONG)
    *(long *)to = (long)number;
  else
    *(long long *)to = (long long)number;
}
static int size_of_number(const char **format) {
  int size = PLAIN;
  for (;; ++*format) {
    char c = **format;
    if (c == 'h')
      size--;
    else if (c == 'l')
      size++;
    else if (c == 'z' || c == 't')
      size = LONG;
    else if (c == 'j' || c == 'q' || c == 'L')
      size = LONGEST_SIZE;
    else
      return size;
  }
}
/* A conversion, from behind the `%` on: 1 if it comes, 0 if something else does, -1 at the end of the file. */
static int convert(struct scan *scan, const char **at, int *count) {
  int is_kept = **at != '*', most = 0, state, end = 0x7fffffff;
  *at += !is_kept;
  for (; **at >= '0' && **at <= '9'; ++*at)
    most = 10 * most + **at - '0';
  int is_numbered = **at == '$', size = size_of_number(at), kind = **at;
  int is_text = kind == 'c' || kind == 's' || kind == '[';
  int is_float = kind == 'f' || kind == 'e' || kind == 'g' || kind == 'E' || kind == 'F' || kind == 'G';
  if (is_numbered || kind == 'm' || kind == 'a' || kind == 'A' || (is_text && size > PLAIN) || (is_float && size > LONG))
    __beeline_not_modelled_scanf();
  if (kind == 'n') {
    if (is_kept)
      put_number(__builtin_va_arg(scan->arguments, void *), size, scan->taken);
    return 1;
  }
  if (kind != 'c' && kind != '[')
    skip_blanks(scan);
  if (kind == '%') {
    int byte = take(scan);
    if (byte != '%')
      give_back(scan, byte);
    return byte == '%' ? 1 : byte < 0 ? -1 : 0;
  }
  if (is_text) {
    const char *set = *at + 1;
    if (kind == '[')
      is_in_set(set, 0, at);
    char *to = is_kept ? __builtin_va_arg(scan->arguments, char *) : NULL;
    state = scan_text(scan, kind, set, most ? most : kind == 'c' ? 1 : end, to);
  } else if (is_float) {
    char text[64];
    state = scan_float(scan, most ? most : end, text, sizeof text);
    if (state > 0 && is_kept && size == PLAIN)
      *__builtin_va_arg(scan->arguments, float *) = strtof(text, NULL);
    else if (state > 0 && is_kept)
      *__builtin_va_arg(scan->arguments, double *) = strtod(text, NULL);
  } else {
    unsigned long long number;
    int base = kind == 'i' ? 0 : kind == 'x' || kind == 'X' || kind == 'p' ? 16 : kind == 'o' ? 8 : 10;
    state = scan_number(scan, base, most ? most : end, &number);
    if (state > 0 && is_kept)
      put_number(__builtin_va_arg(scan->arguments, void *), kind == 'p' ? LONG : size, number);
  }
  *count += state > 0 && is_kept;
  return state;
}
int vfscanf(struct stream *from, const char *format, __builtin_va_list arguments) {
  struct scan scan = {from, 0};
  int count = 0;
  __builtin_va_copy(scan.arguments, arguments);
  for (; *format; format++) {
    int state = 1;
    if (isspace((unsigned char)*format))
      skip_blanks(&scan);
    else if (*format == '%') {
      format++;
      state = convert(&scan, &format, &count);
    } else {
      int byte = take(&scan);
      if (byte != (unsigned char)*format) {
        give_back(&scan, byte);
        state = byte < 0 ? -1 : 0;
      }
    }
    if (state <= 0)
      return state < 0 && count == 0 ? EOF : count;
  }
  return count;
}
int vscanf(const char *format, __builtin_va_list arguments) { return vfscanf(stdin, format, arguments); }
int fscanf(struct stream *from, const char *format, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  int count = vfscanf(from, format, arguments);
  __builtin_va_end(arguments);
  return count;
}
int scanf(const char *format, ...) {
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  int count = vfscanf(stdin, format, arguments);
  __builtin_va_end(arguments);
  return count;
}
/* As headers call them, by the standard of C. */
#define STANDARD(year)                                                                                            \
  int __isoc##year##_vfscanf(struct stream *from, const char *format, __builtin_va_list arguments) {              \
    return vfscanf(from, format, arguments);                                                                      \
  }                                                                                                               \
  int __isoc##year##_vscanf(const char *format, __builtin_va_list arguments) { return vscanf(format, arguments); } \
  int __isoc##year##_fscanf(struct stream *from, const char *format, ...) {                                       \
    __builtin_va_list arguments;                                                                                  \
    __builtin_va_start(arguments, format);                                                                        \
    int count = vfscanf(from, format, arguments);                                                                 \
    __builtin_va_end(arguments);                                                                                  \
    return count;                                                                                                 \
  }                                                                                                               \
  int __isoc##year##_scanf(const char *format, ...) {                                                             \
    __builtin_va_list arguments;                                                                                  \
    __builtin_va_start(arguments, format);                                                                        \
    int count = vfscanf(stdin, format, arguments);                                                                \
    __builtin_va_end(arguments);                                                                                  \
    return count;                                                                                                 \
  }
STANDARD(99)
STANDARD(23)

/* The same without a lock. */
int fgetc_unlocked(struct stream *stream) { return fgetc(stream); }
int getc_unlocked(struct stream *stream) { return fgetc(stream); }
int getchar_unlocked(void) { return fgetc(stdin); }
int fputc_unlocked(int byte, struct stream *stream) { return fputc(byte, stream); }
int putc_unlocked(int byte, struct stream *stream) { return fputc(byte, stream); }
int putchar_unlocked(int byte) { return fputc(byte, stdout); }
int feof_unlocked(struct stream *stream) { return feof(stream); }
int ferror_unlocked(struct stream *stream) { return ferror(stream); }
int fflush_unlocked(struct stream *stream) { return 0; }
