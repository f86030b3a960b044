//! Beeline under BenchExec, as scripts/setup unpacks it: the tool-info module and the benchmark definition.

use beeline_tests::tools;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Python at the root of the repository, with BenchExec and our module.
fn python(arguments: &[&str]) -> Output {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let benchexec = root.join(".deps/python");
    assert!(benchexec.is_dir(), "BenchExec is missing: run scripts/setup tests");
    let mut command = Command::new("python3");
    command.args(arguments).current_dir(&root).env("PYTHONPATH", format!(".:{}", benchexec.display()));
    command.env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap()
}

/// Commands and verdicts, without running anything.
const MODULE: &str = r#"
from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode
from contrib.benchexec.beeline import Tool

tool = Tool()
def command(cputime, options):
    task = BaseTool2.Task(["a.c"], None, "p.prp", {"language": "C", "data_model": "ILP32"})
    limits = BaseTool2.ResourceLimits(cputime=cputime)
    return " ".join(tool.cmdline("beeline", options, task, limits))
model = "--property p.prp --data-model ILP32"
assert command(None, []) == f"beeline check --first {model} a.c"
assert command(100, []) == f"beeline check --first {model} --time-limit 90s a.c"
assert command(100, ["--time-limit", "5s"]) == f"beeline check --first --time-limit 5s {model} a.c"

def verdict(code, *lines):
    output = BaseTool2.RunOutput([line + "\n" for line in lines])
    return tool.determine_result(BaseTool2.Run([], ProcessExitCode.create(value=code), output, None))
assert verdict(0, "verdict: safe (proof certified)") == "true"
assert verdict(1, "x", "verdict: unsafe (not confirmed: why)") == "false"
assert verdict(3, "verdict: unknown (the time limit was reached)") == "unknown (the time limit was reached)"
assert verdict(2) == "ERROR (input)"
assert verdict(101, "thread panicked") == "ERROR"

import os, sys
files = tool.program_files(os.path.join(sys.argv[1], "beeline"))
assert all(os.path.exists(file) for file in files), files
assert any("libz3.so" in file for file in files) and any("features" in file for file in files), files
"#;

#[test]
fn the_module_makes_commands_and_reads_verdicts() {
    let output = python(&["-c", MODULE, &tools().unwrap().display().to_string()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_definition_runs_and_all_verdicts_are_right() {
    let results = TempDir::new().unwrap();
    let (tools, results) = (tools().unwrap(), format!("{}/", results.path().display()));
    let tools = tools.display().to_string();
    let mut arguments = vec!["-m", "benchexec.benchexec", "--no-container", "--tool-directory", &tools];
    arguments.extend(["-o", &results, "-r", "directed", "contrib/benchexec/beeline.xml"]);
    let output = python(&arguments);
    let printed = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    let figure = |name: &str| {
        let line = printed.lines().find_map(|line| line.trim().strip_prefix(name));
        line.and_then(|line| line.trim().parse::<u32>().ok())
    };
    assert_eq!((figure("correct:"), figure("incorrect:")), (Some(6), Some(0)), "{printed}\n{said}");
}
