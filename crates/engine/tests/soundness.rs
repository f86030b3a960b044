//! No verdict is wrong: random small programs, whose truth comes from running all their executions, under
//! every configuration.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds than those of the test.

mod support {
    pub(crate) mod explicit;
    pub(crate) mod generator;
}

use beeline_engine::outcome::run::record;
use beeline_engine::{
    Abstraction, Arithmetics, BlockOperator, Bounded, Calls, Concrete, Distances, Domain, Engine, Finding,
    Found, Lazy, Metric, Monitor, OnUndefined, Options, Order, Outcome, PredicateSource, Rank, Reason, Scope,
    Select, Statistics, Summaries, Task, TieBreak, Unwind, Verdict, verify,
};
use beeline_interp::Limits;
use beeline_interp::oracle::Given;
use beeline_interp::replay::{Replay, replay};
use beeline_ir::text::{TextError, parse};
use beeline_ir::{EdgeId, LocId, Program, Value};
use beeline_run::{Choice, Run};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use support::explicit::Truth;
use support::generator::With;

const METRICS: [Metric; 4] =
    [Metric::Statements, Metric::BasicBlocks, Metric::LoopHeads, Metric::LoopHeadsAndFunctions];

/// All combinations of options, except for time and limits.
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
    times(&|o| {
        [
            (1, Rank::None, Select::First(1)),
            (3, Rank::Shallow, Select::All),
            (usize::MAX, Rank::Deep, Select::First(2)),
            (usize::MAX, Rank::None, Select::All),
            (4, Rank::Shallow, Select::First(1)),
        ]
        .map(|(targets_per_round, rank, select)| Options { targets_per_round, rank, select, ..o.clone() })
        .into()
    });
    times(&|o| {
        [OnUndefined::Stop, OnUndefined::Continue].map(|undefined| Options { undefined, ..o.clone() }).into()
    });
    times(&|o| [2, 50].map(|value_threshold| Options { value_threshold, ..o.clone() }).into());
    all
}

/// The verdicts seen.
#[derive(Default)]
struct Tally {
    right: u32,
    unknown: u32,
    proofs: u32,
    /// Results whose proofs are about some targets only.
    partial: u32,
    stuck: usize,
    reasons: BTreeMap<String, u32>,
}

impl Tally {
    /// Compares the verdict on each target with the truth.
    fn judge(
        &mut self,
        what: &str,
        program: &Program,
        truth: &Truth,
        verdict: &Verdict,
        statistics: &Statistics,
    ) {
        let mut left = verdict.asked.clone();
        for Finding { target, found } in &verdict.findings {
            assert!(left.remove(target), "{what}: {target:?} is found twice, or nobody asked for it");
            let reached = truth.reached.contains(target);
            match found {
                Found::Reached(path) => assert!(reached && path.target == *target, "{what}: {target:?}"),
                Found::Excluded(_) => assert!(!reached, "{what}: {target:?} is reached"),
                Found::Undecided(Reason::Undefined(place, _)) => {
                    // That an execution reaches this edge is a claim, too.
                    let is_there = |edge: &EdgeId| program.show_origin(*edge) == *place;
                    let stuck =
                        truth.stuck.iter().any(|(edge, behind)| is_there(edge) && behind.contains(target));
                    assert!(stuck, "{what}: nothing is stuck at {place} before {target:?}");
                    self.stuck += 1;
                }
                Found::Possible(reason, _) | Found::Undecided(reason) => {
                    self.not_known(what, reason);
                    continue;
                }
            }
            self.right += 1;
        }
        if let Some(reason) = &verdict.ended {
            left.iter().for_each(|_| self.not_known(what, reason));
        } else {
            assert!(left.is_empty(), "{what}: nothing is said of {left:?}");
        }
        if !verdict.proofs.is_empty() {
            self.judge_proofs(what, program, truth, &record(program, verdict, statistics));
        }
    }

    fn not_known(&mut self, what: &str, reason: &Reason) {
        let text = reason.to_string();
        assert!(!text.contains("confirm"), "{what}: {text}");
        self.unknown += 1;
        *self.reasons.entry(text).or_default() += 1;
    }

