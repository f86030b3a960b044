//! The account of a result is checked with its proof: which operations may have no result, and which functions are entered.

use beeline_engine::outcome::run::record;
use beeline_engine::{Bounded, Distances, Engine, Lazy, Metric, Monitor, Options, Summaries, Task};
use beeline_ir::Program;
use beeline_proof::{Account, Outcome, check_result};
use beeline_run::{Certificate, Run, RunVerdict};

/// A division, a write and a read that always have a result, for a reason that no proof needs: the divisor is odd, and
/// the addresses are within the region.
const UNDEFINED: &str = "beeline 1.0
    entry main
    region bytes: i64 -> i8 in 0x1000+8
    fn quotient(a: i8, b: i8) -> r: i8 {
      r := a /u b
      exit
    }
    fn main() {
      var n: i8, m: i8, d: i8, r: i8, i: i8
      n := input \"n\"
      d := n | 1
      m := n & 7
      i := 0
      head: while i <u 3 goto body else after
      body: i := i + 1 goto head
      after: r := call quotient(9, d)
      bytes[zext(m, i64) + 0x1000] := r
      if bytes[zext(m, i64) + 0x1000] == 0 goto zero else on
      zero: skip
      on: if r >u 9 goto wrong else done
      wrong: target \"r\"
      done: exit
    }";

fn program() -> Program {
    parsed(UNDEFINED)
}

fn parsed(text: &str) -> Program {
    beeline_ir::text::parse(text).expect("the text is a program")
}

/// The result of each engine.
fn runs(program: &Program) -> [Run; 3] {
    let options = Options::default();
    let engines: [&dyn Engine; 3] =
        [&Lazy { options: &options }, &Bounded { options: &options }, &Summaries { options: &options }];
    engines.map(|engine| {
        let mut distances = Distances::new(program, Metric::BasicBlocks);
        let task = Task::new(program, &mut distances, options.nothing_known());
        let outcome = engine.run(task, &Monitor::default());
        record(program, &outcome.verdict, &outcome.statistics)
    })
}

fn fault(program: &Program, run: &Run) -> String {
    let options =
        beeline_proof::Options { account: Some(Account::of(run)), ..beeline_proof::Options::default() };
    match check_result(program, run, &options).outcome {
        Outcome::Valid => "none".into(),
        Outcome::Invalid(fault) => fault.reason,
        Outcome::Unchecked(why) => panic!("{why}"),
    }
}

#[test]
fn the_accounts_of_the_engines_hold() {
    let program = program();
    for run in runs(&program) {
        assert_eq!(run.verdict, RunVerdict::Safe);
        assert_eq!(fault(&program, &run), "none");
    }
}

#[test]
fn an_operation_that_is_not_listed_is_found() {
    let program = program();
    for run in runs(&program) {
        for index in 0..run.undefined.len() {
            let mut changed = run.clone();
            changed.undefined.remove(index);
            let fault = fault(&program, &changed);
            assert!(fault.contains("an operation may have no result"), "{index}: {fault}");
        }
    }
}

/// In the changed program the proofs are valid, but the divisor may be zero.
#[test]
fn an_account_that_holds_no_more_is_found() {
    let changed = parsed(&UNDEFINED.replace("n | 1", "n & 1"));
    for mut run in runs(&program()) {
        assert_eq!(check_result(&changed, &run, &beeline_proof::Options::default()).outcome, Outcome::Valid);
        run.undefined.clear();
        assert!(fault(&changed, &run).contains("an operation may have no result"));
    }
}

#[test]
fn a_function_that_is_not_listed_is_found() {
    let program = program();
    for mut run in runs(&program) {
        let Some(Certificate::Unrolling(proof)) = run.proofs.first_mut() else { continue };
        proof.entered.retain(|func| *func == program.entry);
        assert!(fault(&program, &run).contains("an execution enters a function"));
        return;
    }
    panic!("no proof lists the functions that are entered");
}
