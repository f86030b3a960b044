// Runs a program of this folder many times natively, on inputs that are drawn at random or gone through, and says
// whether an assertion can fail. It is linked with the program, whose main is called `program`:
//   truth random RUNS SEED ALPHABET     draws; an assumption that fails has what was read since the last one drawn anew
//   truth all RUNS ALPHABET             goes through all inputs of values of the alphabet, as long as it has runs left
//   truth given VALUES                  runs once
// An alphabet and values are numbers with commas. Prints `runs N`, then `failed VALUES` for the first failure,
// `complete` where all inputs were gone through, or `open`. What a sanitizer finds ends it with another exit code.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int program(void);

#define LIMIT 4096
#define TRIES 4000

enum mode { RANDOM, ALL, GIVEN };
enum end { RETURNED, REFUSED, FAILED };

static enum mode mode;
static jmp_buf out;
static unsigned alphabet[1024];
static size_t letters;
// What is read: the values, or, when all are gone through, their places in the alphabet. `kept` are given.
static unsigned stream[LIMIT];
static size_t kept, used, accepted, passed;
static unsigned long long state;
static unsigned width, constant, stride;

static unsigned draw(unsigned bound) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % bound;
}

// Values that are likely to agree: small ones, those that the program names, the ones read before, ascending ones.
static unsigned fresh(void) {
  switch (draw(8) < 6 ? width : draw(7)) {
  case 0:
    return draw(3);
  case 1:
    return draw(9);
  case 2:
    return alphabet[draw((unsigned)letters)];
  case 3:
    return used ? stream[draw((unsigned)used)] + draw(2) : draw(256);
  case 4:
    return constant;
  case 5:
    return constant + (unsigned)used / stride;
  default:
    return draw(256) | (draw(2) ? 0 : draw(65536) << draw(17));
  }
}

static unsigned input(void) {
  if (used == LIMIT) {
    fprintf(stderr, "more than %d inputs are read\n", LIMIT);
    exit(3);
  }
  if (used == kept) {
    stream[used] = mode == RANDOM ? fresh() : 0;
    kept++;
  }
  unsigned value = stream[used++];
  return mode == ALL ? alphabet[value] : value;
}

unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)input(); }
signed char __VERIFIER_nondet_char(void) { return (signed char)input(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)input(); }
int __VERIFIER_nondet_int(void) { return (int)input(); }
unsigned __VERIFIER_nondet_uint(void) { return input(); }
_Bool __VERIFIER_nondet_bool(void) { return input() & 1; }

void __VERIFIER_assume(int condition) {
  if (!condition)
    longjmp(out, 1 + REFUSED);
  accepted = used;
  passed++;
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  (void)file, (void)function;
  if (mode == GIVEN)
    printf("line %u: %s\n", line, text);
  longjmp(out, 1 + FAILED);
}

static enum end run(void) {
  used = accepted = passed = 0;
  int end = setjmp(out);
  if (end)
    return (enum end)(end - 1);
  program();
  return RETURNED;
}

static void tell(unsigned long runs, enum end end) {
  printf("runs %lu\n", runs);
  if (end == FAILED) {
    printf("failed ");
    for (size_t i = 0; i < used; i++)
      printf("%s%u", i ? "," : "", mode == ALL ? alphabet[stream[i]] : stream[i]);
    puts("");
  }
}

static unsigned best[LIMIT];
static size_t length, safe, score;

static void keep(void) {
  memcpy(best, stream, sizeof *best * used);
  length = used, safe = accepted, score = passed;
}

// Draws anew what was read after the last assumption that held, all from somewhere on, or a few values anywhere.
static void change(enum end end) {
  memcpy(stream, best, sizeof *best * length);
  kept = length;
  if (draw(4) == 0)
    width = draw(7);
  if (draw(4) == 0)
    stride = 1 + draw(4);
  if (end == REFUSED && safe < length && draw(4)) {
    kept = safe;
  } else if (length && draw(8) == 0) {
    kept = draw((unsigned)length);
  } else {
    for (unsigned changes = 1 + draw(3); length && changes > 0; changes--) {
      size_t at = draw((unsigned)length);
      used = at;
      stream[at] = fresh();
    }
  }
}

// Climbs from an input at random to one that gets past all assumptions, and walks on from there for a while.
static enum end search(unsigned long *runs, unsigned long *tries) {
  kept = 0;
  width = draw(7);
  stride = 1 + draw(4);
  constant = draw(2) ? 0 : draw(2) ? alphabet[draw((unsigned)letters)] : draw(256);
  unsigned wanted = 10u << draw(12);
  enum end end = run();
  keep();
  unsigned returned = 0;
  for (unsigned since = 0; end != FAILED && returned < wanted && since < TRIES; since++) {
    change(end);
    enum end now = run();
    if (now == RETURNED)
      returned++, since = 0;
    if (now != REFUSED || (end == REFUSED && (passed > score || (passed == score && draw(2))))) {
      end = now;
      keep();
    }
    ++*tries;
  }
  *runs += returned;
  return end;
}

// The next input in the order of the alphabet: the last value that was read is counted on.
static int next(void) {
  for (kept = used; kept > 0; kept--)
    if (++stream[kept - 1] < letters)
      return 1;
  return 0;
}

static size_t read_numbers(const char *text, unsigned *numbers, size_t room) {
  size_t count = 0;
  for (char *end; *text && count < room; text = *end ? end + 1 : end)
    numbers[count++] = (unsigned)strtoul(text, &end, 10);
  return count;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  unsigned long wanted = strtoul(argv[2], NULL, 10), runs = 0;
  if (!strcmp(argv[1], "given")) {
    mode = GIVEN;
    kept = read_numbers(argv[2], stream, LIMIT);
    enum end end = run();
    tell(1, end);
    puts(end == FAILED ? "" : "open");
  } else if (!strcmp(argv[1], "all")) {
    mode = ALL;
    letters = read_numbers(argv[3], alphabet, 1024);
    enum end end = RETURNED;
    int more = 1;
    for (; more && runs < wanted && end != FAILED; runs++) {
      end = run();
      more = end == FAILED || next();
    }
    tell(runs, end);
    puts(end == FAILED ? "" : more ? "open" : "complete");
  } else {
    mode = RANDOM;
    state = strtoull(argv[3], NULL, 10) * 0x9e3779b97f4a7c15ull;
    letters = read_numbers(argv[4], alphabet, 1024);
    enum end end = RETURNED;
    unsigned long tries = 0;
    while (runs < wanted && tries < 20 * wanted && end != FAILED)
      end = search(&runs, &tries);
    tell(runs, end);
    if (end != FAILED)
      puts("open");
  }
  return 0;
}