    /// Checks that proofs are valid, and that they list all edges at which an execution may be stuck before
    /// the excluded targets.
    fn judge_proofs(&mut self, what: &str, program: &Program, truth: &Truth, run: &Run) {
        let excluded: BTreeSet<LocId> = (0..run.proofs.len()).flat_map(|proof| run.proved(proof)).collect();
        for (edge, behind) in &truth.stuck {
            let told = run.undefined.contains(edge) || behind.is_disjoint(&excluded);
            assert!(told, "{what}: {edge} may be stuck");
            self.stuck += usize::from(!behind.is_disjoint(&excluded));
        }
        self.partial += u32::from(!excluded.is_empty() && excluded.len() < run.targets.len());
        match beeline_proof::check_result(program, run, &beeline_proof::Options::default()).outcome {
            beeline_proof::Outcome::Valid => self.proofs += 1,
            beeline_proof::Outcome::Invalid(fault) => panic!("{what}: {fault:?}"),
            beeline_proof::Outcome::Unchecked(reason) => *self.reasons.entry(reason).or_default() += 1,
        }
    }
}

/// Options with limits that fit small programs and do not depend on the load of the machine.
fn limited(options: &Options) -> Options {
    Options { ticks: Some(6_000_000), query_ticks: 1_500_000, max_states: 5000, ..options.clone() }
}

/// The program of a text.
fn parsed(seed: u64, text: &str) -> Program {
    parse(text).unwrap_or_else(|faults| {
        let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
        panic!("seed {seed}: {}\n{text}", faults.join("\n"))
    })
}

/// The seeds from the environment, or the default ones.
fn seeds() -> Range<u64> {
    match std::env::var("BEELINE_FUZZ") {
        Ok(range) => {
            let (first, last) = range.split_once("..").expect("BEELINE_FUZZ is first..last");
            first.parse().expect("a number")..last.parse().expect("a number")
        }
        Err(_) => 0..60u64,
    }
}

/// A search that a limit ends has proofs for the targets to which nothing leads that it left.
#[test]
fn what_was_shown_before_a_limit_is_right() {
    let engines = ["stacks", "popped calls", "unrolling", "summaries"];
    let mut tallies = engines.map(|_| Tally::default());
    for seed in seeds() {
        let with = With { recursion: seed % 2 == 0, relations: seed % 3 == 0, ..With::default() };
        let text = support::generator::program(seed, with);
        let program = parsed(seed, &text);
        let Some(truth) = support::explicit::truth(&program, 20_000) else { continue };
        let domain = [Domain::Values, Domain::Predicates, Domain::Both][seed as usize % 3];
        let undefined = [OnUndefined::Stop, OnUndefined::Continue][seed as usize / 3 % 2];
        for (size, ticks) in [(3, 20_000), (12, 100_000), (40, 400_000), (5000, 60_000)] {
            let unwind = Unwind { all: Some(size as u32 % 5), of: FxHashMap::default() };
            let options = Options { domain, undefined, unwind, max_states: size, ..Options::default() };
            let options = Options { ticks: Some(ticks), query_ticks: 100_000, ..options };
            let popping = Options { calls: Calls::Top, ..options.clone() };
            let engines: [(&dyn Engine, &Options); 4] = [
                (&Lazy { options: &options }, &options),
                (&Lazy { options: &popping }, &popping),
                (&Bounded { options: &options }, &options),
                (&Summaries { options: &options }, &options),
            ];
            for ((engine, options), tally) in engines.into_iter().zip(&mut tallies) {
                let mut distances = Distances::new(&program, METRICS[0]);
                let task = Task::new(&program, &mut distances, options.nothing_known());
                let Outcome { verdict, statistics, .. } = engine.run(task, &Monitor::default());
                let what = format!("seed {seed} {options:?}\n{text}");
                // Proofs of searches that end by themselves are checked elsewhere.
                let is_early = verdict.ended.is_some();
                if is_early {
                    tally.judge(&what, &program, &truth, &verdict, &statistics);
                }
            }
        }
    }
    for (engine, Tally { right, proofs, partial, reasons, .. }) in engines.into_iter().zip(&tallies) {
        eprintln!("{engine}: {right} right, {proofs} valid, {partial} of some targets: {reasons:?}");
        assert!(std::env::var("BEELINE_FUZZ").is_ok() || *partial > 5, "{engine}: {partial}");
    }
}

