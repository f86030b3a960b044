#!/usr/bin/env python3
"""Reads a .cfa file of Beeline and prints its header and sizes, as `beeline-ir dump --stats` does.

Written from files.md alone, with nothing but the standard library: proof that the format can be read
by others, and a start for a reader in another language. It reads every part of the body and checks
that ids exist, but not the rules of validity.

Usage: reader.py FILE.cfa
"""

import hashlib
import struct
import sys

MAGIC = b"\x89BEEL\r\n\x1a"
KINDS = {
    "cfa": "a program",
    "dist": "distances",
    "feat": "features",
    "hist": "a history of runs",
    "sel": "a selector",
    "run": "the result of a verification",
}
PARTS = ["files", "inputs", "constants", "functions", "variables", "regions", "expressions", "locations",
         "edges", "targets", "assumptions", "labels"]
FLOAT_WIDTHS = [16, 16, 32, 64, 80, 128]

# Expression tags: the first of each sort, and how many operators the sort has.
CONST, VAR, LOAD, ITE, FMA, EXTRACT, UNARY, BINARY, CAST = 0, 1, 2, 3, 4, 5, 6, 23, 52
CASTS = 9
# Operation tags.
SKIP, ASSUME, ASSIGN, ASSIGN_MANY, HAVOC, INPUT, HAVOC_REGION, STORE, CALL, CALL_INDIRECT = \
    0, 1, 9, 10, 11, 12, 13, 14, 15, 16


class Damaged(Exception):
    """The bytes are no file of this format."""


class Bytes:
    """Takes bytes apart from the front."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def raw(self, size):
        taken = self.data[self.at:self.at + size]
        if len(taken) < size:
            raise Damaged("it ends too early")
        self.at += size
        return taken

    def byte(self):
        return self.raw(1)[0]

    def fixed(self, layout):
        return struct.unpack("<" + layout, self.raw(struct.calcsize("<" + layout)))[0]

    def uint(self):
        first = self.byte()
        if first < 251:
            return first
        if first == 251:
            return self.fixed("H")
        if first == 252:
            return self.fixed("I")
        if first == 253:
            return self.fixed("Q")
        raise Damaged(f"no number begins with {first}")

    def int(self):
        folded = self.uint()
        return folded // 2 if folded % 2 == 0 else -(folded + 1) // 2

    def bool(self):
        value = self.byte()
        if value > 1:
            raise Damaged(f"{value} is no truth value")
        return value == 1

    def text(self):
        return self.raw(self.uint()).decode("utf-8")

    def id(self, count, what):
        value = self.uint()
        if value >= count:
            raise Damaged(f"{what} {value} does not exist")
        return value

    def optional(self, part):
        return part() if self.bool() else None


class Program:
    """The body of a .cfa file."""

    def __init__(self, body):
        self.bytes = body
        self.counts = {part: body.uint() for part in PARTS}
        self.name = body.text()
        self.pointer_width = body.uint()
        self.big_endian = body.bool()
        self.entry = self.id("functions")
        self.files = self.list("files", body.text)
        self.inputs = self.list("inputs", body.text)
        self.constants = self.list("constants", self.constant)
        self.functions = self.list("functions", self.function)
        self.variables = self.list("variables", self.variable)
        self.regions = self.list("regions", self.region)
        self.expressions = []
        for _ in range(self.counts["expressions"]):
            self.expressions.append(self.expression(len(self.expressions)))
        self.operations = self.edges()
        self.targets = self.list("targets", self.target)
        self.assumptions = self.list("assumptions", self.assumption)
        self.labels = self.list("labels", lambda: (body.uint(), body.text()))

    def id(self, part):
        return self.bytes.id(self.counts[part], part)

    def list(self, part, read):
        return [read() for _ in range(self.counts[part])]

    def type(self):
        tag = self.bytes.uint()
        if tag == 0:
            return "bool"
        if tag <= len(FLOAT_WIDTHS):
            return ("float", FLOAT_WIDTHS[tag - 1])
        return ("bits", tag - len(FLOAT_WIDTHS))

    def span(self):
        return self.id("files"), self.bytes.uint(), self.bytes.uint()

    def constant(self):
        ty = self.type()
        if ty == "bool":
            return self.bytes.bool()
        width = ty[1]
        if width <= 64:
            return self.bytes.uint()
        return int.from_bytes(self.bytes.raw((width + 7) // 8), "little")

    def function(self):
        body = self.bytes
        return {
            "name": body.text(),
            "params": body.uint(),
            "returns": body.bool(),
            "locals": body.uint(),
            "locations": body.uint(),
            "exit": body.uint(),
            "address": body.optional(body.uint),
            "file": body.optional(lambda: self.id("files")),
        }

    def variable(self):
        body = self.bytes
        name, ty, flags = body.text(), self.type(), body.byte()
        init = self.id("constants") if flags & 1 else None
        source = (body.text(), body.text()) if flags & 2 else None
        span = self.span() if flags & 4 else None
        return name, ty, init, source, span

    def region(self):
        body = self.bytes
        name, address, cell = body.text(), self.type(), self.type()
        extents = [(body.uint(), body.uint()) for _ in range(body.uint())]
        init = [(body.uint(), body.uint(), self.id("constants")) for _ in range(body.uint())]
        return name, address, cell, extents, init

    def back(self, index):
        distance = self.bytes.uint()
        if not 1 <= distance <= index:
            raise Damaged("an operand does not stand before its use")
        return index - distance

    def expression(self, index):
        body, tag = self.bytes, self.bytes.byte()
        if tag in (CONST, VAR):
            return tag, body.int()
        if tag == LOAD:
            return tag, self.id("regions"), self.back(index), self.type()
        if tag in (ITE, FMA):
            return tag, self.back(index), self.back(index), self.back(index)
        if tag == EXTRACT:
            return tag, body.uint(), body.uint(), self.back(index)
        if tag < BINARY:
            return tag, self.back(index)
        if tag < CAST:
            return tag, self.back(index), self.back(index)
        if tag < CAST + CASTS:
            return tag, self.type(), self.back(index)
        raise Damaged(f"there is no expression with tag {tag}")

    def edges(self):
        """The tags of the edges' operations."""
        operations = []
        for _ in range(self.counts["locations"]):
            for _ in range(self.bytes.uint()):
                operations.append(self.edge())
        if len(operations) != self.counts["edges"]:
            raise Damaged("the locations' edges are not as many as there are")
        return operations

    def edge(self):
        body, tag = self.bytes, self.bytes.byte()
        if not tag & 4:
            body.int()  # the destination, against the source
        span = tag & 3
        if span == 3:
            self.id("files")
        if span >= 2:
            body.int()  # the line, against that of the last span
            body.uint()  # the column
        self.operation(tag >> 3)
        return tag >> 3

    def operation(self, tag):
        body = self.bytes
        var, expr = body.int, body.int  # both against numbers that came before
        if tag == SKIP:
            pass
        elif tag < ASSIGN:
            expr()
        elif tag in (ASSIGN, ASSIGN_MANY):
            for _ in range(1 if tag == ASSIGN else body.uint()):
                var()
                expr()
        elif tag == HAVOC:
            var()
        elif tag == INPUT:
            var()
            self.id("inputs")
        elif tag == HAVOC_REGION:
            self.id("regions")
        elif tag == STORE:
            self.id("regions")
            expr()
            expr()
        elif tag in (CALL, CALL_INDIRECT):
            if tag == CALL:
                self.id("functions")
            else:
                expr()
                for _ in range(body.uint()):
                    self.id("functions")
            for _ in range(body.uint()):
                expr()
            body.optional(var)
        else:
            raise Damaged(f"there is no operation with tag {tag}")

    def target(self):
        body = self.bytes
        return self.id("locations"), body.text(), body.text(), body.optional(self.span)

    def assumption(self):
        body = self.bytes
        kind, text, direction = body.text(), body.text(), body.id(3, "direction")
        edge = body.optional(lambda: self.id("edges"))
        return kind, text, direction, edge, body.optional(self.span)

    def sizes(self):
        def operations(*tags):
            return sum(1 for tag in self.operations if tag in tags)

        counts = self.counts
        own = sum(f["params"] + f["returns"] + f["locals"] for f in self.functions)
        yield "functions", counts["functions"]
        yield "locations", counts["locations"]
        yield "edges", counts["edges"]
        yield "skips", operations(SKIP)
        yield "assumes", operations(*range(ASSUME, ASSIGN))
        yield "assignments", operations(ASSIGN, ASSIGN_MANY)
        yield "havocs", operations(HAVOC, INPUT, HAVOC_REGION)
        yield "stores", operations(STORE)
        yield "calls", operations(CALL, CALL_INDIRECT)
        yield "globals", counts["variables"] - own
        for part in ["variables", "regions", "constants", "expressions", "targets", "assumptions", "files",
                     "inputs", "labels"]:
            yield part, counts[part]


