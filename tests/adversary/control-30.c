// CAT: control
// TRUTH: safe
// ARGS:
// WHY: what variables in such sections lead to runs in the order of its priority, and at the end in the opposite order.
#include "v.h"

static int step;
static void a(void) { assert(step++ == 0); }
__attribute__((constructor(200))) static void b(void) { assert(step++ == 1); }
static void c(void) { assert(step++ == 2); }
__attribute__((constructor)) static void d(void) { assert(step++ == 3); }
__attribute__((destructor)) static void e(void) { assert(step++ == 5); }
static void f(void) { assert(step++ == 6); }
static void (*const of_a)(void) __attribute__((section(".init_array.00150"), used)) = a;
static void (*const of_c)(void) __attribute__((section(".init_array"), used)) = c;
static void (*const of_f)(void) __attribute__((section(".fini_array"), used)) = f;

int main(void) {
  assert(step++ == 4);
  return 0;
}
