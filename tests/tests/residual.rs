//! Residual programs: random small C programs are verified in part, and what is left is run natively with all inputs.
//! It comes to each error that has no answer, with the same inputs, and to no other one.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds than those of the test.

use beeline_ir::{LocId, Program, Target, file};
use beeline_lower::Options;
use beeline_run::{Run, TargetVerdict};
use beeline_tests::driver::beeline;
use beeline_tests::{CLANG, compile, lowered, tools};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Inputs are below this.
const VALUES: u8 = 6;
/// What a program ends with that comes to what was cut.
const CUT: i32 = 100;
/// What one ends with that does not end by itself.
const ENDLESS: i32 = 101;

/// What programs are linked with: two inputs come from the environment, the exit code tells how it ended.
const HARNESS: &str = r#"
#include <stdlib.h>
#include <unistd.h>
int where;
static int turn;
unsigned char __VERIFIER_nondet_uchar(void) { return atoi(getenv(turn++ ? "SECOND" : "FIRST")); }
void reach_error(void) { _exit(where); }
void __VERIFIER_assume(int holds) { if (!holds) _exit(100); }
"#;

/// Writes a random program with two inputs. Loops end, and each error has a line and a number of its own.
struct Writer {
    rng: Rng,
    text: String,
    errors: u32,
    /// Loop counters that are taken.
    counters: u32,
    /// Are there jumps out of functions?
    jumps: bool,
    /// Are there loops? What is left of an open one is open from its beginning, and needs no copies.
    loops: bool,
}

impl Writer {
    fn program(seed: u64) -> String {
        let (rng, text, loops) = (Rng::with_seed(seed), String::new(), seed.is_multiple_of(2));
        let jumps = seed % 5 == 1;
        let mut writer = Writer { rng, text, errors: 0, counters: 0, jumps, loops };
        if jumps {
            writer.text.push_str("#include <setjmp.h>\nstatic jmp_buf back;\nstatic int armed;\n");
        }
        writer.text.push_str(
            "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\nextern int where;\nstatic int g;\n",
        );
        for function in ["one", "two"] {
            writer.text.push_str(&format!("static int {function}(int a, int b) {{\n  int c = 1, d = g;\n"));
            writer.block(2);
            if jumps {
                writer.text.push_str("  armed = 0;\n");
            }
            writer.text.push_str("  return c + d;\n}\n");
        }
        writer.text.push_str(&format!(
            "int main(void) {{\n  int a = __VERIFIER_nondet_uchar() % {VALUES}, b = __VERIFIER_nondet_uchar() % {VALUES}, c = 0, d = 0;\n"
        ));
        writer.block(3);
        let call = writer.rng.choice(["one", "two"]).unwrap();
        writer.text.push_str(&format!("  d = {call}(c, b);\n"));
        writer.block(3);
        writer.text.push_str("  return 0;\n}\n");
        writer.text
    }

