"""What the campaigns share: where the tools are, compiling and lowering a program, runs with their processor time, tables."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
# Optimised tools, if they are built.
TOOLS = next(
    (folder for folder in [ROOT / "target/release", ROOT / "target/debug"] if (folder / "beeline").exists()),
    ROOT / "target/release",
)
# The families of programs.
sys.path.insert(0, str(ROOT / "tests" / "families"))
CLANG = os.environ.get("BEELINE_CLANG", "clang-19")
BITCODE = ["-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c"]


def parser(page, tools=True):
    """A parser of command lines whose help is the page of a script; `--tools` names a folder with other tools."""
    made = argparse.ArgumentParser(description=page, formatter_class=argparse.RawDescriptionHelpFormatter)
    if tools:
        made.add_argument("--tools", type=lambda text: Path(text).resolve(), default=TOOLS, metavar="FOLDER", help="the tools [default: target/release]")
    return made


def fail(message):
    """Ends the script with a sentence that names it."""
    sys.exit(f"measure/{Path(sys.argv[0]).name}: {message}")


def run(command, may_fail=False):
    """Runs a command; one that fails ends the script, unless it may."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode and not may_fail:
        fail(f"{Path(command[0]).name} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done


class Ran(NamedTuple):
    """What a command printed, its exit code, and the processor time of it and its children."""

    out: str
    err: str
    code: int
    seconds: float

    @property
    def last(self):
        """The last line that it printed."""
        return ((self.out.strip() or self.err.strip()).splitlines() or [""])[-1]


def timed(command):
    """Runs a command, which may fail."""
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Ran(out.read(), err.read(), process.returncode, usage.ru_utime + usage.ru_stime)


def compiled(source, bitcode, *flags):
    """The bitcode of a C file."""
    run([CLANG, *BITCODE, *flags, source, "-o", bitcode])
    return bitcode


def lowered(tools, source, *flags, lowering=()):
    """The program (.cfa) of a C file, written next to it, with flags of clang and options of the lowering."""
    source = Path(source)
    bitcode, program = source.with_suffix(".bc"), source.with_suffix(".cfa")
    compiled(source, bitcode, *flags)
    run([tools / "beeline-lower", bitcode, "-o", program, *lowering])
    return program


def statistics(told):
    """The statistics of an answer in JSON, by name."""
    return {figure["name"]: figure["value"] for figure in told["statistics"]}


def verified(tools, program, *options):
    """The verdict and the statistics of a search."""
    result = Path(program).with_suffix(".run")
    told = json.loads(run([tools / "beeline-verify", program, "-o", result, "--json", *options]).stdout)
    return told["verdict"], statistics(told)


def row(cells):
    """A line of a table in Markdown."""
    return "| " + " | ".join(map(str, cells)) + " |"


def head(names):
    """The head of a table in Markdown."""
    return row(names) + "\n|" + " --- |" * len(names)
