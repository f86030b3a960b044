//! Native runs of programs on all pairs of inputs. The programs are linked into one, as most of the time of such a run is
//! the start of compilers, linkers and sanitizers.

use crate::{CLANG, finished};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many programs campaigns run natively at once.
const AT_ONCE: u64 = 24;

/// How programs are built and run.
#[derive(Debug, Clone, Copy)]
pub struct Native<'a> {
    /// How many values each of the two inputs has.
    pub values: u8,
    /// For the compiler.
    pub flags: &'a [&'a str],
    /// Whether a program runs on all inputs though a run fails.
    pub all: bool,
    /// What the programs call, in C.
    pub support: &'a str,
    /// Options of sanitizers: a variable of the environment and its content.
    pub sanitizers: &'a [(&'a str, &'a str)],
}

/// What native runs of a program show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Did a run fail?
    pub fails: bool,
    /// Did all runs end?
    pub ends: bool,
    /// What they wrote to standard error.
    pub report: String,
}

/// Runs each program on all inputs, each time in a process of its own.
///
/// The time of a run is limited by what it takes of the processor: on a busy machine it does the same.
const HARNESS: &str = r#"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned char given[2];
static unsigned next;
unsigned char __VERIFIER_nondet_uchar(void) { return given[next++ % 2]; }
static void one(int number, int (*program)(int, char **), char **arguments) {
  char name[32];
  int fails = 0, ends = 1;
  snprintf(name, sizeof name, "report%d", number);
  int report = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
  for (unsigned i = 0; i < VALUES * VALUES && (ALL || !fails); i++) {
    int status = 0;
    pid_t child = fork();
    if (child < 0)
      abort();
    if (child == 0) {
      struct itimerval limit = {.it_value = {.tv_usec = 300000}};
      dup2(report, 2);
      given[0] = i / VALUES;
      given[1] = i % VALUES;
      setitimer(ITIMER_VIRTUAL, &limit, NULL);
      exit(program(1, arguments));
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM)
      ends = 0;
    else
      fails |= status != 0;
  }
  close(report);
  printf("%d%d\n", fails, ends);
  fflush(stdout);
}
"#;

impl Native<'_> {
    /// What runs of C files show, in their order.
    ///
    /// # Errors
    /// If they cannot be compiled, or the program of all of them ends.
    pub fn run(&self, files: &[PathBuf]) -> Result<Vec<Shown>, String> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        self.build(files, folder.path())?;
        let mut command = Command::new(folder.path().join("native"));
        command.current_dir(folder.path()).envs(self.sanitizers.iter().copied());
        let output = command.output().map_err(|error| error.to_string())?;
        let lines = String::from_utf8_lossy(&output.stdout);
        let shown: Vec<Shown> = lines
            .lines()
            .enumerate()
            .map(|(number, line)| Shown {
                fails: line.starts_with('1'),
                ends: line.ends_with('1'),
                report: std::fs::read(folder.path().join(format!("report{number}")))
                    .map_or_else(|_| String::new(), |bytes| String::from_utf8_lossy(&bytes).into_owned()),
            })
            .collect();
        if shown.len() != files.len() {
            return Err(format!("native runs end after {} of {} programs", shown.len(), files.len()));
        }
        Ok(shown)
    }

    /// Builds one program of all files.
    fn build(&self, files: &[PathBuf], folder: &Path) -> Result<(), String> {
        let write = |name: &str, text: &str| {
            std::fs::write(folder.join(name), text).map_err(|error| error.to_string())
        };
        let (values, all) = (self.values, u8::from(self.all));
        let mut harness = format!("#define VALUES {values}\n#define ALL {all}\n{HARNESS}{}", self.support);
        let mut calls = String::new();
        let mut command = Command::new(CLANG);
        command.current_dir(folder).args(["-g", "-w", "-O0"]).args(self.flags);
        for (number, file) in files.iter().enumerate() {
            let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
            let (own, place) = (format!("{number}.c"), file.display());
            write(&own, &format!("#define main main_{number}\n#line 1 \"{place}\"\n{text}"))?;
            let _ = writeln!(harness, "int main_{number}();");
            let _ = writeln!(calls, "  one({number}, main_{number}, arguments);");
            command.arg(own);
        }
        let _ = writeln!(harness, "int main(int count, char **arguments) {{\n{calls}  return 0;\n}}");
        write("harness.c", &harness)?;
        finished(command.args(["harness.c", "-o", "native"]).output().map_err(|error| error.to_string())?)
    }
}

