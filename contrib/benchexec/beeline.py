"""Tells BenchExec how to run Beeline and how to read its answers.

BenchExec finds this module as contrib.benchexec.beeline when the root of the repository is in PYTHONPATH;
see README.md beside this file.
"""

import glob
import os

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

# The tools that `beeline check` runs lie beside it.
TOOLS = ["annotate", "check-proof", "features", "ir", "lower", "mark", "replay", "residual", "verify"]
# Where they look for Z3, from there: as it is installed, and in a checkout.
LIBRARIES = ["../lib/beeline/libz3.so*", "../../.deps/z3/lib/libz3.so*"]

VERDICTS = {
    "safe": result.RESULT_TRUE_PROP,
    "unsafe": result.RESULT_FALSE_PROP,
    "unknown": result.RESULT_UNKNOWN,
}

# The exit code for wrong input and wrong usage.
WRONG = 2


class Tool(benchexec.tools.template.BaseTool2):
    """Beeline, a verifier for C."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("beeline")

    def program_files(self, executable):
        folder = os.path.dirname(executable)
        libraries = [path for names in LIBRARIES for path in glob.glob(os.path.join(folder, names))]
        return [executable] + [f"{executable}-{tool}" for tool in TOOLS] + libraries

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="beeline")

    def name(self):
        return "Beeline"

    def project_url(self):
        return None

    def cmdline(self, executable, options, task, rlimits):
        # One bug decides a task.
        command = [executable, "check", "--first", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: ILP32, LP64: LP64})
        if model:
            command += ["--data-model", model]
        if rlimits.cputime and "--time-limit" not in options:
            # What is left is for compiling and for checking the answer.
            command += ["--time-limit", f"{int(rlimits.cputime * 0.9)}s"]
        return command + list(task.input_files)

    def determine_result(self, run):
        for line in reversed(run.output):
            if not line.startswith("verdict: "):
                continue
            word, _, remark = line[len("verdict: ") :].strip().partition(" ")
            verdict = VERDICTS.get(word, result.RESULT_ERROR)
            if verdict == result.RESULT_UNKNOWN and remark:
                return f"{verdict} {remark}"
            return verdict
        if run.exit_code.value == WRONG:
            return f"{result.RESULT_ERROR} (input)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        for line in reversed(output):
            if line.startswith(f"{identifier}: "):
                return line[len(identifier) + 2 :].strip()
        return None
