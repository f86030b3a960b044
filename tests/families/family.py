"""What families of programs are: a shape, sizes, and a program for each size, right and wrong."""

from typing import Callable, NamedTuple

HEAD = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }
"""


class Family(NamedTuple):
    """Programs of one shape, which are to show an effect, or that it is absent."""

    # The C program of a size; a wrong one may take more to describe where its error is.
    make: Callable[..., str]
    # Why the effect shows on these programs, or why not.
    why: str
