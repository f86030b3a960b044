// A function of a header, for conditions in it.
static int twice(int a) {
  int b = a;
  b += a;
  return b;
}
