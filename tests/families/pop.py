"""Programs for abstracted call stacks (POP), of the four kinds of its experiments: recursion, control (protocols that functions
keep), event loops, and loops.

Popping a call helps where what an inner call does is the same at any depth, and matters after it little or by a relation that
is linear. It cannot help where there is one stack only (loops), which the paper pays for with half of its loop tasks.
"""

import itertools

from family import HEAD

RECURSION = {
    "sum": """static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > SIZE) return 0; check(sum(n) >= n BUG); }""",
    "depth": """static int depth;
static void down(int n) { depth++; if (n > 0) down(n - 1); depth--; }
int main(void) { down(__VERIFIER_nondet_int() % SIZE); check(depth == 0 BUG); }""",
    "parity": """static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0 || n > SIZE) return 0; check(even(n) == (n % 2 == 0 BUG)); }""",
    "flag": """static int seen;
static void walk(int n) { if (n <= 0) return; seen = 1; walk(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); walk(n); check(n <= 0 || seen BUG); }""",
    "bound": """static int top;
static int climb(int n) { if (top < SIZE) top++; return __VERIFIER_nondet_int() ? climb(n + 1) : n; }
int main(void) { climb(0); check(top <= SIZE BUG); }""",
    "out": """static void count(int n, int *out) { if (n > 0) { count(n - 1, out); *out = *out + 1; } }
int main(void) { int n = __VERIFIER_nondet_int(), c = 0; if (n < 0 || n > SIZE) return 0; count(n, &c); check(c == n BUG); }""",
    "lock": """static int held;
static void visit(int n) { check(held == 1 BUG); if (n > 0) visit(n - 1); check(held == 1); }
int main(void) { held = 1; visit(__VERIFIER_nondet_int()); held = 0; }""",
}
CONTROL = {
    "device": """static int open, busy;
static void start(void) { check(open); busy = 1; }
static void stop(void) { check(open && busy); busy = 0; }
static void use(int n) { start(); if (n > SIZE) stop(); else { stop(); start(); stop(); } }
int main(void) { int n = __VERIFIER_nondet_int(); open = n != SIZE; if (open BUG) { use(n); use(n + 1); } }""",
    "levels": """static int level;
static void c(void) { level++; check(level <= 3 BUG); level--; }
static void b(void) { level++; c(); if (__VERIFIER_nondet_int()) c(); level--; }
static void a(void) { level++; b(); if (__VERIFIER_nondet_int()) b(); level--; }
int main(void) { for (int i = 0; i < SIZE; i++) a(); check(level == 0); }""",
    "undo": """static int done[3];
static int act(int i) { if (__VERIFIER_nondet_int()) { done[i] = 1; return 1; } return 0; }
static void undo(int i) { check(done[i] == 1 BUG); done[i] = 0; }
int main(void) { if (!act(0)) return 0; if (!act(1)) { undo(0); return 0; } if (!act(2)) { undo(1); undo(0); return 0; }
check(done[0] + done[1] + done[2] == 3); }""",
}
EVENTS = {
    "door": """enum { SHUT, OPEN, LOCKED };
static int door, keys;
static void push(void) { if (door == SHUT) door = OPEN; else if (door == OPEN) door = SHUT; }
static void turn(void) { if (door == SHUT) { door = LOCKED; keys = 1; } else if (door == LOCKED) { door = SHUT; keys = 0 BUG; } }
int main(void) { for (;;) { switch (__VERIFIER_nondet_int()) { case 0: push(); break; case 1: turn(); break; default: return 0; }
check(keys == (door == LOCKED)); } }""",
    "queue": """static int length;
static void put(void) { if (length < SIZE BUG) length++; }
static void take(void) { if (length > 0) length--; }
static void handle(int event) { if (event > 0) put(); else take(); }
int main(void) { int event; while ((event = __VERIFIER_nondet_int()) != 99) { handle(event); check(length >= 0 && length <= SIZE); } }""",
    "session": """static int user, root;
static void login(int who) { user = who; root = who == 7; }
static void logout(void) { user = 0; root = 0; }
static void raise_rights(void) { if (user == 7 BUG) root = 1; }
int main(void) { int event; while ((event = __VERIFIER_nondet_int())) { if (event > 0) login(event); else if (event == -1) logout();
else raise_rights(); check(!root || user == 7); } }""",
}
LOOPS = {
    "up": "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; check(n < 0 || i == n BUG); }",
    "sum": """int main(void) { int s = 0; for (int i = 0; i < SIZE; i++) s += 2; check(s == 2 * SIZE BUG); }""",
    "nested": """int main(void) { int c = 0; for (int i = 0; i < SIZE; i++) for (int j = 0; j < 3; j++) c++; check(c == 3 * SIZE BUG); }""",
    "switch": """static int next(int s) { return s == 2 ? 0 : s + 1; }
int main(void) { int s = 0; while (__VERIFIER_nondet_int()) { s = next(s); check(s <= 2 BUG); } }""",
}
KINDS = {"recursion": RECURSION, "control": CONTROL, "events": EVENTS, "loops": LOOPS}
SPOILT = {
    ("control", "device"): "|| 1", ("control", "levels"): "- 1", ("control", "undo"): "&& 0",
    ("events", "door"): "+ 1", ("events", "queue"): "+ 1", ("events", "session"): "|| user == 3",
}


def programs(sizes):
    """Kind, name, text and truth of each program."""
    for kind, family in KINDS.items():
        for (name, text), size in itertools.product(family.items(), sizes):
            if "SIZE" not in text and size != sizes[0]:
                continue
            for bug in (False, True):
                spoilt = SPOILT.get((kind, name), "&& __VERIFIER_nondet_int() != 2") if bug else ""
                whole = HEAD + text.replace("BUG", spoilt).replace("SIZE", str(size))
                yield kind, f"{name}-{size}{'-bug' if bug else ''}", whole, "unsafe" if bug else "safe"
