// CAT: activation
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: a parameter ends with its call, whatever the next call puts in its place.
static int *kept;

static int keep(int given) {
  kept = &given;
  return given;
}

static int other(int given) { return given + 1; }

int main(void) {
  keep(3);
  other(4);
  return *kept == 4;
}
