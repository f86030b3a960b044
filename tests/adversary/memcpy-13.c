// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: What a partial initializer does not mention is zero, after a designator the positions go on from there.
#include "v.h"

struct row {
  char name[6];
  short v[3];
};

int main(void) {
  struct row r[4] = {{"ab", {[1] = 7}}, [2] = {"sixsix", 1, 2}, {.v = {5}, .name = {[3] = 'x'}}, [0].v[2] = 9};
  unsigned int i = __VERIFIER_nondet_uint() % 4;
  unsigned int k = __VERIFIER_nondet_uint() % 3;
  assert(r[1].v[k] == 0 && r[1].name[k] == 0);
  assert(r[0].v[k] == (k == 1 ? 7 : k == 2 ? 9 : 0));
  assert(r[2].v[k] == (k == 2 ? 0 : (int)k + 1));
  assert(r[2].name[5] == 'x' && r[3].name[3] == 'x' && r[3].name[4] == 0);
  assert(r[i].name[5] == 0 || i == 2);
  return 0;
}
