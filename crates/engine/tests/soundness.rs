//! No wrong verdict, ever: random small programs, whose truth comes from running all their executions,
//! under every configuration.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds than those of the test.

mod support {
    pub(crate) mod explicit;
    pub(crate) mod generator;
}

use beeline_engine::run::record;
use beeline_engine::{
    Abstraction, Arithmetics, BlockOperator, Blocks, Bounded, Distances, Domain, Engine, Metric, Monitor,
    Options, Order, PredicateSource, Reason, Scope, Statistics, Task, TieBreak, Verdict, verify,
};
use beeline_ir::Program;
use beeline_ir::text::{TextError, parse};
use beeline_proof::Outcome;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;
use support::explicit::Truth;

const METRICS: [Metric; 4] =
    [Metric::Statements, Metric::BasicBlocks, Metric::LoopHeads, Metric::LoopHeadsAndFunctions];

/// All combinations of what can be chosen; time and limits are set later.
fn configurations() -> Vec<Options> {
    let mut all = vec![Options::default()];
    let mut times = |change: &dyn Fn(&Options) -> Vec<Options>| all = all.iter().flat_map(change).collect();
    times(&|o| {
        [Domain::Values, Domain::Predicates, Domain::Both]
            .map(|domain| Options { domain, ..o.clone() })
            .into()
    });
    times(&|o| {
        [BlockOperator::LoopHeads, BlockOperator::LoopHeadsAndFunctions, BlockOperator::Single]
            .map(|blocks| Options { blocks, ..o.clone() })
            .into()
    });
    times(&|o| {
        [
            Order::Directed(TieBreak::Newest),
            Order::Directed(TieBreak::Oldest),
            Order::Directed(TieBreak::ReversePostOrder),
            Order::Directed(TieBreak::Random(3)),
            Order::DepthFirst,
            Order::BreadthFirst,
            Order::Random(5),
        ]
        .map(|order| Options { order, ..o.clone() })
        .into()
    });
    times(&|o| {
        [Arithmetics::Both, Arithmetics::BitVectors, Arithmetics::Integers]
            .map(|arithmetic| Options { arithmetic, ..o.clone() })
            .into()
    });
    times(&|o| {
        [PredicateSource::All, PredicateSource::Interpolants, PredicateSource::Conditions]
            .map(|refiner| Options { refiner, ..o.clone() })
            .into()
    });
    times(&|o| {
        [Abstraction::Cartesian, Abstraction::Boolean]
            .map(|abstraction| Options { abstraction, ..o.clone() })
            .into()
    });
    times(&|o| {
        [Scope::Location, Scope::Function, Scope::Global].map(|scope| Options { scope, ..o.clone() }).into()
    });
    times(&|o| [2, 50].map(|value_threshold| Options { value_threshold, ..o.clone() }).into());
    all
}

/// What was seen of verdicts.
#[derive(Default)]
struct Tally {
    right: u32,
    unknown: u32,
    proofs: u32,
    stuck: usize,
    reasons: BTreeMap<String, u32>,
}

impl Tally {
    /// Holds a verdict against the truth.
    fn judge(
        &mut self,
        what: &str,
        program: &Program,
        truth: &Truth,
        verdict: &Verdict,
        statistics: &Statistics,
    ) {
        let wrong = match verdict {
            Verdict::Safe(_) => {
                let run = record(program, verdict, statistics);
                for edge in &truth.stuck {
                    assert!(run.undefined.contains(edge), "{what}: {edge} may be stuck");
                }
                self.stuck += truth.stuck.len();
                let proof = run.proof().expect("a safe verdict has a proof");
                match beeline_proof::check(program, proof, &beeline_proof::Options::default()).outcome {
                    Outcome::Valid => self.proofs += 1,
                    Outcome::Invalid(fault) => panic!("{what}: {fault:?}"),
                    Outcome::Unchecked(reason) => *self.reasons.entry(reason).or_default() += 1,
                }
                truth.reached
            }
            Verdict::Unsafe(_) => !truth.reached,
            Verdict::Unknown(Reason::Undefined(place, _)) => {
                // That an execution gets there is a claim, too.
                self.stuck += 1;
                !truth.stuck.iter().any(|edge| program.show_origin(*edge) == *place)
            }
            Verdict::Possible(reason, _) | Verdict::Unknown(reason) => {
                let text = reason.to_string();
                assert!(!text.contains("confirm"), "{what}: {text}");
                self.unknown += 1;
                *self.reasons.entry(text).or_default() += 1;
                return;
            }
        };
        assert!(!wrong, "{what}: {verdict:?}");
        self.right += 1;
    }
}