    fn variable(&mut self) -> &'static str {
        self.rng.choice(["a", "b", "c", "d", "g"]).unwrap()
    }

    fn number(&mut self) -> String {
        let (left, right) = (self.variable(), self.variable());
        match self.rng.u32(..7) {
            0 => self.rng.i32(0..8).to_string(),
            1 => format!("({left} + {right})"),
            2 => format!("({left} - {})", self.rng.i32(0..5)),
            3 => format!("({left} & {})", self.rng.i32(1..8)),
            4 => format!("({} ? {left} : {right})", self.condition(1)),
            _ => left.into(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let kind = if depth == 0 { 0 } else { self.rng.u32(..6) };
        match kind {
            1 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            2 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            3 => format!("!{}", self.condition(depth - 1)),
            _ => {
                let operator = self.rng.choice(["==", "!=", "<", ">=", "=="]).unwrap();
                format!("({} {operator} {})", self.variable(), self.rng.i32(-1..9))
            }
        }
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..self.rng.u32(1..4) {
            self.statement(depth);
        }
    }

    /// A jump, or a place to which jumps lead while control is in a block.
    fn jump(&mut self, depth: u32) {
        if depth == 0 {
            let condition = self.condition(1);
            return self.text.push_str(&format!("  if (armed && {condition}) longjmp(back, 1);\n"));
        }
        self.text.push_str("  if (setjmp(back) == 0) {\n  armed = 1;\n");
        self.block(depth - 1);
        self.text.push_str("  armed = 0;\n  } else {\n  armed = 0;\n");
        self.block(depth - 1);
        self.text.push_str("  }\n");
    }

    fn statement(&mut self, depth: u32) {
        if self.jumps && self.rng.u32(..4) == 0 {
            return self.jump(depth);
        }
        let (variable, number) = (self.variable(), self.number());
        if depth == 0 || self.rng.u32(..4) == 0 {
            if self.rng.u32(..3) == 0 {
                self.errors += 1;
                let condition = self.condition(2);
                self.text
                    .push_str(&format!("  if ({condition}) {{ where = {}; reach_error(); }}\n", self.errors));
            } else {
                self.text.push_str(&format!("  {variable} = {number};\n"));
            }
            return;
        }
        let condition = self.condition(2);
        match self.rng.u32(..6) {
            kind if kind < 2 || kind > 3 && !self.loops => {
                self.text.push_str(&format!("  if ({condition}) {{\n"));
                self.block(depth - 1);
                if self.rng.bool() {
                    self.text.push_str("  } else {\n");
                    self.block(depth - 1);
                }
            }
            2 => {
                self.text.push_str(&format!("  switch ({number}) {{\n"));
                for case in 0..self.rng.i32(1..4) {
                    self.text.push_str(&format!("  case {case}:\n"));
                    self.block(depth - 1);
                    if self.rng.bool() {
                        self.text.push_str("  break;\n");
                    }
                }
                self.text.push_str("  default:\n");
                self.block(depth - 1);
            }
            3 if self.text.contains("main") => {
                let call = self.rng.choice(["one", "two"]).unwrap();
                self.text.push_str(&format!("  {{ {variable} = {call}({number}, d);\n"));
            }
            _ => {
                self.counters += 1;
                let (counter, turns) = (format!("i{}", self.counters), self.rng.u32(1..6));
                // Such a conjunction is one block that branches on a phi.
                let more = if self.rng.bool() { format!(" && {}", self.condition(1)) } else { String::new() };
                let head = format!("  for (int {counter} = 0; {counter} < {turns}{more}; {counter}++) {{\n");
                self.text.push_str(&head);
                self.block(depth - 1);
                if self.rng.bool() {
                    self.text.push_str(&format!("  if ({condition}) break;\n"));
                }
            }
        }
        self.text.push_str("  }\n");
    }
}

/// How searches give up before they have all answers.
fn part(rng: &mut Rng) -> Vec<String> {
    let what = rng.choice(["loop-iterations", "path-conditions", "location-states", "path-steps"]).unwrap();
    let most = if what == "path-steps" { rng.u32(2..30) } else { rng.u32(1..6) };
    let domain = rng.choice(["value", "predicate", "value+predicate"]).unwrap();
    let search = rng.choice(["directed", "bfs", "dfs"]).unwrap();
    let block = rng.choice(["lh", "lf", "sbe"]).unwrap();
    let words = ["--domain", domain, "--search", search, "--block", block, "--every", "--ticks", "3000000"];
    let give_up = format!("--skip={what}={most}");
    words.into_iter().map(String::from).chain([give_up]).collect()
}

/// A folder with the programs of one seed.
struct Place {
    folder: TempDir,
    tools: PathBuf,
}

impl Place {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn tool(&self, name: &str, words: &[String]) -> Output {
        let mut command = Command::new(self.tools.join(name));
        let output = command.current_dir(self.folder.path()).args(words).output().unwrap();
        assert!(output.status.success(), "{name} {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// How a module ends for all inputs.
    fn ends(&self, bitcode: &str) -> Vec<i32> {
        let (harness, program) = (self.file("harness.c"), self.file(&format!("{bitcode}.exe")));
        std::fs::write(&harness, HARNESS).unwrap();
        let mut build = Command::new(CLANG);
        build.args(["-w", "-O0"]).arg(self.file(bitcode)).arg(&harness).arg("-o").arg(&program);
        let built = build.output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let inputs = (0..VALUES).flat_map(|first| (0..VALUES).map(move |second| (first, second)));
        let end = |(first, second): (u8, u8)| {
            let mut command = Command::new("timeout");
            command.arg("5").arg(&program).env("FIRST", first.to_string()).env("SECOND", second.to_string());
            command.status().unwrap().code().map_or(ENDLESS, |code| if code == 124 { ENDLESS } else { code })
        };
        inputs.map(end).collect()
    }
}

/// The number of the error that a target is; none where the compiler made one of several.
fn number(text: &str, program: &Program, loc: LocId) -> Option<i32> {
    let target = program.targets.iter().find(|target| target.loc == loc)?;
    let line = text.lines().nth(target.span?.line as usize - 1)?;
    line.split("where = ").nth(1)?.split(';').next()?.parse().ok()
}

/// The numbers of those errors that have no answer, and of those that were said to be safe.
fn errors(text: &str, program: &Program, run: &Run) -> (BTreeSet<i32>, BTreeSet<i32>) {
    let of = |is: fn(&TargetVerdict) -> bool| {
        let found = run.targets.iter().filter(|target| is(&target.verdict));
        found.filter_map(|target| number(text, program, target.loc)).collect()
    };
    let is_open = |verdict: &TargetVerdict| {
        !matches!(verdict, TargetVerdict::Safe { .. } | TargetVerdict::Unsafe { .. })
    };
    (of(is_open), of(|verdict| matches!(verdict, TargetVerdict::Safe { .. })))
}

#[derive(Debug, Default)]
struct Tally {
    programs: u32,
    chains: u32,
    open_errors: u32,
    cut_sides: usize,
    copied: usize,
    met_cuts: u32,
    excused: u32,
}

/// Verifies a program in part, once or twice, and holds what is left against it.
fn compare(tally: &mut Tally, place: &Place, text: &str, rng: &mut Rng) {
    let optimised = rng.choice(["-O0", "-O0", "-O1"]).unwrap();
    let flags = [optimised, "-Xclang", "-disable-O0-optnone", "-fno-inline"];
    std::fs::write(place.file("p.c"), text).unwrap();
    compile(&place.file("p.c"), &place.file("p.bc"), &flags).unwrap();
    let program = lowered(&place.file("p.bc"), &Options::default()).unwrap();
    let is_one = |target: &Target| number(text, &program, target.loc).is_some();
    if program.targets.is_empty() || !program.targets.iter().all(is_one) {
        return;
    }
    file::write(place.file("p.cfa"), &program, None).unwrap();
    let word = |word: &str| word.to_string();
    let verify = ["p.cfa", "-o", "first.run"].map(word);
    place.tool("beeline-verify", &[&verify[..], &part(rng)].concat());
    let mut cut = ["p.bc", "first.run", "-o", "rest.bc"].map(word).to_vec();
    if rng.bool() {
        let verify = ["p.cfa", "--condition", "first.run", "-o", "second.run"].map(word);
        place.tool("beeline-verify", &[&verify[..], &part(rng)].concat());
        cut = ["p.bc", "second.run", "--after", "first.run", "-o", "rest.bc"].map(word).to_vec();
        tally.chains += 1;
    }
    cut.extend(["--copies".into(), rng.choice([0, 1, 2, 4, 50, 50]).unwrap().to_string()]);
    let said = String::from_utf8(place.tool("beeline-residual", &cut).stderr).unwrap();
    let numbers: Vec<usize> = said.split(' ').filter_map(|word| word.parse().ok()).collect();
    tally.cut_sides += numbers[0];
    tally.copied += numbers[2];
    let run = file::read::<Run>(place.file(&cut[1])).unwrap().body;
    let (open, safe) = errors(text, &program, &run);
    let what = format!("{text}\n{optimised} {cut:?}, open are {open:?}, safe {safe:?}; {said}");
    for (whole, rest) in place.ends("p.bc").into_iter().zip(place.ends("rest.bc")) {
        assert!(whole != ENDLESS && !safe.contains(&whole), "{what}: {whole}");
        let is_open = open.contains(&whole);
        assert!(rest == whole || rest == CUT && !is_open, "{what}: {whole} became {rest}");
        tally.open_errors += u32::from(is_open);
        tally.met_cuts += u32::from(rest == CUT);
        tally.excused += u32::from(whole > 0 && !is_open);
    }
    tally.programs += 1;
}

#[test]
fn what_is_left_comes_to_what_is_open_and_to_nothing_else() {
    let seeds = match std::env::var("BEELINE_FUZZ") {
        Ok(range) => {
            let (first, last) = range.split_once("..").expect("BEELINE_FUZZ is first..last");
            first.parse().expect("a number")..last.parse().expect("a number")
        }
        Err(_) => 0..45u64,
    };
    let mut tally = Tally::default();
    for seed in seeds {
        let place = Place { folder: TempDir::new().unwrap(), tools: tools().unwrap() };
        let text = Writer::program(seed);
        compare(&mut tally, &place, &text, &mut Rng::with_seed(seed));
    }
    eprintln!("{tally:?}");
    assert!(tally.programs > 15 && tally.chains > 5, "{tally:?}");
    assert!(tally.open_errors > 50 && tally.met_cuts > 50 && tally.cut_sides > 50, "{tally:?}");
    assert!(tally.copied > 50, "{tally:?}");
}

/// Lines and columns of the calls of a module, as clang's tools show them.
fn places(bitcode: &Path) -> BTreeSet<String> {
    let shown = Command::new("llvm-dis-19").arg(bitcode).args(["-o", "-"]).output().unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    let places = text.lines().filter(|line| line.contains("!DILocation("));
    let short =
        |line: &str| line.split("scope").next().unwrap().split("!DILocation").nth(1).unwrap().to_string();
    places.map(short).collect()
}

#[test]
fn debug_locations_survive_and_other_programs_are_refused() {
    let place = Place { folder: TempDir::new().unwrap(), tools: tools().unwrap() };
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n\
                int main(void) {\n  unsigned n = __VERIFIER_nondet_int(), s = 0;\n  if (n == 1) { if (s) reach_error(); return 1; }\n\
                \x20 for (unsigned i = 0; i < n; i++) s += i;\n  if (s == 12345) reach_error();\n  return 0;\n}\n";
    std::fs::write(place.file("p.c"), text).unwrap();
    compile(&place.file("p.c"), &place.file("p.bc"), &[]).unwrap();
    let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    place.tool("beeline-lower", &words("p.bc -o p.cfa"));
    place.tool("beeline-verify", &words("p.cfa --skip loop-iterations=2 --domain value -o p.run"));
    for ending in ["assume", "unreachable", "abort"] {
        place.tool("beeline-residual", &words(&format!("p.bc p.run --as {ending} -o {ending}.bc")));
        let (before, after) = (places(&place.file("p.bc")), places(&place.file(&format!("{ending}.bc"))));
        assert!(!after.is_empty() && after.is_subset(&before) && after != before, "{ending}: {after:?}");
    }
    place.tool("beeline-lower", &words("abort.bc -o abort.cfa"));
    let refused = |line: &str| {
        let mut command = Command::new(place.tools.join("beeline-residual"));
        let output = command.current_dir(place.folder.path()).args(words(line)).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    // Lowered in another way, it is another program.
    let said = refused("p.bc p.run --function __VERIFIER_nondet_int -o x.bc");
    assert!(said.contains("no function `__VERIFIER_nondet_int` with a body"), "{said}");
    for line in ["p.bc p.run --property no-overflow -o x.bc", "abort.bc p.run -o x.bc"] {
        let said = refused(line);
        assert!(said.contains("p.run belongs to another program than "), "{said}");
    }
    assert!(refused("p.bc p.run -o p.bc").contains("p.bc"));
}

#[test]
fn what_is_left_of_an_unknown_program_is_written() {
    let source = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\n\
        int main(void) {\n  unsigned n = __VERIFIER_nondet_uint(), s = 0;\n  if (n == 1) { if (s) reach_error(); return 1; }\n  \
        for (unsigned i = 0; i < n; i++) s += i;\n  if (s == 12345) reach_error();\n  return 0;\n}\n";
    let files = TempDir::new().unwrap();
    std::fs::write(files.path().join("sum.c"), source).unwrap();
    let check = |words: &[&str]| {
        beeline(files.path(), &[&["check", "sum.c", "--residual", "rest.bc"], words].concat())
    };
    let ran = check(&["--domain", "value", "--skip", "loop-iterations=2", "--keep", "kept"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let told = ["\nverified: ", " 1 of 2 targets\nopen: sum.c:5:", " in main (the search skipped parts "];
    assert!(told.iter().all(|words| ran.out.contains(words)), "{ran:?}");
    let again = ["check", "rest.bc", "--json", "--domain", "value", "--skip", "loop-iterations=2"];
    let rest = beeline(files.path(), &again);
    assert_eq!(rest.code, Some(3), "{rest:?}");
    // The call that was shown to be out of reach is gone.
    let told: serde_json::Value = serde_json::from_str(&rest.out).expect("it is JSON");
    let lines: Vec<u64> =
        told["targets"].as_array().unwrap().iter().filter_map(|target| target["line"].as_u64()).collect();
    assert_eq!(lines, [6], "{}", rest.out);
    // Where there is an answer, nothing is left.
    std::fs::remove_file(files.path().join("rest.bc")).unwrap();
    std::fs::write(files.path().join("sum.c"), source.replace("s == 12345", "s == 12345 && n == 0")).unwrap();
    let ran = check(&[]);
    assert!(ran.code == Some(0) && !files.path().join("rest.bc").exists(), "{ran:?}");
    assert_eq!(check(&["--witness", "w.yml"]).code, Some(2));
}