def read(data):
    """The header's lines and the body of a file."""
    header = Bytes(data)
    if header.raw(len(MAGIC)) != MAGIC:
        raise Damaged("it is no file of Beeline")
    kind = header.raw(4).rstrip(b"\0").decode("ascii")
    major, minor = header.fixed("H"), header.fixed("H")
    digest, upstream = header.raw(32), header.raw(32)
    length = header.fixed("Q")
    producer = header.raw(header.byte()).decode("utf-8")
    body = data[header.at:]
    if kind != "cfa":
        raise Damaged(f"it is a .{kind} file, not a .cfa file")
    if major != 1:
        raise Damaged(f"its version is {major}.{minor}, this reader knows 1.x")
    if len(body) != length or hashlib.sha256(body).digest() != digest:
        raise Damaged("its body is not whole")
    lines = [
        ("kind", f"{kind} ({KINDS[kind]})"),
        ("version", f"{major}.{minor}"),
        ("producer", producer),
        ("digest", digest.hex()),
        ("upstream", upstream.hex() if any(upstream) else "none"),
        ("body", f"{length} bytes"),
    ]
    rest = Bytes(body)
    program = Program(rest)
    # A newer minor version may add parts at the end.
    if minor == 0 and rest.at != length:
        raise Damaged(f"{length - rest.at} bytes are left over")
    return lines, program


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: reader.py FILE.cfa")
    try:
        with open(sys.argv[1], "rb") as file:
            header, program = read(file.read())
    except (Damaged, OSError, UnicodeDecodeError) as error:
        sys.exit(f"reader.py: {sys.argv[1]}: {error}")
    for name, value in [*header, *program.sizes()]:
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
