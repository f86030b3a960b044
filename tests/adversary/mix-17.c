// CAT: mix
// TRUTH: unsafe
// ARGS:
// WITNESS: 0x2f 0x2f 0x2a 0x2a 0x2f 0x2a
// WHY: the comment stripper joins what stood around a comment, so a new comment opener can arise in its output.
#include "v.h"

#define LENGTH 6

enum state { TEXT, SLASH, COMMENT, STAR };

static int strip(const char *in, char *out) {
  enum state state = TEXT;
  int n = 0;
  for (int i = 0; in[i] != '\0'; i++) {
    char c = in[i];
    switch (state) {
    case TEXT:
      if (c == '/')
        state = SLASH;
      else
        out[n++] = c;
      break;
    case SLASH:
      if (c == '*') {
        state = COMMENT;
      } else {
        out[n++] = '/';
        if (c != '/') {
          out[n++] = c;
          state = TEXT;
        }
      }
      break;
    case COMMENT:
      if (c == '*')
        state = STAR;
      break;
    case STAR:
      state = c == '/' ? TEXT : c == '*' ? STAR : COMMENT;
      break;
    }
  }
  if (state == SLASH)
    out[n++] = '/';
  out[n] = '\0';
  return n;
}

int main(void) {
  char in[LENGTH + 1];
  char out[LENGTH + 1];
  for (int i = 0; i < LENGTH; i++)
    in[i] = __VERIFIER_nondet_char();
  in[LENGTH] = '\0';
  int n = strip(in, out);
  assert(n >= 0 && n <= LENGTH);
  for (int i = 0; i + 1 < n; i++) {
    if (out[i] == '/' && out[i + 1] == '*')
      reach_error();
  }
  return 0;
}
