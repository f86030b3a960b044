"""Programs for conditions (CMC): values decide most of them, and predicates are needed for the rest."""

from family import Family

# Parts, turns of their loops, and turns of a loop before all of them.
SIZES = [(1, 60, 0), (4, 60, 0), (16, 60, 0), (4, 150, 0), (4, 60, 12), (4, 60, 60)]


def parts(count, turns, before):
    """A program with one target that all gets to: parts with loops of known turns, after one such loop, and a loop that
    predicates are needed for."""
    lines = ["extern unsigned __VERIFIER_nondet_uint(void);", "extern void reach_error(void);",
             "static void check(int holds) { if (!holds) reach_error(); }", "int main(void) {",
             "  unsigned which = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(), i, s = 0, a = 0;",
             f"  for (i = 0; i < {before}; i++) a += 2;", f"  check(a == {2 * before});"]
    for part in range(count):
        sum = 0
        for turn in range(turns):
            sum = (sum * 5 + turn + 3 + 2 * part) & 255
        lines += [f"  if (which == {part}) {{", f"    for (i = 0; i < {turns}; i++) s = (s * 5 + i + {3 + 2 * part}) & 255;",
                  f"    check(s == {sum});", "    return 0;", "  }"]
    return "\n".join(lines + ["  i = 0;", "  while (i < n) { i++; s++; }", "  check(s == i);", "  return 0;", "}", ""])


FAMILIES = {
    "parts": Family(
        parts,
        "values follow the loops of known turns at once and never end with the last one, predicates end with the last one and follow "
        "the others turn by turn: no search decides both alone",
    ),
}
