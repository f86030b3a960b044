//! Random programs with many targets, each of which has a line of its own: assertions, or calls of the library and
//! accesses that may go wrong. Native runs on all inputs tell which lines fail, and each answer is held against its line.

use crate::natively::{Native, written};
use fastrand::Rng;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many values each of the two inputs has.
const VALUES: u8 = 6;

/// Tells the line of an assertion that fails.
const ASSERT: &str =
    "void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  fprintf(stderr, \"failed %s:%u\\n\", file, line);
  _exit(1);
}
";

/// A program with the lines that fail.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub file: PathBuf,
    /// The property that its targets belong to.
    pub property: &'static str,
    /// The options of its search.
    pub search: &'static str,
    /// The lines that fail on some input.
    pub failing: BTreeSet<u64>,
}

/// An answer on one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Its line.
    pub line: u64,
    /// The verdict.
    pub verdict: String,
}

/// Searches with which a program is checked: some end at a limit before all targets are decided, so that what they had shown
/// until then counts.
const SEARCHES: [&str; 10] = [
    "--ticks 4000000",
    "--calls summaries --ticks 4000000",
    "--engine bounded --ticks 4000000",
    "--calls top --ticks 4000000",
    "--ticks 500000",
    "--ticks 4000000 --max-states 60",
    "--calls summaries --ticks 500000",
    "--calls summaries --domain value --ticks 4000000 --max-states 60",
    "--engine bounded --ticks 700000",
    "--engine bounded --ticks 4000000 --unwind 3",
];

/// The answers on all targets in JSON of `beeline check`.
pub fn told(json: &str) -> Option<Vec<Told>> {
    let answer: Value = serde_json::from_str(json).ok()?;
    let told = |target: &Value| {
        Some(Told { line: target["line"].as_u64()?, verdict: target["verdict"].as_str()?.to_string() })
    };
    Some(answer["targets"].as_array()?.iter().filter_map(told).collect())
}

impl Program {
    /// The command line that checks it, with a search that its seed chooses.
    pub fn check(&self) -> Vec<String> {
        let fixed = ["check", "--json", "--every", "--time-limit", "6s", "--property", self.property];
        let file = self.file.display().to_string();
        fixed.into_iter().chain(self.search.split_whitespace()).map(String::from).chain([file]).collect()
    }

    /// What is wrong with the answers, if something is. A line may have several targets: if it fails, one of them does.
    ///
    /// No assumption excuses a wrong one: a native run ends where the first line fails, as an execution does.
    pub fn fault(&self, answers: &[Told]) -> Option<String> {
        let lines: BTreeSet<u64> =
            answers.iter().map(|told| told.line).chain(self.failing.iter().copied()).collect();
        lines.into_iter().find_map(|line| {
            let mut here = answers.iter().filter(|told| told.line == line);
            let fails = self.failing.contains(&line);
            if fails && here.clone().all(|told| told.verdict == "safe") {
                return Some(format!("line {line} fails natively, and its targets are safe or missing"));
            }
            let is_unsafe = here.any(|told| told.verdict == "unsafe");
            (is_unsafe && !fails).then(|| format!("line {line} is unsafe, and no native run fails there"))
        })
    }
}

/// Random programs in a folder, each with the lines that fail.
///
/// # Errors
/// If they cannot be written, compiled or run.
pub fn generated(seeds: Range<u64>, folder: &Path) -> Result<Vec<Program>, String> {
    let sanitizer = ["-fsanitize=address,array-bounds", "-fno-sanitize-recover=all"];
    let sanitizers = [("ASAN_OPTIONS", "detect_leaks=0:redzone=256")];
    let mut programs = Vec::new();
    for (asserts, property, flags) in [(true, "unreach-call", &[][..]), (false, "valid-deref", &sanitizer)] {
        let seeds: Vec<u64> = seeds.clone().filter(|seed| seed.is_multiple_of(2) == asserts).collect();
        let texts = seeds.iter().map(|seed| (format!("lines{seed}.c"), random(*seed, asserts)));
        let files = written(folder, texts)?;
        let native = Native { values: VALUES, flags, all: true, support: ASSERT, sanitizers: &sanitizers };
        for ((seed, file), shown) in seeds.into_iter().zip(files.clone()).zip(native.run(&files)?) {
            let failing = failing(&shown.report, &format!("lines{seed}.c:"));
            let search = SEARCHES[seed as usize / 2 % SEARCHES.len()];
            programs.push(Program { file, property, search, failing });
        }
    }
    Ok(programs)
}

