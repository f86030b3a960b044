// strlcpy of the BSDs, written anew: copies a string into a room that may be too small for it.
// Shows: a real function with memory, checked for all strings up to a length.
#include <assert.h>
#include <stddef.h>

extern char __VERIFIER_nondet_char(void);

enum { ROOM = 4, LONGEST = 6 };

/* Returns the length of the whole string, so that the caller can see that it was cut. */
static size_t copy(char *to, const char *from, size_t room) {
  size_t length = 0;
  while (from[length] != '\0') {
    if (length + 1 < room)
      to[length] = from[length];
    length++;
  }
  if (room > 0)
    to[length < room ? length : room - 1] = '\0';
  return length;
}

int main(void) {
  char from[LONGEST + 1], to[ROOM];
  for (int i = 0; i < LONGEST; i++)
    from[i] = __VERIFIER_nondet_char();
  from[LONGEST] = '\0';
  size_t length = copy(to, from, ROOM);
  assert(length <= LONGEST);
  assert(to[length < ROOM ? length : ROOM - 1] == '\0');
  return 0;
}