/// The seeds that are asked for, or some.
fn seeds() -> Range<u64> {
    match std::env::var("BEELINE_FUZZ") {
        Ok(range) => {
            let (first, last) = range.split_once("..").expect("BEELINE_FUZZ is first..last");
            first.parse().expect("a number")..last.parse().expect("a number")
        }
        Err(_) => 0..60u64,
    }
}

#[test]
fn no_verdict_is_wrong() {
    let (mut of_lazy, mut of_bounded, mut of_blocks) = (Tally::default(), Tally::default(), Tally::default());
    let (mut safe_programs, mut programs, mut skipped) = (0, 0, 0);
    let configurations = configurations();
    for seed in seeds() {
        let text = support::generator::program(seed);
        let program = parse(&text).unwrap_or_else(|faults| {
            let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
            panic!("seed {seed}: {}\n{text}", faults.join("\n"))
        });
        let Some(truth) = support::explicit::truth(&program, 20_000) else {
            skipped += 1;
            continue;
        };
        programs += 1;
        safe_programs += u32::from(!truth.reached);
        let limited = |options: &Options| Options {
            time: Some(Duration::from_millis(2000)),
            query_ticks: 1_500_000,
            max_states: 5000,
            ..options.clone()
        };
        // Each program meets a share of the configurations.
        for (index, metric) in METRICS.into_iter().enumerate() {
            // Multiplication by an odd number spreads the seeds over all of them.
            let number = (seed as usize * 4 + index).wrapping_mul(2_654_435_761) % configurations.len();
            let options = limited(&configurations[number]);
            let mut distances = Distances::new(&program, metric);
            let (verdict, statistics) = verify(&program, &options, &mut distances, &Monitor::default());
            let what = format!("seed {seed} {options:?}\n{text}");
            of_lazy.judge(&what, &program, &truth, &verdict, &statistics);
        }
        let options = limited(&Options::default());
        let other =
            configurations[(seed as usize).wrapping_mul(2_654_435_761) % configurations.len()].clone();
        let summarised = limited(&Options { domain: Domain::Predicates, ..other });
        let engines: [(&dyn Engine, &Options, &mut Tally); 2] = [
            (&Bounded { options: &options }, &options, &mut of_bounded),
            (&Blocks { options: &summarised }, &summarised, &mut of_blocks),
        ];
        for (engine, options, tally) in engines {
            let mut distances = Distances::new(&program, METRICS[0]);
            let task = Task { program: &program, distances: &mut distances, known: options.nothing_known() };
            let outcome = engine.run(task, &Monitor::default());
            let what = format!("seed {seed} {options:?}, not lazy\n{text}");
            tally.judge(&what, &program, &truth, &outcome.verdict, &outcome.statistics);
        }
    }
    eprintln!("{programs} programs, {safe_programs} safe, {skipped} too large");
    for (engine, tally) in [("lazy", of_lazy), ("bounded", of_bounded), ("blocks", of_blocks)] {
        let Tally { right, unknown, proofs, stuck, reasons } = tally;
        eprintln!("{engine}: {right} right, {proofs} proofs valid, {unknown} unknown: {reasons:?}");
        assert!(right > 2 * unknown, "most verdicts are known");
        assert!(proofs > 0, "proofs are checked");
        assert!(stuck > 0, "some operations have no result");
    }
}
