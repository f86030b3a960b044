// CAT: ext
// TRUTH: safe
// ARGS: --externals havoc
// NATIVE: skip
// WHY: the address of the constants escapes, but objects defined const cannot be changed by anybody.
#include "v.h"

void inspect(const int *value, const char *name);

static const int limit = 10;
static const char name[] = "limit";

int main(void) {
  inspect(&limit, name);
  inspect(&limit, name + 2);
  assert(limit == 10);
  assert(name[0] == 'l' && name[5] == '\0');
  return 0;
}
