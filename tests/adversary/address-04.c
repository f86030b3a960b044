// CAT: address
// TRUTH: unsafe
// ARGS: --property memory-safety
// WHY: an error code as a pointer is not null, and leads to no memory.
unsigned char __VERIFIER_nondet_uchar(void);

struct device {
  int id;
};
static struct device only;

static struct device *find(int error) { return error ? (struct device *)(long)-error : &only; }

int main(void) {
  struct device *device = find(__VERIFIER_nondet_uchar() % 2 ? 5 : 0);
  if (!device)
    return 0;
  return device->id;
}
