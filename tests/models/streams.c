/* The models of streams against the C library's, by random operations on random files. What stands above this in the file
 * that is compiled is the model, each of its functions and variables with `model_` before the name. A model that says that it
 * leaves something out ends a run. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 20000, STEPS = 6, LARGEST = 20 };
static unsigned char bytes[LARGEST];
static int size, drawn;
static jmp_buf ends;

int next_byte(void) __asm__("__beeline_input_world.stdin");
int next_byte(void) { return drawn < size ? bytes[drawn++] : EOF; }
int no_byte(void) __asm__("__beeline_input_world.file1");
int no_byte(void) { return EOF; }
int no_other(void) __asm__("__beeline_input_world.file2");
int no_other(void) { return EOF; }
int is_opened(void) __asm__("__beeline_input_world.opened");
int is_opened(void) { return 1; }
int no_argument(void) __asm__("__beeline_input_world.more-arguments");
int no_argument(void) { return 0; }
unsigned char no_letter(void) __asm__("__beeline_input_world.letter");
unsigned char no_letter(void) { return 0; }
void __VERIFIER_assume(int holds) {
  if (!holds)
    longjmp(ends, 1);
}
int __beeline_any_int(void) { longjmp(ends, 1); }
int __beeline_guess_errno(void) { return 2; }
long long __beeline_any_long(void) { longjmp(ends, 1); }
void __beeline_not_modelled_open(void) { longjmp(ends, 1); }
void __beeline_not_modelled_ungetc(void) { longjmp(ends, 1); }
void __beeline_not_modelled_scanf(void) { longjmp(ends, 1); }
void __beeline_not_modelled_fmemopen(void) { longjmp(ends, 1); }

static const char *const formats[] = {"%d",  "%3d",  "%i",  "%x",    "%2x", "%u%%", "%lld", "%hhd", "%f",  "%lf", "%5lf",
                                      "%o",  "%*s%d", "a%d", "%*d%n", "%d,%d", "%s",  "%2s",  "%c",   "%[a-c]", "%[^ab]",
                                      " %c"};
enum { FORMATS = sizeof formats / sizeof *formats, FIRST_TEXT = 16 };

static int scans_differ(FILE *native, struct stream *modelled) {
  int number = rand() % FORMATS;
  char text[2][64] = {"", ""};
  long long numbers[2][2] = {{-77, -77}, {-77, -77}};
  int is_text = number >= FIRST_TEXT;
  void *to[2] = {is_text ? (void *)text[0] : numbers[0], is_text ? (void *)text[1] : numbers[1]};
  int should = fscanf(native, formats[number], to[0], &numbers[0][1]);
  int is = model_fscanf(modelled, formats[number], to[1], &numbers[1][1]);
  return is != should || memcmp(text[0], text[1], sizeof text[0]) || memcmp(numbers[0], numbers[1], sizeof numbers[0]);
}

static int lines_differ(FILE *native, struct stream *modelled) {
  char *lines[2] = {NULL, NULL};
  size_t room[2] = {0, 0};
  long should = getline(&lines[0], &room[0], native), is = model_getline(&lines[1], &room[1], modelled);
  int differ = is != should || (is > 0 && memcmp(lines[0], lines[1], (size_t)is + 1));
  free(lines[0]);
  free(lines[1]);
  return differ;
}

/* Does an operation come to something else? Where a byte that was put back and a seek come together, positions may. */
static int step_differs(FILE *native, struct stream *modelled, int *puts_back) {
  char text[2][40] = {"", ""};
  int a = rand() % 10, b = rand() % 4;
  switch (rand() % 8) {
  case 0:
    return fgetc(native) != model_fgetc(modelled);
  case 1:
    if (ftell(native) <= 0)
      return 0;
    *puts_back = 1;
    return ungetc("ab1"[b % 3], native) != model_ungetc("ab1"[b % 3], modelled);
  case 2: {
    char *should = fgets(text[0], a, native), *is = model_fgets(text[1], a, modelled);
    return !is != !should || memcmp(text[0], text[1], sizeof text[0]);
  }
  case 3: {
    size_t should = fread(text[0], (size_t)b, 3, native), is = model_fread(text[1], (size_t)b, 3, modelled);
    return is != should || memcmp(text[0], text[1], sizeof text[0]);
  }
  case 4:
    return !*puts_back && fseek(native, a - 4, b % 3) != model_fseek(modelled, a - 4, b % 3);
  case 5:
    rewind(native);
    model_rewind(modelled);
    return 0;
  case 6:
    return lines_differ(native, modelled);
  default:
    return scans_differ(native, modelled);
  }
}

static int run_differs(FILE *native, struct stream *modelled) {
  int puts_back = 0;
  if (setjmp(ends))
    return 0;
  for (int step = 0; step < STEPS; step++)
    if (step_differs(native, modelled, &puts_back) || !feof(native) != !model_feof(modelled) ||
        ftell(native) != model_ftell(modelled))
      return 1;
  return 0;
}

int main(void) {
  for (int run = 0; run < RUNS; run++) {
    srand((unsigned)run);
    const char *letters = rand() % 2 ? "0123456789 +-.e\n" : "ab 1\n0x";
    size = rand() % LARGEST;
    for (int i = 0; i < size; i++)
      bytes[i] = (unsigned char)letters[rand() % (int)strlen(letters)];
    FILE *file = fopen("data", "wb+");
    fwrite(bytes, 1, (size_t)size, file);
    rewind(file);
    drawn = 0;
    memset(contents, 0, sizeof contents);
    descriptions[0].at = 0;
    model_stdin->back = model_stdin->is_at_end = model_stdin->has_failed = 0;
    int differs = run_differs(file, model_stdin);
    fclose(file);
    if (differs) {
      printf("run %d\n", run);
      return 1;
    }
  }
  return 0;
}
