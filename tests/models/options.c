/* The model of getopt and its relatives against the C library's, on random arguments. What stands above this in the file that
 * is compiled is the model, each of its functions and variables with `model_` before the name. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No options here are of this kind. */
void __beeline_not_modelled_getopt_of_W(void) { abort(); }

enum { RUNS = 200000, MOST = 8 };
static const char *const letters[] = {"ab:c::", "+ab:", "-ab:c::", ":ab:", "+:a:b", "", "a:W", "-:b:"};
static const char *const words[] = {"-a",      "-b",       "-bx",     "-cx",     "-c",  "-abc",   "--",     "x",
                                    "yy",      "-",        "--alpha", "--alp",   "--al", "--be=3", "--beta", "--alpine",
                                    "--alpine=q", "--alpha=1", "--b", "--fl",    "--flag", "--no", "-z",     "-:",
                                    "-alpha",  "-flag",    "-ab",     "--flags", "-;"};
enum { WORDS = sizeof words / sizeof *words };
static int flag;
static const struct option longs[] = {{"alpha", 0, 0, 'A'}, {"alpine", 1, 0, 'P'}, {"beta", 2, 0, 'B'}, {"b", 1, 0, 'x'},
                                      {"flag", 0, &flag, 7}, {"flagship", 0, 0, 'F'}, {0, 0, 0, 0}};

static int differ(int argc, char **native, char **modelled, const char *known, int kind) {
  opterr = 0;
  optind = model_optind = 0;
  optopt = model_optopt = '?';
  for (;;) {
    int index = -5, model_index = -5, flagged, is, should;
    flag = 0;
    should = kind == 0   ? getopt(argc, native, known)
             : kind == 1 ? getopt_long(argc, native, known, longs, &index)
                         : getopt_long_only(argc, native, known, longs, &index);
    flagged = flag;
    flag = 0;
    const struct model_option *list = (const struct model_option *)longs;
    is = kind == 0   ? model_getopt(argc, modelled, known)
         : kind == 1 ? model_getopt_long(argc, modelled, known, list, &model_index)
                     : model_getopt_long_only(argc, modelled, known, list, &model_index);
    int is_wrong = is == '?' || is == ':';
    if (is != should || optind != model_optind || optarg != model_optarg || index != model_index || flag != flagged ||
        (is_wrong && optopt != model_optopt) || memcmp(native, modelled, sizeof(char *) * (size_t)argc))
      return 1;
    if (is == -1)
      return 0;
  }
}

int main(void) {
  srand(1);
  for (int run = 0; run < RUNS; run++) {
    char *native[MOST], *modelled[MOST], *given[MOST];
    int argc = 1 + rand() % (MOST - 2), kind = rand() % 3;
    for (int i = 0; i < argc; i++)
      native[i] = modelled[i] = given[i] = (char *)(i ? words[rand() % WORDS] : "program");
    native[argc] = modelled[argc] = NULL;
    const char *known = letters[rand() % 8];
    if (differ(argc, native, modelled, known, kind)) {
      printf("letters \"%s\", kind %d:", known, kind);
      for (int i = 1; i < argc; i++)
        printf(" %s", given[i]);
      puts("");
      return 1;
    }
  }
  return 0;
}
