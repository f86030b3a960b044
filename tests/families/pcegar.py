"""Programs with many targets, for provident refinement (PCEGAR): a round gathers paths to several targets and learns from all of them."""

from family import Family

HEAD = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"


def all_fail(size):
    """Each assertion fails, for an input of its own."""
    lines = [f"  assert(x != {7 * number});" for number in range(size)]
    return HEAD + "int main(void) {\n  int x = __VERIFIER_nondet_int();\n" + "\n".join(lines) + "\n}\n"


def tenth_fails(size):
    """Functions with an assertion each, of which every tenth fails."""
    functions, calls = [], []
    for number in range(size):
        bound = 100 if number % 10 == 0 else 101
        functions.append(f"static int f{number}(int x) {{\n  assert(x < {bound});\n  return x + 1;\n}}\n")
        calls.append(f"  if (x >= 0 && x <= 100) f{number}(x);")
    body = "\n".join(calls)
    return HEAD + "".join(functions) + f"int main(void) {{\n  int x = __VERIFIER_nondet_int();\n{body}\n}}\n"


def safe_loop(size):
    """A loop that counts, with assertions about the counters that all hold."""
    lines = [f"    assert(m <= 2 * n + {number});" for number in range(size)]
    body = "\n".join(lines)
    return HEAD + (
        "int main(void) {\n  unsigned n = 0, m = 0;\n  while (__VERIFIER_nondet_int() && n < 1000) {\n"
        f"    n++;\n    if (__VERIFIER_nondet_int()) m += 2;\n{body}\n  }}\n}}\n"
    )


def lock(size):
    """A lock that is taken and given back in a loop, with assertions of which one fails."""
    lines = []
    for number in range(size):
        wrong = " && got != 5" if number == size // 2 else ""
        lines.append(f"    held++;\n    assert(held == 1{wrong});\n    held--;")
    body = "\n".join(lines)
    return HEAD + (
        "int main(void) {\n  int held = 0, got = 0;\n  while (__VERIFIER_nondet_int()) {\n"
        f"    got = __VERIFIER_nondet_int();\n{body}\n  }}\n}}\n"
    )


def inputs(size):
    """Assertions about an input each, of which every tenth fails."""
    lines = [
        f"  int x{number} = __VERIFIER_nondet_int();\n"
        f"  if (x{number} >= 0 && x{number} <= 100) assert(x{number} < {100 if number % 10 == 0 else 101});"
        for number in range(size)
    ]
    return HEAD + "int main(void) {\n" + "\n".join(lines) + "\n}\n"


def loops(size):
    """Loops in a row that count, and behind all of them an assertion about each, which hold."""
    before = [f"  unsigned n{number} = 0, m{number} = 0;" for number in range(size)]
    counting = [
        f"  while (__VERIFIER_nondet_int() && n{number} < 1000) {{\n    n{number}++;\n"
        f"    if (__VERIFIER_nondet_int()) m{number} += 2;\n  }}"
        for number in range(size)
    ]
    behind = [f"  assert(m{number} <= 2 * n{number});" for number in range(size)]
    return HEAD + "int main(void) {\n" + "\n".join(before + counting + behind) + "\n}\n"


def modes(size):
    """Modes that are chosen in front of a shared chain of loops, and behind it an assertion about each, which hold."""
    before = [f"  int mode{number} = __VERIFIER_nondet_int() ? 1 : 2;" for number in range(size)]
    chain = ["  while (__VERIFIER_nondet_int())\n    steps++;" for _ in range(8)]
    behind = [f"  if (mode{number} != 1) assert(mode{number} == 2);" for number in range(size)]
    return HEAD + "int main(void) {\n  unsigned steps = 0;\n" + "\n".join(before + chain + behind) + "\n}\n"


def guarded(size):
    """A chain of branches that exclude each other, in a loop, with an assertion behind each, which hold."""
    lines = [
        f"    if (state == {number}) {{\n      assert(left == {size - number});\n      state = {number + 1};\n      left--;\n      continue;\n    }}"
        for number in range(size)
    ]
    body = "\n".join(lines)
    return HEAD + (
        f"int main(void) {{\n  int state = 0, left = {size};\n  while (__VERIFIER_nondet_int()) {{\n{body}\n  }}\n}}\n"
    )


FAMILIES = {
    "all-fail": Family(all_fail, "each error is found on the first path to it: nothing is refined, so that many paths at once win nothing"),
    "tenth-fails": Family(tenth_fails, "what holds is told by its own condition: a refinement for one target says nothing about another"),
    "inputs": Family(inputs, "the same with an input each"),
    "safe-loop": Family(safe_loop, "each assertion holds by the same invariant: paths to several targets show it, the path to one unrolls the loop"),
    "lock": Family(lock, "all assertions need one predicate, which the first path finds: the paths that come with it are work for nothing"),
    "loops": Family(loops, "each loop has an invariant of its own: paths to all targets find all of them in a round"),
    "modes": Family(modes, "a predicate for each target, behind a chain of loops: with one path a round, the chain is explored again for each"),
    "guarded": Family(guarded, "conditions guard each target: one refinement for each, in any order"),
}