#[test]
fn no_verdict_is_wrong() {
    let (mut of_lazy, mut of_bounded) = (Tally::default(), Tally::default());
    let (mut of_values, mut of_predicates, mut of_both) =
        (Tally::default(), Tally::default(), Tally::default());
    let (mut safe_programs, mut programs, mut skipped) = (0, 0, 0);
    let configurations = configurations();
    for seed in seeds() {
        let text = support::generator::program(seed, With::default());
        let program = parsed(seed, &text);
        let Some(truth) = support::explicit::truth(&program, 20_000) else {
            skipped += 1;
            continue;
        };
        programs += 1;
        safe_programs += u32::from(truth.reached.is_empty());
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
        let options = limited(&Options { undefined: OnUndefined::Stop, ..Options::default() });
        let other =
            configurations[(seed as usize).wrapping_mul(2_654_435_761) % configurations.len()].clone();
        // In every other program values lose their tracking early.
        let value_threshold = if seed % 2 == 0 { 4 } else { other.value_threshold };
        let [values, predicates, both] = [Domain::Values, Domain::Predicates, Domain::Both]
            .map(|domain| limited(&Options { domain, value_threshold, ..other.clone() }));
        let engines: [(&dyn Engine, &Options, &mut Tally); 4] = [
            (&Bounded { options: &options }, &options, &mut of_bounded),
            (&Summaries { options: &values }, &values, &mut of_values),
            (&Summaries { options: &predicates }, &predicates, &mut of_predicates),
            (&Summaries { options: &both }, &both, &mut of_both),
        ];
        for (engine, options, tally) in engines {
            let mut distances = Distances::new(&program, METRICS[0]);
            let task = Task::new(&program, &mut distances, options.nothing_known());
            let outcome = engine.run(task, &Monitor::default());
            let what = format!("seed {seed} {options:?}, not lazy\n{text}");
            tally.judge(&what, &program, &truth, &outcome.verdict, &outcome.statistics);
        }
    }
    eprintln!("{programs} programs, {safe_programs} safe, {skipped} too large");
    let tallies = [
        ("lazy", of_lazy),
        ("bounded", of_bounded),
        ("blocks by values", of_values),
        ("blocks by predicates", of_predicates),
        ("blocks", of_both),
    ];
    for (engine, tally) in tallies {
        let Tally { right, unknown, proofs, partial, stuck, reasons } = tally;
        eprintln!(
            "{engine}: {right} right, {proofs} proofs valid, {partial} of some targets, {unknown} unknown: {reasons:?}"
        );
        if std::env::var("BEELINE_FUZZ").is_ok() {
            // Shares depend on the seeds.
            continue;
        }
        // Summaries do not tell which targets come after an undefined operation: all of them stay open.
        // Values alone do not decide what depends on inputs.
        let known = match engine {
            "blocks by values" => 3 * right,
            "blocks" | "blocks by predicates" => right,
            _ => right / 2,
        };
        assert!(known > unknown, "most verdicts are known");
        assert!(proofs > 0, "proofs are checked");
        assert!(partial > 0, "some proofs are about some targets");
        assert!(stuck > 0, "some operations have no result");
    }
}

/// A range operation is one step of an unrolling, and many steps of a path.
#[test]
fn no_verdict_is_wrong_where_ranges_are_one_step() {
    let (mut tally, mut reached, mut ranges) = (Tally::default(), 0, 0);
    for seed in seeds() {
        let text = support::generator::program(seed, With { ranges: true, ..With::default() });
        let program = parsed(seed, &text);
        let Some(truth) = support::explicit::truth(&program, 20_000) else { continue };
        let calls = beeline_ir::Range::of_calls(&program).len();
        assert_eq!(calls, text.matches("call copy(").count() + text.matches("call fill(").count(), "{text}");
        ranges += calls;
        reached += truth.reached.len();
        let options = limited(&Options::default());
        let mut distances = Distances::new(&program, METRICS[0]);
        let task = Task::new(&program, &mut distances, options.nothing_known());
        let outcome = Bounded { options: &options }.run(task, &Monitor::default());
        let what = format!("seed {seed}\n{text}");
        tally.judge(&what, &program, &truth, &outcome.verdict, &outcome.statistics);
        for Finding { found, .. } in &outcome.verdict.findings {
            let Found::Reached(path) = found else { continue };
            let edges: Vec<EdgeId> = path.trace.edges().collect();
            let mut given = Given::new(path.choices.iter().map(value));
            let (again, _) = replay(&program, &edges, &mut given, &Limits::default());
            assert!(matches!(again, Replay::Target(_)), "{what}: {again:?}");
        }
    }
    let Tally { right, unknown, proofs, stuck, reasons, .. } = tally;
    eprintln!(
        "{ranges} calls: {right} right, {reached} reached, {proofs} proofs valid, {stuck} stuck, {unknown} unknown: {reasons:?}"
    );
    assert!(right > 4 * unknown && proofs > 0 && stuck > 0 && reached > 0, "most verdicts are known");
}

