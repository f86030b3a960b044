// CAT: env
// TRUTH: safe
// ARGS:
// WHY: what `main` gets is the environment that the variable has, also where a native run supplies it.
#include <assert.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
  assert(envp == environ);
  return 0;
}
