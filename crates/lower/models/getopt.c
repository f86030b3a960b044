/* getopt.h: as glibc has it. What is no option is put behind the options as these are found, unless the letters begin with
 * `+` (the first such argument ends the options) or with `-` (it is given back as the option 1). Messages are left out, and
 * so is POSIXLY_CORRECT. */

typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

size_t strlen(const char *text);
char *strchr(const char *text, int c);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};
enum { NONE, REQUIRED, POSSIBLE };

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* What is left of the argument whose letters are options. */
static char *next;
/* The arguments that were passed over: they are put behind the options that come after them. */
static int first_other, last_other;
static int has_begun;
static enum { PERMUTE, IN_ORDER, ENDS } order;

static int is_other(const char *argument) { return argument[0] != '-' || !argument[1]; }

static void put_behind(char **argv) {
  for (int from = last_other, to = first_other; from < optind; from++, to++) {
    char *option = argv[from];
    for (int at = from; at > to; at--)
      argv[at] = argv[at - 1];
    argv[to] = option;
  }
  first_other += optind - last_other;
  last_other = optind;
}

static int missing(int letter, const char *letters) {
  optopt = letter;
  return letters[0] == ':' ? ':' : '?';
}

/* The option with a name that may be cut off, which ends before `length`: its index, -1 if there is none, -2 if several
 * different ones begin so. */
static int named(const struct option *longs, size_t length, int is_only) {
  int found = -1;
  for (int i = 0; longs[i].name; i++) {
    if (strncmp(longs[i].name, next, length))
      continue;
    if (strlen(longs[i].name) == length)
      return i;
    if (found == -1)
      found = i;
    else if (found >= 0 && (is_only || longs[found].has_arg != longs[i].has_arg || longs[found].flag != longs[i].flag ||
                            longs[found].val != longs[i].val))
      found = -2;
  }
  /* A name that is there as a whole goes before all others. */
  for (int i = 0; found == -2 && longs[i].name; i++)
    if (!strncmp(longs[i].name, next, length) && strlen(longs[i].name) == length)
      return i;
  return found;
}

static int long_option(int argc, char **argv, const char *letters, const struct option *longs, int *index, int is_only) {
  size_t length = 0;
  while (next[length] && next[length] != '=')
    length++;
  int found = named(longs, length, is_only);
  if (found == -1 && is_only && argv[optind][1] != '-' && strchr(letters, *next))
    return -1;
  char *behind = next + length;
  next = NULL;
  optind++;
  if (found < 0) {
    optopt = 0;
    return '?';
  }
  const struct option *option = &longs[found];
  if (*behind) {
    if (option->has_arg == NONE) {
      optopt = option->val;
      return '?';
    }
    optarg = behind + 1;
  } else if (option->has_arg == REQUIRED) {
    if (optind == argc)
      return missing(option->val, letters);
    optarg = argv[optind++];
  }
  if (index)
    *index = found;
  if (!option->flag)
    return option->val;
  *option->flag = option->val;
  return 0;
}

/* Goes on to the next argument that has options: -1 if there is none, 1 for one that is no option but given back, else 0. */
static int to_next_argument(int argc, char **argv) {
  if (last_other > optind)
    last_other = optind;
  if (first_other > optind)
    first_other = optind;
  if (order == PERMUTE) {
    if (first_other != last_other && last_other != optind)
      put_behind(argv);
    else if (last_other != optind)
      first_other = optind;
    while (optind < argc && is_other(argv[optind]))
      optind++;
    last_other = optind;
  }
  if (optind != argc && !strcmp(argv[optind], "--")) {
    optind++;
    if (first_other != last_other && last_other != optind)
      put_behind(argv);
    else if (first_other == last_other)
      first_other = optind;
    last_other = argc;
    optind = argc;
  }
  if (optind == argc) {
    if (first_other != last_other)
      optind = first_other;
    return -1;
  }
  if (!is_other(argv[optind]))
    return 0;
  if (order == ENDS)
    return -1;
  optarg = argv[optind++];
  return 1;
}

void __beeline_not_modelled_getopt_of_W(void);
static int letter_option(int argc, char **argv, const char *letters) {
  char letter = *next++;
  const char *known = letter == ':' || letter == ';' ? NULL : strchr(letters, letter);
  int is_last = !*next;
  if (is_last)
    optind++;
  if (!known) {
    optopt = letter;
    return '?';
  }
  /* `W;` has `-W name` stand for `--name`. */
  if (letter == 'W' && known[1] == ';')
    __beeline_not_modelled_getopt_of_W();
  if (known[1] != ':')
    return letter;
  char *rest = is_last ? NULL : next;
  next = NULL;
  if (rest) {
    optarg = rest;
    optind++;
  } else if (known[2] != ':') {
    if (optind == argc)
      return missing(letter, letters);
    optarg = argv[optind++];
  }
  return letter;
}

static int option(int argc, char **argv, const char *letters, const struct option *longs, int *index, int is_only,
                  int is_posix) {
  if (argc < 1)
    return -1;
  optarg = NULL;
  if (optind == 0 || !has_begun) {
    if (optind == 0)
      optind = 1;
    first_other = last_other = optind;
    next = NULL;
    order = letters[0] == '-' ? IN_ORDER : letters[0] == '+' || is_posix ? ENDS : PERMUTE;
    has_begun = 1;
  }
  if (letters[0] == '-' || letters[0] == '+')
    letters++;
  if (!next || !*next) {
    int what = to_next_argument(argc, argv);
    if (what)
      return what;
    char *argument = argv[optind];
    if (longs && argument[1] == '-') {
      next = argument + 2;
      return long_option(argc, argv, letters, longs, index, is_only);
    }
    next = argument + 1;
    if (longs && is_only && (argument[2] || !strchr(letters, argument[1]))) {
      int found = long_option(argc, argv, letters, longs, index, is_only);
      if (found != -1)
        return found;
    }
  }
  return letter_option(argc, argv, letters);
}

int getopt(int argc, char **argv, const char *letters) { return option(argc, argv, letters, NULL, NULL, 0, 0); }
int __posix_getopt(int argc, char **argv, const char *letters) {
  return option(argc, argv, letters, NULL, NULL, 0, 1);
}
int getopt_long(int argc, char **argv, const char *letters, const struct option *longs, int *index) {
  return option(argc, argv, letters, longs, index, 0, 0);
}
int getopt_long_only(int argc, char **argv, const char *letters, const struct option *longs, int *index) {
  return option(argc, argv, letters, longs, index, 1, 0);
}