fn value(choice: &Choice) -> Value {
    match choice {
        Choice::Input { value, .. } | Choice::Unwritten { value, .. } | Choice::Cell { value, .. } => {
            value.clone()
        }
    }
}

#[test]
fn no_concrete_execution_is_reported_wrongly() {
    let (mut tally, mut paths, mut reachable) = (Tally::default(), 0, 0);
    for seed in seeds() {
        let text = support::generator::program(seed, With { recursion: seed % 2 == 0, ..With::default() });
        let program = parsed(seed, &text);
        let Some(truth) = support::explicit::truth(&program, 20_000) else { continue };
        reachable += truth.reached.len();
        let options = limited(&Options { ticks: Some(200_000), ..Options::default() });
        let mut distances = Distances::new(&program, METRICS[0]);
        let task = Task::new(&program, &mut distances, options.nothing_known());
        let outcome = Concrete { options: &options }.run(task, &Monitor::default());
        let what = format!("seed {seed}\n{text}");
        tally.judge(&what, &program, &truth, &outcome.verdict, &outcome.statistics);
        for Finding { found, .. } in &outcome.verdict.findings {
            let Found::Reached(path) = found else { continue };
            // The reported path suffices to reach the target again.
            let edges: Vec<EdgeId> = path.trace.edges().collect();
            let mut given = Given::new(path.choices.iter().map(value));
            let (again, _) = replay(&program, &edges, &mut given, &Limits::default());
            assert!(matches!(again, Replay::Target(_)), "{what}: {again:?}");
            let last = path.trace.steps.last().map(|(_, place)| place.loc);
            assert_eq!(last, Some(path.target), "{what}");
            paths += 1;
        }
    }
    eprintln!("{paths} of {reachable} targets reached: {:?}", tally.reasons);
    assert!(tally.proofs == 0 && paths * 2 > reachable, "most of what can be reached is");
}

#[test]
fn no_verdict_is_wrong_where_calls_are_popped() {
    let (mut tally, mut pops, mut kept_stacks) = (Tally::default(), 0, 0);
    // Two programs in which an undefined operation comes before the targets after one call of a function, but
    // not after another call; one in which arguments matter that no relation is about.
    let any = seeds().chain([1114, 2136, 4172]).map(|seed| (seed, false));
    for (seed, relations) in any.chain(seeds().map(|seed| (seed, true))) {
        let with = With { recursion: true, relations, ..With::default() };
        let text = support::generator::program(seed, with);
        let program = parsed(seed, &text);
        let Some(truth) = support::explicit::truth(&program, 20_000) else { continue };
        for domain in [Domain::Values, Domain::Predicates, Domain::Both] {
            // If everything is explored before a path is checked, most calls are popped.
            let targets_per_round = if seed % 4 == 0 { 1 } else { usize::MAX };
            let order = [Order::BreadthFirst, Order::Directed(TieBreak::Oldest)][seed as usize % 2];
            let options =
                Options { calls: Calls::Top, domain, order, targets_per_round, ..Options::default() };
            let options = limited(&options);
            let mut distances = Distances::new(&program, METRICS[seed as usize % 4]);
            let (verdict, statistics) = verify(&program, &options, &mut distances, &Monitor::default());
            let what = format!("seed {seed} {options:?}\n{text}");
            tally.judge(&what, &program, &truth, &verdict, &statistics);
            pops += statistics.pops;
            kept_stacks += statistics.kept_stacks;
        }
    }
    let Tally { right, unknown, proofs, reasons, .. } = tally;
    eprintln!("{right} right, {proofs} proofs valid, {unknown} unknown: {reasons:?}");
    eprintln!("{pops} calls popped, {kept_stacks} stacks of which none is");
    assert!(right > unknown && proofs > 0, "most verdicts are known, and proofs are checked");
    assert!(pops > kept_stacks && kept_stacks > 0, "calls are popped, and some must not be");
}

