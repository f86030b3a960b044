//! Pointers in memory that was not written before: answers of unrolling without maps on random programs,
//! compared with those of the search with maps, whose paths are executed.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds than those of the test.

mod support {
    pub(crate) mod engine;
    pub(crate) mod outcome;
}

use beeline_engine::{Distances, Domain, Metric, Monitor, Verdict, Whole, verify};
use beeline_ir::Program;
use beeline_ir::text::parse;
use beeline_proof::Outcome;
use fastrand::Rng;
use std::fmt::Write;
use std::time::Duration;
use support::engine;

/// The addresses of a program's nodes, in a region that is too large for a cell for each address.
const NODES: [u32; 4] = [0x1000, 0x1010, 0x1020, 0x2ff0];
const POINTERS: [&str; 3] = ["p", "q", "r"];

struct Writer {
    random: Rng,
    text: String,
    labels: u32,
}

impl Writer {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.usize(0..of.len())]
    }

    fn line(&mut self, line: &str) {
        let label = self.labels;
        self.labels += 1;
        writeln!(self.text, "  at{label}: {line}").expect("text can be written");
    }

    fn address(&mut self) -> String {
        match self.random.u8(0..5) {
            0 => format!("{}", self.pick(&NODES)),
            1 => format!("{} + 16", self.pick(&POINTERS)),
            _ => self.pick(&POINTERS).to_string(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b, node) = (self.pick(&POINTERS), self.pick(&POINTERS), self.pick(&NODES));
        match self.random.u8(0..6) {
            0 => format!("{a} == {b}"),
            1 => format!("{a} == {node}"),
            2 => format!("{a} <u {b}"),
            // The value that is read matters on one branch only.
            3 => format!("{a} == {node} && m[{a}] == {b}"),
            4 => format!("{a} != {node} || m[{a}] <u {b}"),
            _ => "x == 0".to_string(),
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.u8(0..10) {
            0 => {
                let (pointer, node) = (self.pick(&POINTERS), self.pick(&NODES));
                self.line(&format!("{pointer} := {node}"));
            }
            1..4 => {
                let (pointer, from) = (self.pick(&POINTERS), self.address());
                self.line(&format!("{pointer} := m[{from}]"));
            }
            4..7 => {
                let (to, value) = (self.address(), self.address());
                self.line(&format!("m[{to}] := {value}"));
            }
            7 => {
                let condition = self.condition();
                self.line(&format!("assume {condition}"));
            }
            _ if depth < 3 => self.branch(depth),
            _ => self.line("x := input \"x\""),
        }
    }

    fn branch(&mut self, depth: u32) {
        let (condition, number) = (self.condition(), self.labels);
        self.line("x := input \"x\"");
        writeln!(self.text, "  if {condition} goto then{number} else else{number}")
            .expect("text can be written");
        writeln!(self.text, "  then{number}: skip").expect("text can be written");
        (0..self.random.u32(1..3)).for_each(|_| self.statement(depth + 1));
        self.line(&format!("skip goto join{number}"));
        writeln!(self.text, "  else{number}: skip").expect("text can be written");
        (0..self.random.u32(0..3)).for_each(|_| self.statement(depth + 1));
        writeln!(self.text, "  join{number}: skip").expect("text can be written");
    }
}

fn program(seed: u64) -> String {
    let mut writer = Writer { random: Rng::with_seed(seed), text: String::new(), labels: 0 };
    writer.text.push_str(
        "beeline 1.0\nregion m: i16 -> i16 in 0x1000+0x2000\nfn main() {\n  var p: i16, q: i16, r: i16, x: i8\n",
    );
    for pointer in POINTERS {
        let node = writer.pick(&NODES[..2]);
        writer.line(&format!("{pointer} := {node}"));
    }
    writer.line("x := input \"x\"");
    (0..writer.random.u32(2..8)).for_each(|_| writer.statement(0));
    // Most executions reach this point, and few reach unwritten memory.
    let condition = match writer.random.bool() {
        true => format!("{} == {}", writer.pick(&POINTERS), writer.pick(&NODES[2..])),
        false => writer.condition(),
    };
    writeln!(writer.text, "  if {condition} goto bad else done\n  bad: target \"bad\"\n  done: exit\n}}")
        .expect("text can be written");
    writer.text
}

fn with_maps(program: &Program) -> Verdict {
    let options = beeline_engine::Options {
        domain: Domain::Both,
        time: Some(Duration::from_secs(5)),
        query_ticks: 6_000_000,
        ..beeline_engine::Options::default()
    };
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    verify(program, &options, &mut distances, &Monitor::default()).0
}

fn is_unsafe(verdict: &Verdict) -> bool {
    matches!(verdict.whole(), Whole::Unsafe(_))
}

#[test]
fn unwritten_memory_may_hold_anything() {
    let seeds = match std::env::var("BEELINE_FUZZ") {
        Ok(range) => {
            let (first, last) = range.split_once("..").expect("BEELINE_FUZZ is first..last");
            first.parse().expect("a number")..last.parse().expect("a number")
        }
        Err(_) => 0..150u64,
    };
    let (mut valid, mut reached, mut open) = (0, 0, 0);
    for seed in seeds {
        let text = program(seed);
        let program = parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error:?}\n{text}"));
        let (verdict, _) = engine::unrolled(&program);
        let other = with_maps(&program);
        if verdict.is_safe() {
            assert!(!is_unsafe(&other), "seed {seed}: safe, but it is not\n{text}");
            let outcome = engine::outcome(&program, &engine::proof(&program));
            assert_eq!(outcome, Outcome::Valid, "seed {seed}\n{text}");
            valid += 1;
        } else if is_unsafe(&verdict) {
            assert!(!other.is_safe(), "seed {seed}: a target is reached, and it is safe\n{text}");
            reached += 1;
        } else {
            open += 1;
        }
    }
    assert!(valid.min(reached) > open, "{valid} proofs, {reached} paths, {open} open");
}
