// Inline assembly that is one instruction, in the forms that libraries write.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern long __VERIFIER_nondet_long(void);

static unsigned sum;

static void add(unsigned long long value) { sum = sum * 33 + (unsigned)(value ^ value >> 32); }

static void swaps(unsigned long long wide, unsigned number, unsigned short narrow) {
  unsigned short rotated = narrow, exchanged = narrow;
  __asm__("bswap %q0" : "=r"(wide) : "0"(wide));
  __asm__("bswapl %0" : "+r"(number));
  __asm__("rorw $8, %w0" : "=r"(rotated) : "0"(rotated) : "cc");
  __asm__("xchgb %b0, %h0" : "=Q"(exchanged) : "0"(exchanged));
  add(wide), add(number), add(rotated), add(exchanged);
}

static void rotations(unsigned long long wide, unsigned number, unsigned short narrow, unsigned char byte,
                      unsigned char count) {
  __asm__("rolq %1, %0" : "+r"(wide) : "cI"(count));
  __asm__("roll %%cl, %0" : "+r"(number) : "c"(count) : "cc");
  add(wide), add(number);
  __asm__("rorl %b1, %0" : "+r"(number) : "c"((unsigned)count * 257) : "cc");
  __asm__("rol %1, %0" : "+r"(narrow) : "c"(count) : "cc");
  __asm__("rorb %1, %0" : "+q"(byte) : "c"(count) : "cc");
  add(number), add(narrow), add(byte);
  __asm__("ror{l $5, %0| %0, 5}" : "+r"(number));
  __asm__("rol $41, %0" : "+r"(wide));
  add(number), add(wide);
}

static void positions(unsigned long long wide, unsigned number) {
  unsigned long long low, high;
  unsigned first, last = 0;
  if (!wide || !number)
    return;
  __asm__("bsfq %1,%0" : "=r"(low) : "rm"(wide));
  __asm__("bsr{q %1, %0| %0, %1}" : "=r"(high) : "r"(wide) : "cc");
  __asm__("bsfl %1, %0" : "=r"(first) : "r"(number), "0"(-1));
  __asm__ volatile("bsrl %k1, %k0;" : "=&r"(last) : "r"(number));
  add(low), add(high), add(first), add(last);
}

static void counts(unsigned long long wide, unsigned number, unsigned short narrow) {
  unsigned long long all, low;
  unsigned ones, of_wide;
  unsigned short few;
  __asm__("popcntq %1, %0" : "=r"(all) : "r"(wide) : "cc");
  __asm__("popcnt %k1, %k0" : "=r"(low) : "r"(wide) : "cc");
  __asm__("popcntl %1, %0" : "=r"(ones) : "r"(number) : "cc");
  __asm__("popcntq %1, %q0" : "=r"(of_wide) : "r"(wide) : "cc");
  __asm__("popcntw %1, %0" : "=r"(few) : "r"(narrow) : "cc");
  add(all), add(low), add(ones), add(of_wide), add(few);
}

int main(void) {
  for (int turn = 0; turn < 3; turn++) {
    unsigned long long wide = (unsigned long long)__VERIFIER_nondet_long();
    unsigned number = __VERIFIER_nondet_uint();
    unsigned char count = __VERIFIER_nondet_uchar();
    __asm__ volatile("pause" : : : "memory");
    swaps(wide, number, (unsigned short)number);
    rotations(wide, number, (unsigned short)wide, count, count);
    rotations(wide, number, (unsigned short)wide, count, 32);
    positions(wide >> count % 64, number);
    counts(wide, number, (unsigned short)wide);
    __asm__ volatile("rep; nop");
  }
  if (sum % 16 == 5)
    reach_error();
  return (unsigned char)sum;
}