/// Each treatment of calls, with a domain and an order that seeds choose: together they cover all
/// combinations.
#[test]
fn no_verdict_is_wrong_however_calls_are_treated() {
    // `None` stands for summaries.
    let treatments = [Some(Calls::Stacks), Some(Calls::Top), None];
    let domains = [Domain::Values, Domain::Predicates, Domain::Both];
    let orders =
        [Order::Directed(TieBreak::Newest), Order::DepthFirst, Order::BreadthFirst, Order::Random(5)];
    let mut tallies = [(); 3].map(|()| Tally::default());
    let (mut programs, mut reused) = (0, 0);
    for seed in seeds() {
        let with = With { recursion: true, relations: seed % 3 == 0, ..With::default() };
        let text = support::generator::program(seed, with);
        let program = parsed(seed, &text);
        let Some(truth) = support::explicit::truth(&program, 20_000) else { continue };
        programs += 1;
        for (calls, tally) in treatments.into_iter().zip(&mut tallies) {
            let number = seed as usize;
            let (domain, order) = (domains[number % 3], orders[number / 3 % 4]);
            let options = Options { domain, order, ticks: Some(2_000_000), ..Options::default() };
            let options = limited(&Options { calls: calls.unwrap_or(options.calls), ..options });
            let mut distances = Distances::new(&program, METRICS[number / 12 % 4]);
            let task = Task::new(&program, &mut distances, options.nothing_known());
            let engine: &dyn Engine = match calls {
                Some(_) => &Lazy { options: &options },
                None => &Summaries { options: &options },
            };
            let Outcome { verdict, statistics, .. } = engine.run(task, &Monitor::default());
            let what = format!("seed {seed} {calls:?} {options:?}\n{text}");
            tally.judge(&what, &program, &truth, &verdict, &statistics);
            reused += statistics.calls_reused;
        }
    }
    for (calls, Tally { right, unknown, proofs, reasons, .. }) in treatments.into_iter().zip(&tallies) {
        eprintln!(
            "{programs} programs, {calls:?}: {right} right, {proofs} proofs valid, {unknown} unknown: {reasons:?}"
        );
        assert!(*proofs > 0 && right > unknown, "most verdicts are known, and proofs are checked");
    }
    assert!(reused > 0, "calls share contexts");
}

#[test]
fn no_verdict_is_wrong_where_loops_are_functions() {
    let domains = [Domain::Values, Domain::Predicates, Domain::Both];
    let (mut tally, mut programs, mut loops) = (Tally::default(), 0, 0);
    for seed in seeds() {
        let with = With { recursion: seed % 2 == 0, ranges: seed % 5 == 0, ..With::default() };
        let text = support::generator::program(seed, with);
        let program = parsed(seed, &text);
        let outlined = beeline_graph::loops_as_functions(&program).expect("what was valid is valid");
        if outlined.functions.len() == program.functions.len() {
            continue;
        }
        let truths = [&program, &outlined].map(|program| support::explicit::truth(program, 40_000));
        let [Some(before), Some(truth)] = truths else { continue };
        let names = |program: &Program, truth: &Truth| -> BTreeSet<String> {
            let reached = program.targets.iter().filter(|target| truth.reached.contains(&target.loc));
            reached.map(|target| target.name.clone()).collect()
        };
        assert_eq!(names(&program, &before), names(&outlined, &truth), "seed {seed}\n{text}");
        assert_eq!(before.stuck.is_empty(), truth.stuck.is_empty(), "seed {seed}\n{text}");
        (programs, loops) = (programs + 1, loops + outlined.functions.len() - program.functions.len());
        let options = Options { domain: domains[seed as usize % 3], ..Options::default() };
        let options = limited(&Options { ticks: Some(2_000_000), ..options });
        let mut distances = Distances::new(&outlined, METRICS[seed as usize % 4]);
        let task = Task::new(&outlined, &mut distances, options.nothing_known());
        let Outcome { verdict, statistics, .. } =
            Summaries { options: &options }.run(task, &Monitor::default());
        tally.judge(&format!("seed {seed} {options:?}\n{text}"), &outlined, &truth, &verdict, &statistics);
    }
    let Tally { right, unknown, proofs, reasons, .. } = tally;
    eprintln!(
        "{programs} programs, {loops} loops: {right} right, {proofs} proofs valid, {unknown} unknown: {reasons:?}"
    );
    assert!(proofs > 0 && right > 0, "some verdicts are known, and proofs are checked");
}
