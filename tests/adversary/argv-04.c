// CAT: argv
// TRUTH: safe
// ARGS:
// WHY: the list of the environment is there and is not the list of arguments.
#include "v.h"

int main(int argc, char **argv, char **envp) {
  if (argc > 0 && (argv == envp || !envp))
    reach_error();
  return 0;
}
