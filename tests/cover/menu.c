// A menu: switches, conditions of several parts, a choice, loops of each kind, and code that no input gets to.
extern unsigned char __VERIFIER_nondet_uchar(void);

enum key { UP = 1, DOWN = 2, ENTER = 13, ESCAPE = 27 };

static int move(int row, unsigned char key) {
  switch (key) {
  case UP:
    return row > 0 ? row - 1 : row;
  case DOWN:
    return row < 3 ? row + 1 : row;
  case ENTER:
  case ESCAPE:
    return -1;
  default:
    return row;
  }
}

static int unused(int row) {
  if (row > 7)
    return 1;
  return 0;
}

int main(void) {
  int row = 1, shown = 0;
  do {
    unsigned char key = __VERIFIER_nondet_uchar();
    int next = move(row, key);
    if (next < 0 && key != ESCAPE)
      break;
    if (next < 0)
      return 2;
    row = next;
    shown++;
  } while (shown < 2);
  if (row < 0 || row > 3)
    return unused(row);
  while (row > 0)
    row--;
  return row == 0 ? 0 : 3;
}
