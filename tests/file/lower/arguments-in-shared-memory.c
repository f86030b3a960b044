// A function reads the texts of main's arguments and an object of the program: both are there.
extern void reach_error(void);

static int holds(const char *text, char wanted) {
  for (; *text; text++)
    if (*text == wanted)
      return 1;
  return 0;
}

int main(int argc, char **argv) {
  char own[] = "ab";
  if (holds(own, 'b') && holds(argv[0], '/'))
    reach_error();
  return 0;
}
// run: verify
// verdict: unsafe

// change: holds(own, 'b') => holds(own, 'c')
// run: verify
// verdict: safe
