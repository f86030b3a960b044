"""Programs for directed search (TOUR): an error, and work that leads to other targets.

The work is three loops that end at any time, a loop that predicates follow iteration by iteration, and an assertion that holds. Half of the work is
before the error in the program, half after it, so that neither depth first nor its opposite comes upon the error by chance.
"""

from family import HEAD, Family

# So many iterations cost a search by predicates more than its limit.
ITERATIONS = 60


def idle(count):
    """So many loops in a row that end at any time."""
    return " ".join(["while (__VERIFIER_nondet_int()) turns++;"] * count)


def work(number):
    """A function with a loop whose result an assertion knows."""
    result = 0
    for step in range(ITERATIONS):
        result = (result * 5 + step + number) & 255
    return f"""static void work_{number}(void) {{
  unsigned result = 0;
  {idle(3)}
  for (unsigned step = 0; step < {ITERATIONS}; step++)
    result = (result * 5 + step + {number}) & 255;
  check(result == {result});
}}
"""


def dispatch(size, middle, functions):
    """A program that does one of `size` works, or `middle`, which calls some functions."""
    text = "int main(void) {\n  switch (__VERIFIER_nondet_int()) {\n"
    for number in range(size):
        if number == size // 2:
            text += f"  case {size}:\n    {middle}\n    break;\n"
        text += f"  case {number}:\n    work_{number}();\n    break;\n"
    works = "".join(work(number) for number in range(size))
    return "static unsigned turns;\n" + functions + works + text + "  }\n  return 0;\n}\n"


def behind_calls(size, depth):
    """The error is `depth` calls deep, each behind a condition; without a depth it is no error."""
    wrong, depth = depth is not None, depth or 1
    text = f"static void deep_{depth}(int x) {{ check(x <= {depth + 3 - wrong}); }}\n"
    for level in reversed(range(depth)):
        text += f"static void deep_{level}(int x) {{ if (__VERIFIER_nondet_int() == {level}) deep_{level + 1}(x + 1); }}\n"
    return HEAD + dispatch(size, "deep_0(3);", text)


def behind_loops(size, depth):
    """The error is behind `depth` loops without a bound; without a depth it is no error."""
    wrong, depth = depth is not None, depth or 1
    text = f"static void late(int x) {{ {idle(depth)} check(x <= {3 - wrong}); }}\n"
    return HEAD + dispatch(size, "late(3);", text)


FAMILIES = {
    "behind-calls": Family(
        behind_calls,
        "the way to the error has no loop. With call stacks it lies in the first block, which every order finishes first. With "
        "summaries each call is a context of its own: `lh` goes straight on, `bb` and `st` turn to the work where that is nearer, and "
        "`lf` counts the calls as it counts loops",
    ),
    "behind-loops": Family(
        behind_loops,
        "the way to the error has loops, as the work has: distances lead to the error as long as it has fewer, and mislead from eight "
        "on; depth first does the work first at any depth",
    ),
}
