// CAT: env
// TRUTH: safe
// ARGS:
// WHY: fork copies the memory: what the child writes is not seen by the parent.
#include "v.h"
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static int shared = 1;

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    shared = 2;
    _exit(0);
  }
  if (child > 0)
    waitpid(child, NULL, 0);
  assert(shared == 1);
  return 0;
}
