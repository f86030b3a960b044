// Unit proof: splitting a line into fields. There is one field more than there are commas, no field has a comma, and
// the fields with one comma after each but the last are as long as the line.
// BUG 1: an empty field at the end of the line is lost.
// BUG 2: two commas in a row are taken as one.
#include <assert.h>
#include <stddef.h>

#ifndef SIZE
#define SIZE 4
#endif

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct field {
  const unsigned char *start;
  size_t length;
};

static size_t split(const unsigned char *line, size_t length, struct field *fields) {
  size_t count = 0, start = 0;
  for (size_t i = 0; i <= length; i++) {
    if (i < length && line[i] != ',')
      continue;
#if BUG == 1
    if (i == length && start == length && count > 0)
      break;
#elif BUG == 2
    if (i > 0 && i < length && line[i - 1] == ',') {
      start = i + 1;
      continue;
    }
#endif
    fields[count].start = line + start;
    fields[count].length = i - start;
    count++;
    start = i + 1;
  }
  return count;
}

int main(void) {
  unsigned char line[SIZE];
  size_t length = __VERIFIER_nondet_uchar(), commas = 0;
  __VERIFIER_assume(length <= SIZE);
  for (size_t i = 0; i < length; i++) {
    line[i] = __VERIFIER_nondet_uchar();
    commas += line[i] == ',';
  }

  struct field fields[SIZE + 1];
  size_t count = split(line, length, fields), total = 0;

  assert(count == commas + 1);
  const unsigned char *expected = line;
  for (size_t i = 0; i < count; i++) {
    assert(fields[i].start == expected);
    for (size_t j = 0; j < fields[i].length; j++)
      assert(fields[i].start[j] != ',');
    total += fields[i].length;
    expected += fields[i].length + 1;
  }
  assert(total + commas == length);
  return 0;
}
