//! A program whose loops are functions does what it did: random programs, run step by step before and after.
//!
//! Whatever the program leaves open is answered by what it is for, so that both runs get the same. The steps that the
//! program had are known by the lines that they are given here; those that were added have none.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds than those of the test.

#[path = "../../engine/tests/support/generator.rs"]
mod generator;

use beeline_graph::{Loops, loops_as_functions};
use beeline_interp::{Limits, Machine, Oracle, Outcome, Source};
use beeline_ir::text::parse;
use beeline_ir::{Bits, Program, Span, Type, Value};
use generator::With;
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Steps of the program as it was.
const STEPS: u64 = 3000;

/// Calls that may be active then.
const DEPTH: usize = 40;

/// How many steps may be added for each of them: a way out of or into some loops in each other.
const ADDED: u64 = 40;

/// Answers that depend on what they are for, and on how often that was asked where it is asked again and again.
struct ByName<'p> {
    program: &'p Program,
    seed: u64,
    asked: u64,
    /// What inputs got and what was chosen.
    answers: Vec<(String, Value)>,
}

impl ByName<'_> {
    fn bits(&self, what: impl Hash) -> u64 {
        let mut hasher = FxHasher::default();
        (self.seed, what).hash(&mut hasher);
        let bits = hasher.finish();
        bits ^ bits >> 32
    }
}

impl Oracle for ByName<'_> {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        let (name, number) = match *source {
            Source::Input { input, .. } => (&self.program.inputs[input], Some(self.asked)),
            Source::Havoc { .. } => (&self.program.name, Some(self.asked)),
            Source::Variable(var) => (&self.program.vars[var].name, None),
            Source::Cell(region, addr) => (&self.program.regions[region].name, Some(addr)),
        };
        let bits = self.bits((name, number)) % 300;
        let Type::Bv(width) = ty else { unreachable!("the generator's variables are bit-vectors") };
        let value = Value::Bv(Bits::from_u128(width, u128::from(bits) << width.saturating_sub(9)));
        if !matches!(source, Source::Variable(_)) {
            self.asked += 1;
            self.answers.push((name.clone(), value.clone()));
        }
        value
    }

    fn choose(&mut self, enabled: usize) -> usize {
        self.asked += 1;
        let chosen = self.bits(self.asked) as usize % enabled;
        self.answers.push(("choice".into(), Value::bv(64, chosen as u64)));
        chosen
    }
}

/// What can be seen of a run.
#[derive(Debug, PartialEq)]
struct Seen {
    /// How it ends, without the ids of the program; `None` where a limit ends it.
    end: Option<String>,
    /// The steps that the program had.
    lines: Vec<u32>,
    answers: Vec<(String, Value)>,
    /// What globals hold at the end.
    globals: Vec<Option<Value>>,
}

fn seen(program: &Program, globals: &[String], seed: u64, limits: &Limits) -> Seen {
    let machine = Machine::new(program);
    let mut oracle = ByName { program, seed, asked: 0, answers: Vec::new() };
    let run = machine.run(&mut oracle, limits);
    let mut again = ByName { program, seed, asked: 0, answers: Vec::new() };
    let mut execution = machine.start(&mut again, limits);
    while execution.step().is_ok() {}
    let mut value = |name: &String| {
        let var = program.globals().find(|(_, var)| var.name == *name)?.0;
        execution.variable(var)
    };
    let globals = globals.iter().map(&mut value).collect();
    let lines = run.trace.iter().filter_map(|&edge| program.edges[edge].span).map(|span| span.line).collect();
    let end = match run.outcome {
        Outcome::Target(target) => Some(format!("target {}", program.targets[target].name)),
        Outcome::Blocked(_) => Some("blocked".into()),
        Outcome::Stuck(reason, _) => Some(format!("stuck: {reason:?}")),
        Outcome::Returned(value) => Some(format!("returned {value:?}")),
        Outcome::OutOfSteps | Outcome::TooDeep | Outcome::OutOfMemory => None,
    };
    Seen { end, lines, answers: oracle.answers, globals }
}

