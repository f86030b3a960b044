// Integers of all widths, bit-fields, unions, floats, switch, goto.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern short __VERIFIER_nondet_short(void);
extern long __VERIFIER_nondet_long(void);
extern _Bool __VERIFIER_nondet_bool(void);

struct flags {
  unsigned low : 3;
  int middle : 7;
  unsigned high : 20;
};
union view {
  unsigned whole;
  unsigned char bytes[4];
  float real;
};

static unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x << 7 | x >> 25;
  return x;
}

int main(void) {
  struct flags flags = {__VERIFIER_nondet_uint(), __VERIFIER_nondet_int(), 77};
  flags.high += flags.low;
  union view view;
  view.whole = mix(__VERIFIER_nondet_uint());
  long wide = (long)__VERIFIER_nondet_short() * __VERIFIER_nondet_int() + flags.middle;
  double real = (double)wide / 3.0;
  float narrow = (float)real;
  int result = 0;
  switch (view.bytes[1] % 5) {
  case 0: result = view.bytes[0]; break;
  case 1:
  case 2: result = (int)(wide >> 3); break;
  case 3:
    if (__VERIFIER_nondet_bool() && narrow > 1.5f)
      goto out;
    result = (int)flags.high;
    break;
  default: result = real < (double)narrow;
  }
  if (result == 80 || (view.bytes[3] == 0x11 && flags.low == 5))
    reach_error();
out:
  return (result ^ flags.middle) & 127;
}
