//! Programs for memory safety: those in `tests/memory`, each with its truth in its first lines, and random ones
//! whose truth AddressSanitizer tells on all inputs.

use crate::natively::{Native, Shown, written};
use fastrand::Rng;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A program with its truth.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub file: PathBuf,
    /// `safe` or `unsafe`.
    pub truth: String,
    /// What is violated.
    pub property: String,
    /// Where.
    pub line: String,
}

/// The programs in a folder, by name.
///
/// # Panics
/// If one cannot be read.
pub fn all(folder: &Path) -> Vec<Program> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "c"));
    files.sort();
    files.into_iter().map(read).collect()
}

fn read(file: PathBuf) -> Program {
    let text = std::fs::read_to_string(&file).expect("it can be read");
    let head = |key: &str| {
        let prefix = format!("// {key}:");
        let line = text.lines().find_map(|line| line.strip_prefix(&prefix));
        line.unwrap_or_default().trim().to_string()
    };
    Program { truth: head("TRUTH"), property: head("PROPERTY"), line: head("LINE"), file }
}

/// How many values each of the two inputs of a random program has.
const VALUES: u8 = 6;

/// Random programs in a folder, each with its truth.
///
/// # Errors
/// If they cannot be written, compiled or run.
pub fn generated(seeds: Range<u64>, folder: &Path) -> Result<Vec<Program>, String> {
    let files = written(folder, seeds.map(|seed| (format!("random{seed}.c"), random(seed))))?;
    let sanitizers = [
        ("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:redzone=256:symbolize=0"),
        // When main has returned, what its frame held is nothing any more.
        ("LSAN_OPTIONS", "use_stacks=0:use_registers=0:symbolize=0"),
    ];
    let flags = ["-fsanitize=address"];
    let shown = Native { values: VALUES, flags: &flags, all: false, support: "", sanitizers: &sanitizers }
        .run(&files)?;
    let program = |(file, shown): (PathBuf, Shown)| {
        let truth = if shown.fails || !shown.ends { "unsafe" } else { "safe" };
        Program { file, truth: truth.into(), property: String::new(), line: String::new() }
    };
    Ok(files.into_iter().zip(shown).map(program).collect())
}

/// Pointers to the heap, a local and a global array are assigned, moved, freed and used.
fn random(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut text = String::from(
        "#include <stdlib.h>\nunsigned char __VERIFIER_nondet_uchar(void);\nstatic int global[4];\n\
         static int *kept;\nstatic int *pass(int *p) { return p; }\nstatic void use(int *p) { *p += 1; }\n\
         int main(void) {\n  unsigned i = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar();\n",
    );
    let _ = writeln!(text, "  if (i >= {VALUES} || j >= {VALUES})\n    return 0;");
    let size = random.usize(3..7);
    let _ = writeln!(
        text,
        "  int local[4] = {{0}}, *p = calloc({size}, sizeof(int)), *q = malloc({} * sizeof(int)), *r = local;",
        ["(i + 1)", "4", "j", "6"][random.usize(..4)]
    );
    text.push_str("  if (!p || !q)\n    return 0;\n");
    for _ in 0..random.usize(1..6) {
        let statement = statement(&mut random);
        match random.usize(..3) {
            0 => {
                let condition = ["i > 2", "j == 3", "i == j", "i + j > 8"][random.usize(..4)];
                let _ = writeln!(text, "  if ({condition}) {{\n    {statement}\n  }}");
            }
            _ => {
                let _ = writeln!(text, "  {statement}");
            }
        }
    }
    let (first, second) = match random.usize(..10) {
        0 => ("p", "r"),
        1 => ("q", "q"),
        _ => ("p", "q"),
    };
    let _ = writeln!(text, "  free({first});\n  free({second});\n  return 0;\n}}");
    text
}

fn statement(random: &mut Rng) -> String {
    let pointer = |random: &mut Rng| ["p", "q", "r", "kept"][random.usize(..4)];
    let index = |random: &mut Rng| ["0", "i", "j", "3", "i / 2", "j % 4", "i - 1"][random.usize(..7)];
    match random.usize(..9) {
        0 => format!("{}[{}] = 1;", pointer(random), index(random)),
        1 => format!("r = {} + {};", ["local", "global", "p", "q"][random.usize(..4)], index(random)),
        2 => format!("kept = {};", ["p", "q", "r", "global", "&local[1]"][random.usize(..5)]),
        3 => format!("local[{}] = global[{}];", index(random), index(random)),
        4 => format!("if (kept)\n    use(kept + {});", index(random)),
        5 => "for (unsigned k = 0; k < i; k++)\n    p[k] = 2;".into(),
        6 => format!("use(pass({}));", pointer(random)),
        7 => "free(q);\n  q = 0;".into(),
        _ => "{ int *n = realloc(p, (j + 1) * sizeof(int));\n    if (n)\n      p = n; }".into(),
    }
}
