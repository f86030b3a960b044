// CAT: entry
// TRUTH: safe
// ARGS: --property memory-safety --function sum
// WHY: a structure that is given by value and a function are not lost by the function that makes the arguments.
struct pair {
  int first, second;
};

int sum(struct pair pair, int (*add)(int, int), int (*row)[3], int n) {
  if (!add || !row || n < 0 || n > 2)
    return 0;
  return add(pair.first, (*row)[n]);
}