/// The lines of a file that native runs report: the first one of each report.
fn failing(report: &str, file: &str) -> BTreeSet<u64> {
    let (mut lines, mut waits) = (BTreeSet::new(), false);
    for text in report.lines() {
        waits |= text.contains("ERROR: AddressSanitizer");
        let place = text.split_once(file).map(|(_, place)| place);
        let digits = place.map(|place| place.chars().take_while(char::is_ascii_digit).collect::<String>());
        let Some(line) = digits.and_then(|digits| digits.parse().ok()) else { continue };
        if waits || text.starts_with("failed ") || text.contains(": runtime error: ") {
            lines.insert(line);
            waits = false;
        }
    }
    lines
}

fn random(seed: u64, asserts: bool) -> String {
    let mut random = Rng::with_seed(seed);
    let mut source = String::from(
        "#include <assert.h>\n#include <string.h>\nunsigned char __VERIFIER_nondet_uchar(void);\n\
         static int count;\nstatic char kept[8] = \"kept\";\nstatic const char *words[3] = {\"\", \"two\", \"seventh\"};\n",
    );
    let functions = random.usize(1..4);
    for number in 0..functions {
        let _ = writeln!(source, "static int f{number}(int i, int j) {{");
        source.push_str("  int a = i, b = j, t[4] = {1, 2, 3, 4};\n  char s[6] = \"abc\";\n");
        for _ in 0..random.usize(3..7) {
            body(&mut random, asserts, number, &mut source);
        }
        source.push_str("  return a - b + t[0] + s[0];\n}\n");
    }
    let _ = write!(
        source,
        "int main(void) {{\n  int i = __VERIFIER_nondet_uchar(), j = __VERIFIER_nondet_uchar(), r = 0;\n  if (i >= {VALUES} || j >= {VALUES})\n    return 0;\n"
    );
    for _ in 0..random.usize(1..4) {
        let arguments = ["i, j", "j, i", "i, 2", "1, j", "i + j, 0"][random.usize(..5)];
        let _ = writeln!(source, "  r += f{}({arguments});", random.usize(..functions));
    }
    source.push_str("  return r > 999;\n}\n");
    source
}

/// A statement, perhaps within others, on lines of its own.
fn body(random: &mut Rng, asserts: bool, number: usize, source: &mut String) {
    let (open, close) = match random.usize(..7) {
        0 => (format!("  if ({}) {{\n", condition(random)), "  }\n"),
        1 => ("  for (int k = 0; k < 3; k++) {\n    b += k == i;\n".into(), "  }\n"),
        2 => ("  while (a > 0) {\n    a--;\n".into(), "  }\n"),
        3 => (format!("  switch (j) {{\n  case {}:\n    b = 7;\n  default:\n", random.usize(..3)), "  }\n"),
        _ => (String::new(), ""),
    };
    source.push_str(&open);
    let target = if asserts { format!("assert({});", claim(random)) } else { access(random) };
    let plain =
        ["a += 2;", "b = a + i;", "count++;", "a = b > 3 ? 4 : j;", "t[i % 4] = b;"][random.usize(..5)];
    let call = format!("a += f{}(j, 1) > 3;", number.saturating_sub(1));
    let plain = if number > 0 && random.usize(..4) == 0 { &call } else { plain };
    let _ = writeln!(source, "    {plain}\n    {target}");
    source.push_str(close);
}

fn condition(random: &mut Rng) -> &'static str {
    ["i > 2", "j == 3", "i == j", "a + b > 6", "count > 1", "s[0] == 'a'"][random.usize(..6)]
}

fn claim(random: &mut Rng) -> String {
    let left = ["a", "b", "a + b", "count", "t[i % 4]", "i * j", "a - b"][random.usize(..7)];
    let relation = ["<", "!=", ">", "<=", "!="][random.usize(..5)];
    format!("{left} {relation} {}", [0, 1, 3, 4, 6, 9, 12, 25][random.usize(..8)])
}

fn access(random: &mut Rng) -> String {
    let word = ["words[i % 3]", "words[j % 3]", "words[1]", "s", "kept", "\"five!\""][random.usize(..6)];
    match random.usize(..9) {
        0 => format!("strcpy(s, {word});"),
        1 => format!("strcpy(kept, {word});"),
        2 => format!(
            "memcpy(s, \"abcdefgh\", {});",
            ["i", "j + 2", "a < 9 && a > 0 ? a : 1"][random.usize(..3)]
        ),
        3 => "memset(t, 0, i * sizeof(int));".into(),
        4 => format!("b += t[{}];", ["i", "j", "i - 1", "j - i < 0 ? 0 : j - i"][random.usize(..4)]),
        5 => format!("b += strlen({word}) == 3;"),
        6 => format!("s[{}] = 0;", ["i", "j", "i + 1", "3"][random.usize(..4)]),
        7 => format!("b += strcmp(s, {word}) == 0;"),
        _ => "strncpy(s, words[i % 3], j + 1);\n    s[5] = 0;".into(),
    }
}
