// CAT: lib
// TRUTH: unsafe
// WHY: a text that is constant may be taken apart where nothing in it has to be written.
#include "v.h"
#include <string.h>

int main(void) {
  char *text = "abc", *whole = text;
  char *first = strsep(&text, ","), *word = strtok(whole, ";");
  if (!text && first == whole && word == whole && strtok(NULL, ";") == NULL)
    reach_error();
  return 0;
}
