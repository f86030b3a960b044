// What clang has operations of its own for: extremes, saturation, rotation, counting, overflow; on
// numbers and, once loops are vectorised, on vectors.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

enum { SIZE = 16 };
static int numbers[SIZE];
static unsigned char bytes[SIZE];
static unsigned sum;

static void add(unsigned long long value) { sum = sum * 33 + (unsigned)(value ^ value >> 32); }

static void extremes(int a, int b) {
  unsigned x = a, y = b;
  add(a > b ? a : b);
  add(a < b ? a : b);
  add(x > y ? x : y);
  add(x < y ? x : y);
  add(a < 0 ? 0u - x : x);
  add(a > 100 ? 100 : a < -100 ? -100 : a);
}

static void counts(unsigned x, unsigned n) {
  add(__builtin_popcount(x));
  add(x ? __builtin_clz(x) : 32);
  add(x ? __builtin_ctz(x) : 32);
  add(__builtin_bswap32(x));
  add(__builtin_bitreverse16(x));
  add(__builtin_rotateleft32(x, n));
  add(__builtin_rotateright64(x * 0x100000001ull, n));
  add(__builtin_parity(x));
}

static void checked(int a, int b) {
  int s, d, p;
  unsigned u;
  add(__builtin_add_overflow(a, b, &s) + 2 * __builtin_sub_overflow(a, b, &d) + 4 * __builtin_mul_overflow(a, b, &p));
  add(__builtin_mul_overflow((unsigned)a, (unsigned)b, &u));
  add(s), add(d), add(p), add(u);
  add(__builtin_elementwise_add_sat(a, b));
  add(__builtin_elementwise_sub_sat((unsigned)a, (unsigned)b));
  add(__builtin_elementwise_max((signed char)a, (signed char)b));
}

static void loops(void) {
  int most = numbers[0], total = 0, different = 0;
  unsigned least = bytes[0];
  for (int i = 0; i < SIZE; i++) {
    most = numbers[i] > most ? numbers[i] : most;
    least = bytes[i] < least ? bytes[i] : least;
    total += (int)((unsigned)numbers[i] * bytes[i]) >> 3;
    different ^= numbers[i] + (bytes[i] << 8);
    numbers[i] = numbers[i] > 0 ? numbers[i] >> 1 : -7;
  }
  add(most), add(least), add(total), add(different);
  for (int i = 0; i < SIZE; i++)
    add(numbers[SIZE - 1 - i]);
}

int main(void) {
  for (int i = 0; i < SIZE; i++) {
    numbers[i] = __VERIFIER_nondet_int();
    bytes[i] = __VERIFIER_nondet_uchar();
  }
  for (int i = 1; i < SIZE; i++) {
    extremes(numbers[i], numbers[i - 1]);
    counts(numbers[i], bytes[i]);
    checked(numbers[i] >> bytes[i] % 32, numbers[i - 1]);
  }
  loops();
  if (sum % 4 == 0)
    reach_error();
  return sum & 0x7f;
}