/// Files with the texts of programs.
///
/// # Errors
/// If they cannot be written.
pub fn written(
    folder: &Path,
    programs: impl IntoIterator<Item = (String, String)>,
) -> Result<Vec<PathBuf>, String> {
    let write = |(name, text): (String, String)| {
        let file = folder.join(name);
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        Ok(file)
    };
    programs.into_iter().map(write).collect()
}

/// A campaign: checks each of as many random programs as its arguments say, which are made some at a time, from their seeds in
/// a folder. Returns their number; tells why if it cannot.
pub fn campaign<P>(
    name: &str,
    generated: impl Fn(Range<u64>, &Path) -> Result<Vec<P>, String>,
    check: impl FnMut(P, &Path),
) -> Option<u64> {
    let seeds = crate::seeds(name)?;
    let done = with_each(seeds, generated, check);
    done.inspect_err(|error| eprintln!("{name}: {error}")).ok()
}

fn with_each<P>(
    seeds: Range<u64>,
    generated: impl Fn(Range<u64>, &Path) -> Result<Vec<P>, String>,
    mut check: impl FnMut(P, &Path),
) -> Result<u64, String> {
    let (mut first, mut count) = (seeds.start, 0);
    while first < seeds.end {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let next = seeds.end.min(first + AT_ONCE);
        for program in generated(first..next, folder.path())? {
            check(program, folder.path());
            count += 1;
        }
        first = next;
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let program = |body: &str| {
            format!(
                "#include <stdio.h>\nunsigned char __VERIFIER_nondet_uchar(void);\nint stop(void);\nstatic int once;\nint main(void) {{ int i = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar(); {body} return 0; }}"
            )
        };
        let bodies = [
            "",
            "if (i == 1 && j == 2) return stop();",
            "while (i == j);",
            "if (once++) return 1; fprintf(stderr, \"%d%d;\", i, j);",
        ];
        let texts = bodies.iter().zip(0..).map(|(body, number)| (format!("{number}.c"), program(body)));
        let files = written(folder.path(), texts).unwrap();
        let native = Native {
            values: 3,
            flags: &[],
            all: true,
            support: "int stop(void) { return 4; }\n",
            sanitizers: &[],
        };
        let shown = native.run(&files).unwrap();
        let told = |shown: &Shown| (shown.fails, shown.ends);
        assert_eq!(
            shown.iter().map(told).collect::<Vec<_>>(),
            [(false, true), (true, true), (false, false), (false, true)]
        );
        assert_eq!(shown[3].report, "00;01;02;10;11;12;20;21;22;");
        // Without the others, a run on the first input that fails is the last one.
        let shown = Native { all: false, ..native }.run(&files).unwrap();
        assert!(shown[1].fails && !shown[2].fails && !shown[2].ends);
        let failing = [files[1].clone(), folder.path().join("noisy.c")];
        std::fs::write(&failing[1], program("fprintf(stderr, \"%d%d;\", i, j); return j;")).unwrap();
        assert_eq!(Native { all: false, ..native }.run(&failing).unwrap()[1].report, "00;01;");
    }

    #[test]
    fn what_does_not_compile_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let files = written(folder.path(), [("a.c".to_string(), "int main(void) { return x; }".to_string())]);
        let native = Native { values: 1, flags: &[], all: true, support: "", sanitizers: &[] };
        assert!(native.run(&files.unwrap()).unwrap_err().contains("a.c:1:"));
    }

    #[test]
    fn a_campaign_meets_each_seed_once() {
        let mut met = Vec::new();
        let count = with_each(5..60, |seeds, _| Ok(seeds.collect()), |seed, _| met.push(seed));
        assert_eq!((count, met), (Ok(55), (5..60).collect()));
    }
}
