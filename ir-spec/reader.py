#!/usr/bin/env python3
"""Reads a .cfa file as files.md lays it down and prints its statistics, as `beeline-ir dump --stats`.

Written from the specification alone, with nothing but the standard library, to show that it suffices.
Usage: reader.py FILE
"""

import hashlib
import struct
import sys

MAGIC = b"\x89BEEL\r\n\x1a"
HEADER = struct.Struct("<8s4sHH32s32sQB")
COUNTS = ("files inputs constants functions variables regions expressions locations edges targets "
          "assumptions labels").split()
FLOAT_WIDTHS = [16, 16, 32, 64, 80, 128]


class Body:
    """The bytes of a body, taken from the front."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def raw(self, length):
        if self.at + length > len(self.data):
            raise ValueError("the body ends too early")
        self.at += length
        return self.data[self.at - length:self.at]

    def byte(self):
        return self.raw(1)[0]

    def bool(self):
        value = self.byte()
        if value > 1:
            raise ValueError("a truth value is neither 0 nor 1")
        return value == 1

    def uint(self):
        first = self.byte()
        if first < 251:
            return first
        if first > 253:
            raise ValueError("a number has an unknown size")
        return int.from_bytes(self.raw({251: 2, 252: 4, 253: 8}[first]), "little")

    def int(self):
        folded = self.uint()
        return -(folded + 1) // 2 if folded % 2 else folded // 2

    def text(self):
        return self.raw(self.uint()).decode()

    def list(self, part):
        return [part() for _ in range(self.uint())]

    def option(self, part):
        return part() if self.bool() else None

    def span(self):
        return self.uint(), self.uint(), self.uint()

    def value(self):
        kind = self.uint()
        if kind == 0:
            return self.bool()
        width = FLOAT_WIDTHS[kind - 1] if kind <= 6 else kind - 6
        return self.uint() if width <= 64 else int.from_bytes(self.raw((width + 7) // 8), "little")


def read_function(body):
    name = body.text()
    params, ret, others = body.uint(), body.bool(), body.uint()
    locations, exit_ = body.uint(), body.uint()
    body.option(body.uint)
    body.option(body.uint)
    return {"name": name, "variables": params + ret + others, "locations": locations, "exit": exit_}


def read_variable(body):
    body.text()
    body.uint()
    flags = body.byte()
    if flags & 1:
        body.uint()
    if flags & 2:
        body.text()
        body.text()
    if flags & 4:
        body.span()


def read_region(body):
    body.text()
    body.uint()
    body.uint()
    body.list(lambda: (body.uint(), body.uint()))
    body.list(lambda: (body.uint(), body.uint(), body.uint()))


def read_expression(body, index):
    def operands(number):
        for _ in range(number):
            if not 1 <= body.uint() <= index:
                raise ValueError("an operand is used before its definition")

    tag = body.byte()
    if tag <= 1:
        body.int()
    elif tag == 2:
        body.uint()
        operands(1)
        body.uint()
    elif tag <= 4:
        operands(3)
    elif tag == 5:
        body.uint()
        body.uint()
        operands(1)
    elif tag < 23:
        operands(1)
    elif tag < 52:
        operands(2)
    elif tag < 61:
        body.uint()
        operands(1)
    else:
        raise ValueError(f"unknown expression tag {tag}")


def read_edge(body):
    """Reads an edge and returns the name of what it does."""
    tag = body.byte()
    operation, follows, span = tag >> 3, tag >> 2 & 1, tag & 3
    if not follows:
        body.int()
    if span == 3:
        body.uint()
    if span >= 2:
        body.int()
        body.uint()
    if operation == 0:
        return "skips"
    if operation <= 8:
        body.int()
        return "assumes"
    if operation <= 10:
        for _ in range(body.uint() if operation == 10 else 1):
            body.int()
            body.int()
        return "assignments"
    if operation <= 13:
        if operation != 13:
            body.int()
        if operation != 11:
            body.uint()
        return "havocs"
    if operation == 14:
        body.uint()
        body.int()
        body.int()
        return "stores"
    if operation > 16:
        raise ValueError(f"there is no operation with tag {operation}")
    if operation == 15:
        body.uint()
    else:
        body.int()
        body.list(body.uint)
    body.list(body.int)
    body.option(body.int)
    return "calls"


def read_program(body):
    """Reads a program and returns its sizes by name."""
    sizes = {name: body.uint() for name in COUNTS}
    body.text()
    body.uint()
    body.bool()
    body.uint()
    for _ in range(sizes["files"] + sizes["inputs"]):
        body.text()
    for _ in range(sizes["constants"]):
        body.value()
    functions = [read_function(body) for _ in range(sizes["functions"])]
    for _ in range(sizes["variables"]):
        read_variable(body)
    for _ in range(sizes["regions"]):
        read_region(body)
    for index in range(sizes["expressions"]):
        read_expression(body, index)
    operations = ["skips", "assumes", "assignments", "havocs", "stores", "calls"]
    sizes.update((name, 0) for name in operations)
    for _ in range(sizes["locations"]):
        for _ in range(body.uint()):
            sizes[read_edge(body)] += 1
    for _ in range(sizes["targets"]):
        body.uint()
        body.text()
        body.text()
        body.option(body.span)
    for _ in range(sizes["assumptions"]):
        body.text()
        body.text()
        body.uint()
        body.option(body.uint)
        body.option(body.span)
    for _ in range(sizes["labels"]):
        body.uint()
        body.text()
    sizes["globals"] = sizes["variables"] - sum(function["variables"] for function in functions)
    if sum(function["locations"] for function in functions) != sizes["locations"]:
        raise ValueError("the functions' locations are not as many as there are")
    if sum(sizes[name] for name in operations) != sizes["edges"]:
        raise ValueError("the number of edges of locations does not match")
    return sizes


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < HEADER.size:
        raise ValueError("it ends within its header")
    magic, kind, major, minor, digest, upstream, length, name_length = HEADER.unpack_from(data)
    if magic != MAGIC or kind != b"cfa\0":
        raise ValueError("it is no .cfa file")
    if major != 1:
        raise ValueError(f"it has version {major}.{minor}, this program reads version 1")
    start = HEADER.size + name_length
    content = data[start:]
    if len(content) != length or hashlib.sha256(content).digest() != digest:
        raise ValueError("it is damaged")
    body = Body(content)
    sizes = read_program(body)
    if body.at != length and minor == 0:
        raise ValueError("bytes are left over")
    print("kind: cfa (a program)")
    print(f"version: {major}.{minor}")
    print(f"producer: {data[HEADER.size:start].decode()}")
    print(f"digest: {digest.hex()}")
    print(f"upstream: {upstream.hex() if any(upstream) else 'none'}")
    print(f"body: {length} bytes")
    for name in ("functions locations edges skips assumes assignments havocs stores calls globals variables "
                 "regions constants expressions targets assumptions files inputs labels").split():
        print(f"{name}: {sizes[name]}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: reader.py FILE")
    try:
        main(sys.argv[1])
    except (OSError, ValueError) as error:
        sys.exit(f"reader.py: {sys.argv[1]}: {error}")