/// The program with a line of its own for each edge.
fn with_lines(text: &str) -> Program {
    let mut program = parse(text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    let file = program.files.push("steps".into());
    for (line, edge) in (1..).zip(program.edges.values_mut()) {
        edge.span = Some(Span { file, line, col: 0 });
    }
    program
}

/// The lines of steps that are in loops.
fn lines_in_loops(program: &Program) -> BTreeSet<u32> {
    let all = program.functions.keys().flat_map(|func| {
        let loops = Loops::new(program, func);
        let locs = program.functions[func].locations().filter(move |&loc| loops.innermost(loc).is_some());
        locs.flat_map(|loc| program.out_edges(loc))
    });
    all.filter_map(|edge| program.edges[edge].span).map(|span| span.line).collect()
}

fn globals(program: &Program) -> Vec<String> {
    program.globals().map(|(_, var)| var.name.clone()).collect()
}

/// How many of some runs of a program end, and how many of these were in loops.
fn compare(text: &str, seeds: Range<u64>) -> (usize, usize) {
    let program = with_lines(text);
    let outlined = loops_as_functions(&program).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    let (mut ended, mut called) = (0, 0);
    let in_loop = lines_in_loops(&program);
    let globals = globals(&program);
    let added: Vec<String> =
        self::globals(&outlined).into_iter().filter(|name| !globals.contains(name)).collect();
    for seed in seeds {
        let limits = Limits { steps: STEPS, depth: DEPTH, trace: true, ..Limits::default() };
        let before = seen(&program, &globals, seed, &limits);
        let limits = Limits { steps: STEPS * ADDED, depth: DEPTH * ADDED as usize, ..limits };
        let mut after = seen(&outlined, &globals, seed, &limits);
        if before.end.is_none() {
            // The other one goes on for longer.
            assert!(after.lines.len() >= before.lines.len(), "it ends early, seed {seed}\n{text}");
            after.lines.truncate(before.lines.len());
            assert!(before.lines == after.lines, "seed {seed}\n{text}");
            assert!(after.answers.starts_with(&before.answers), "seed {seed}\n{text}");
            continue;
        }
        assert!(before == after, "seed {seed}\n{text}\n{before:?}\n{after:?}");
        ended += 1;
        if before.end.is_some_and(|end| end.starts_with("returned")) {
            let left = seen(&outlined, &added, seed, &limits).globals;
            let is_reset =
                |value: &Option<Value>| value.as_ref().is_some_and(|value| *value == Value::zero(value.ty()));
            assert!(left.iter().all(is_reset), "seed {seed}: {added:?} are {left:?}\n{text}");
        }
        called += usize::from(before.lines.iter().any(|line| in_loop.contains(line)));
    }
    (ended, called)
}

#[test]
fn random_programs_do_the_same() {
    let range = std::env::var("BEELINE_FUZZ").ok().and_then(|text| {
        let (first, last) = text.split_once("..")?;
        Some(first.parse().ok()?..last.parse().ok()?)
    });
    let (mut functions, mut ended, mut called) = (0, 0, 0);
    for seed in range.unwrap_or(0u64..1200) {
        let with = With { recursion: seed % 3 == 0, ranges: seed % 5 == 0, tangled: true, ..With::default() };
        let text = generator::program(seed, with);
        let program = parse(&text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
        let outlined = loops_as_functions(&program).expect("it is valid");
        functions += outlined.functions.len() - program.functions.len();
        let (runs, in_loops) = compare(&text, 0..4);
        (ended, called) = (ended + runs, called + in_loops);
    }
    eprintln!("{functions} loops, {ended} runs that ended, {called} of them with loops");
    assert!(called > functions / 4, "many runs get into loops and end");
}
