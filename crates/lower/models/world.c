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
void *realloc(void *old, size_t size);
void free(void *object);
size_t strlen(const char *text);
int *__errno_location(void);
#define errno (*__errno_location())
enum { ENOENT = 2, EBADF = 9, EINVAL = 22, ENOTTY = 25, ESPIPE = 29 };

void __VERIFIER_assume(int);
int __beeline_any_int(void);

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
    for (int i = 0; i < LONGEST; i++)
      text[i] = (char)draw_letter();
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
/* A name that is empty has no file. The third file to be read is not there. */
static int opened(const char *path, int access) {
  if (!path[0] || (access == READ_ONLY && files == FILES) || !draw_opened()) {
    errno = ENOENT;
    return -1;
  }
  int number = 3;
  while (number < DESCRIPTORS && descriptions[number].is_open)
    number++;
  __VERIFIER_assume(number < DESCRIPTORS);
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
    return __beeline_any_int();
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
};
static struct stream standard[3] = {{0}, {1}, {2}};
struct stream *stdin = &standard[0], *stdout = &standard[1], *stderr = &standard[2];

struct stream *fdopen(int number, const char *mode) {
  if (!description(number))
    return NULL;
  struct stream *stream = malloc(sizeof *stream);
  if (!stream)
    return NULL;
  stream->number = number;
  stream->is_at_end = stream->has_failed = stream->back = 0;
  return stream;
}
static int access_of(const char *mode) {
  int both = mode[0] && (mode[1] == '+' || (mode[1] && mode[2] == '+'));
  return both ? READ_WRITE : mode[0] == 'r' ? READ_ONLY : WRITE_ONLY;
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
  int result = close(stream->number) < 0 ? EOF : 0;
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
int ungetc(int byte, struct stream *stream) {
  if (byte == EOF)
    return EOF;
  __VERIFIER_assume(stream->back < MOST_BACK);
  stream->put_back[stream->back++] = (unsigned char)byte;
  stream->is_at_end = 0;
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
long getdelim(char **line, size_t *room, int ending, struct stream *stream) {
  size_t n = 0;
  int byte;
  if (!line || !room) {
    errno = EINVAL;
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
    byte = fgetc(stream);
    if (byte < 0)
      break;
    if (n + 2 > *room) {
      char *larger = realloc(*line, 2 * *room);
      if (!larger)
        return -1;
      *line = larger;
      *room *= 2;
    }
    (*line)[n++] = (char)byte;
  } while (byte != ending);
  if (n == 0)
    return -1;
  (*line)[n] = 0;
  return (long)n;
}
long getline(char **line, size_t *room, struct stream *stream) { return getdelim(line, room, '\n', stream); }

long ftell(struct stream *stream) {
  struct description *from = description(stream->number);
  if (!from)
    return -1;
  return from->file < 0 ? __beeline_any_int() : (long)from->at - stream->back;
}
long ftello(struct stream *stream) { return ftell(stream); }
int fseek(struct stream *stream, long by, int whence) {
  struct description *from = description(stream->number);
  if (!from)
    return -1;
  if (whence == CURRENT)
    by -= stream->back;
  if (moved(from, by, whence) < 0)
    return -1;
  stream->back = 0;
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
int fputs(const char *text, struct stream *stream) {
  strlen(text);
  return can_write(stream) ? 1 : EOF;
}
int puts(const char *text) { return fputs(text, stdout); }
size_t fwrite(const void *from, size_t size, size_t count, struct stream *stream) {
  if (size == 0 || count == 0 || !can_write(stream))
    return 0;
  written(from, size * count);
  return count;
}

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
