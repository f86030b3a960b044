//! The proofs of a result are about exactly the targets that it declares safe by them.

use beeline_engine::outcome::run::record;
use beeline_engine::{Bounded, Distances, Engine, Lazy, Metric, Monitor, Options, Task};
use beeline_ir::Program;
use beeline_proof::{Outcome, check_result};
use beeline_run::{Run, RunVerdict, TargetVerdict};

/// Two targets that executions reach, one of them after a loop, and two that none reaches.
const MIXED: &str = "beeline 1.0
    fn main() {
      var i: i8, n: i8
      n := input \"n\"
      if n == 7 goto first else on
      first: target \"reached\"
      on: i := 0
      head: while i <u 4 goto body else after
      body: if i == 9 goto never else next
      never: target \"never\"
      next: i := i + 1 goto head
      after: if i != 4 goto odd else even
      odd: target \"odd\"
      even: if n == 3 goto last else done
      last: target \"reached late\"
      done: exit
    }";

fn parsed() -> Program {
    beeline_ir::text::parse(MIXED).expect("the text is a program")
}

/// The result of each engine.
fn runs(program: &Program) -> [Run; 2] {
    let options = Options::default();
    let engines: [&dyn Engine; 2] = [&Lazy { options: &options }, &Bounded { options: &options }];
    engines.map(|engine| {
        let mut distances = Distances::new(program, Metric::BasicBlocks);
        let task = Task::new(program, &mut distances, options.nothing_known());
        let outcome = engine.run(task, &Monitor::default());
        record(program, &outcome.verdict, &outcome.statistics)
    })
}

fn fault(program: &Program, run: &Run) -> String {
    match check_result(program, run, &beeline_proof::Options::default()).outcome {
        Outcome::Valid => "none".into(),
        Outcome::Invalid(fault) => fault.reason,
        Outcome::Unchecked(why) => panic!("{why}"),
    }
}

#[test]
fn each_target_has_its_verdict_and_the_proof_of_the_others_is_valid() {
    let program = parsed();
    for run in runs(&program) {
        let verdicts: Vec<&str> = run
            .targets
            .iter()
            .map(|target| match target.verdict {
                TargetVerdict::Safe { .. } => "safe",
                TargetVerdict::Unsafe { .. } => "unsafe",
                _ => "open",
            })
            .collect();
        assert_eq!(
            (verdicts.join(" "), run.verdict.clone()),
            ("unsafe safe safe unsafe".into(), RunVerdict::Unsafe)
        );
        assert_eq!((run.paths.len(), run.proofs.len()), (2, 1));
        assert_eq!(fault(&program, &run), "none");
    }
}

#[test]
fn a_target_that_is_reached_is_not_safe_by_a_proof_of_others() {
    let program = parsed();
    for run in runs(&program) {
        for forged in [0, 3] {
            let mut run = run.clone();
            run.targets[forged].verdict = TargetVerdict::Safe { proof: 0 };
            assert_ne!(fault(&program, &run), "none", "{forged}");
        }
    }
}

#[test]
fn no_target_may_be_missing() {
    let program = parsed();
    for run in runs(&program) {
        let mut fewer = run.clone();
        fewer.targets.pop();
        assert_eq!(fault(&program, &fewer), "its targets are not the targets of the program");
        // A result without targets, as in version 3, is about all.
        let all = Run { verdict: RunVerdict::Safe, targets: vec![], paths: vec![], ..run.clone() };
        assert_ne!(fault(&program, &all), "none");
        let without = Run { proofs: vec![], ..all };
        assert_eq!(fault(&program, &without), "it has the verdict safe but no proof");
    }
}
