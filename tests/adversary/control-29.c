// CAT: control
// TRUTH: unsafe
// ARGS:
// WHY: the linker makes a list of constructors of such variables.
#include "v.h"

static void first(void) { reach_error(); }
static void (*const list[])(void) __attribute__((section(".init_array"), used)) = {first};

int main(void) { return 0; }
