//! Chains of searches, each of which continues from the residual condition of the one before: random small
//! programs, whose truth comes from running all their executions. A search ends at a random point or skips
//! parts, and another one continues; perhaps a third one after that. Their joint findings are right, and
//! their proofs are valid. Their residual conditions are valid too, but not without open states that lead to
//! a target.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds than those of the test.

mod support {
    pub(crate) mod explicit;
    pub(crate) mod generator;
}

use beeline_engine::outcome::run::record;
use beeline_engine::{
    BlockOperator, Bounded, Condition, Distances, Domain, Earlier, Engine, Excess, Found, Lazy, Link, Metric,
    Monitor, Options, Order, Outcome, Summaries, Task, TieBreak, ToldApart,
};
use beeline_ir::file::{self, Digest};
use beeline_ir::text::parse;
use beeline_ir::{LocId, Program};
use beeline_proof::{Account, Outcome as Checked};
use beeline_run::parts::RunPart;
use beeline_run::rest::Filed;
use beeline_run::split::{join, split};
use beeline_run::{Certificate, Reason, Run, RunPrecision, RunRest, RunVerdict, TargetVerdict};
use fastrand::Rng;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;
use support::generator::With;

/// Results as they would be in files, oldest first.
type Files = Vec<(Digest, Run)>;

/// The residual conditions of earlier searches, and the precision of the last one.
type Before<'a> = (&'a [Earlier], Option<&'a RunPrecision>);

#[derive(Default, Debug)]
struct Tally {
    rests: u32,
    valid_rests: u32,
    accounts: u32,
    right: u32,
    proofs_after: u32,
    valid_after: u32,
    forged: u32,
    found_out: u32,
    longest: usize,
    skipped: BTreeSet<Excess>,
    after_parts: u32,
    joined: u32,
    parts_alone: u32,
}

fn options(rng: &mut Rng) -> Options {
    Options {
        domain: rng.choice([Domain::Values, Domain::Predicates, Domain::Both, Domain::Both]).unwrap(),
        blocks: rng
            .choice([BlockOperator::LoopHeads, BlockOperator::LoopHeadsAndFunctions, BlockOperator::Single])
            .unwrap(),
        order: rng
            .choice([
                Order::Directed(TieBreak::Oldest),
                Order::BreadthFirst,
                Order::DepthFirst,
                Order::Random(7),
            ])
            .unwrap(),
        value_threshold: rng.choice([2, 50, 1000]).unwrap(),
        ticks: Some(TICKS_PER_SEARCH),
        query_ticks: 1_500_000,
        max_states: 5000,
        skip: (0..rng.u32(..3)).map(|_| part(rng)).collect(),
        ..Options::default()
    }
}

/// A monitor with a random limit.
fn part(rng: &mut Rng) -> (Excess, u64) {
    let counts = [Excess::LocationStates, Excess::PlaceStates, Excess::LoopTurns];
    match rng.u32(..10) {
        0 => (Excess::PathSteps, rng.u64(1..40)),
        1 => (Excess::PathConditions, rng.u64(1..10)),
        2 => (Excess::RefinementTicks, rng.u64(1..100_000)),
        3 => (Excess::PathTicks, rng.u64(1..10_000)),
        4 => (Excess::PostTicks, rng.u64(1..10_000)),
        5 => (Excess::StateSize, rng.u64(1..6)),
        6 => (Excess::FormulaSize, rng.u64(1..60)),
        7 => (Excess::WayTicks, rng.u64(1..20_000)),
        _ => (rng.choice(counts).unwrap(), rng.u64(1..6)),
    }
}

/// The ticks of a search: those of half a second.
const TICKS_PER_SEARCH: u64 = 1_500_000;
const EVERY_TURN: ToldApart = ToldApart { iterations: true, at_location: usize::MAX };
const FEW_TURNS: ToldApart = ToldApart { iterations: false, at_location: 1_000 };

/// Options with which a search ends before it has taken so many ticks.
fn ending_soon(rng: &mut Rng, options: Options, ticks: u64) -> Options {
    Options {
        ticks: Some(rng.u64(..ticks.max(1)).max(1)),
        told_apart: rng.choice([EVERY_TURN, ToldApart { at_location: 3, ..EVERY_TURN }, FEW_TURNS]).unwrap(),
        ..options
    }
}

fn run(
    engine: &dyn Engine,
    program: &Program,
    (earlier, looked): Before<'_>,
    targets: &BTreeSet<LocId>,
    options: &Options,
) -> Outcome {
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    // Every other search reuses the precision of the one before.
    let is_recalled = |last: &Earlier| last.rest.graph.states.len().is_multiple_of(2);
    let looked = looked.filter(|_| earlier.last().is_some_and(is_recalled));
    let known = looked.map_or_else(|| options.nothing_known(), |looked| options.recalled(program, looked));
    let task = Task::new(program, &mut distances, known);
    engine.run(Task { targets: targets.clone(), earlier: earlier.to_vec(), ..task }, &Monitor::default())
}

/// The result as a file has it, with its residual condition.
fn filed(program: &Program, outcome: &Outcome) -> (Run, Digest) {
    let mut run = record(program, &outcome.verdict, &outcome.statistics);
    run.precision = Some(outcome.known.precision());
    if let Condition::Rest(rest) = &outcome.condition {
        run.rests.push((**rest).clone());
    }
    let bytes = file::to_bytes(&run, None).expect("a result can be written");
    let read = file::from_bytes::<Run>("a.run", &bytes).expect("and read");
    assert_eq!(read.body, run);
    (run, read.header.digest)
}

fn check(program: &Program, run: &Run, files: &Files) -> Checked {
    check_account(program, run, files, None)
}

/// The check of a result, and of an account of what its executions do.
fn check_account(program: &Program, run: &Run, files: &Files, account: Option<Account>) -> Checked {
    let limits = beeline_proof::Options {
        query_ticks: 15_000_000,
        time: Some(Duration::from_secs(20)),
        account,
        ..beeline_proof::Options::default()
    };
    let files: Vec<Filed<'_>> =
        files.iter().map(|(digest, run)| Filed { digest: Some(*digest), run }).collect();
    beeline_proof::check_chain(program, run, &files, &limits).outcome
}

/// Compares the findings with the truth.
fn judge(tally: &mut Tally, what: &str, outcome: &Outcome, reached: &BTreeSet<LocId>) {
    for finding in &outcome.verdict.findings {
        match finding.found {
            Found::Reached(_) => assert!(reached.contains(&finding.target), "{what}"),
            Found::Excluded(_) => assert!(!reached.contains(&finding.target), "{what}: {:?}", finding.target),
            Found::Undecided(Reason::GivenUp(excess, _)) => {
                tally.skipped.insert(excess);
                continue;
            }
            Found::Possible(..) | Found::Undecided(_) => continue,
        }
        tally.right += 1;
    }
}

/// Removes open states of a residual condition: a wrong result of the next search must not pass the check.
fn forge(
    tally: &mut Tally,
    what: &str,
    (program, reached): (&Program, &BTreeSet<LocId>),
    (run, rest): (&Run, &RunRest),
    rng: &mut Rng,
) {
    let mut rest = rest.clone();
    rest.open.retain(|_| rng.bool());
    if rng.bool() && !rest.graph.states.is_empty() {
        // Or removes edges between states.
        let states = rest.graph.states.len();
        rest.graph.states[rng.usize(..states)].children.retain(|_| rng.bool());
    }
    let forged = Run { rests: vec![rest.clone()], proofs: vec![], ..run.clone() };
    let bytes = file::to_bytes(&forged, None).expect("a result can be written");
    let digest = file::open("a.run", &bytes).expect("it is whole").0.digest;
    let targets = rest.targets.iter().copied().collect();
    let earlier = Earlier { link: Link { run: Some(digest), rest: 0 }, rest: Arc::new(rest), only: None };
    let options = options(rng);
    let outcome = run_lazy(program, (&[earlier], run.precision.as_ref()), &targets, &options);
    let wrong = outcome
        .verdict
        .findings
        .iter()
        .any(|finding| matches!(finding.found, Found::Excluded(_)) && reached.contains(&finding.target));
    if wrong {
        tally.forged += 1;
        let (last, _) = filed(program, &outcome);
        let files = vec![(digest, forged)];
        match check(program, &last, &files) {
            Checked::Valid => panic!("{what}: a forged rest is believed"),
            Checked::Invalid(_) => tally.found_out += 1,
            Checked::Unchecked(_) => {}
        }
    }
}

/// Splits the open states of a residual condition among several searches, and joins their results.
fn shared(
    tally: &mut Tally,
    what: &str,
    (program, reached): (&Program, &BTreeSet<LocId>),
    (whole, digest): (&Run, Digest),
    rng: &mut Rng,
) {
    let rest = &whole.rests[0];
    if rest.open.is_empty() {
        return;
    }
    let targets: BTreeSet<LocId> = rest.targets.iter().copied().collect();
    let mut parts: Files = Vec::new();
    for run in split(
        program,
        Filed { digest: Some(digest), run: whole },
        NonZeroUsize::new(rng.usize(2..5)).unwrap(),
    )
    .unwrap()
    {
        let only = Some(Arc::from(&run.parts[0].only[..]));
        let earlier =
            Earlier { link: Link { run: Some(digest), rest: 0 }, rest: Arc::new(rest.clone()), only };
        let options = Options { skip: vec![], ..options(rng) };
        let outcome = run_lazy(program, (&[earlier], whole.precision.as_ref()), &targets, &options);
        let mut found = record(program, &outcome.verdict, &outcome.statistics);
        let claims_all = found.clone();
        found.restrict(&run.parts);
        let files = vec![(digest, whole.clone())];
        match check(program, &found, &files) {
            Checked::Invalid(fault) => panic!("{what}: a part is wrong: {fault:?}"),
            Checked::Valid | Checked::Unchecked(_) => {}
        }
        // What holds for a part does not hold for all.
        if claims_all.targets.iter().any(|target| is_safe(&target.verdict) && reached.contains(&target.loc)) {
            assert!(!matches!(check(program, &claims_all, &files), Checked::Valid), "{what}: a part is all");
            tally.parts_alone += 1;
        }
        let bytes = file::to_bytes(&found, None).expect("a result can be written");
        parts.push((file::open("part.run", &bytes).expect("it is whole").0.digest, found));
    }
    let filed: Vec<Filed<'_>> =
        parts.iter().map(|(digest, run)| Filed { digest: Some(*digest), run }).collect();
    let joined = join(Filed { digest: Some(digest), run: whole }, &filed).expect("all parts are there");
    for target in joined.targets.iter().filter(|target| is_safe(&target.verdict)) {
        assert!(!reached.contains(&target.loc), "{what}: joined parts are wrong");
    }
    let Some(Certificate::Joined(proof)) = joined.proofs.last().cloned() else { return };
    let files: Files = std::iter::once((digest, whole.clone())).chain(parts.iter().cloned()).collect();
    match check(program, &joined, &files) {
        Checked::Valid => tally.joined += 1,
        Checked::Invalid(fault) => panic!("{what}: joined parts are not valid: {fault:?}"),
        Checked::Unchecked(_) => return,
    }
    // Without one of the parts, or with one in the place of another, it is no proof.
    let gone = rng.usize(..proof.parts.len());
    let mut fewer = joined.clone();
    let mut left = proof.clone();
    left.parts.remove(gone);
    *fewer.proofs.last_mut().unwrap() = Certificate::Joined(left);
    assert!(matches!(check(program, &fewer, &files), Checked::Invalid(_)), "{what}: a part is missed");
    let mut twice = proof.clone();
    twice.parts[gone] = digest;
    *fewer.proofs.last_mut().unwrap() = Certificate::Joined(twice);
    assert!(matches!(check(program, &fewer, &files), Checked::Invalid(_)), "{what}: all is a part");
    let part = &parts.iter().find(|(digest, _)| *digest == proof.parts[gone]).unwrap().1;
    forge_parts(what, (program, &joined), (whole, digest), (part, gone), &files);
}

/// Puts a result in the place of a part that it is not: that is no proof.
fn forge_parts(
    what: &str,
    (program, joined): (&Program, &Run),
    (whole, digest): (&Run, Digest),
    (part, number): (&Run, usize),
    files: &Files,
) {
    let digest_of = |run: &Run| {
        let bytes = file::to_bytes(run, None).expect("a result can be written");
        file::open("part.run", &bytes).expect("it is whole").0.digest
    };
    let Some(Certificate::Joined(proof)) = joined.proofs.last() else { unreachable!() };
    // Another result with the same residual condition.
    let twin = Run { statistics: Vec::new(), ..whole.clone() };
    let other = digest_of(&twin);
    let of_twin = |run: Option<Digest>| if run == Some(digest) { Some(other) } else { run };
    let mut foreign = part.clone();
    foreign.parts.iter_mut().for_each(|part| part.run = other);
    foreign.resting.iter_mut().for_each(|resting| resting.after.run = of_twin(resting.after.run));
    let mut inner = part.clone();
    inner.parts.insert(0, RunPart { run: digest_of(part), ..part.parts[0].clone() });
    let mut silent = Run { proofs: Vec::new(), resting: Vec::new(), ..part.clone() };
    silent.targets.iter_mut().for_each(|target| target.verdict = TargetVerdict::Open);
    let mut forged = vec![(inner, "a part of a part is one"), (silent, "who shows nothing excludes targets")];
    if other != digest {
        forged.push((foreign, "a part of another rest is one"));
    }
    for (run, why) in forged {
        let mut proof = proof.clone();
        proof.parts[number] = digest_of(&run);
        let mut files = files.clone();
        files.extend([(other, twin.clone()), (proof.parts[number], run)]);
        let mut joined = joined.clone();
        *joined.proofs.last_mut().unwrap() = Certificate::Joined(proof);
        assert!(matches!(check(program, &joined, &files), Checked::Invalid(_)), "{what}: {why}");
    }
}

fn is_safe(verdict: &TargetVerdict) -> bool {
    matches!(verdict, TargetVerdict::Safe { .. })
}

fn run_lazy(program: &Program, before: Before<'_>, targets: &BTreeSet<LocId>, options: &Options) -> Outcome {
    run(&Lazy { options }, program, before, targets, options)
}

/// A chain of searches.
fn chain(tally: &mut Tally, what: &str, (program, reached): (&Program, &BTreeSet<LocId>), rng: &mut Rng) {
    let mut targets: BTreeSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
    let (mut earlier, mut files): (Vec<Earlier>, Files) = (Vec::new(), Vec::new());
    let mut left_parts = false;
    let length = rng.usize(2..5);
    for number in 0..length {
        let is_last = number + 1 == length;
        let mut options = options(rng);
        let looked = files.last().and_then(|(_, run)| run.precision.as_ref());
        let before = (&earlier[..], looked);
        if is_last {
            options.skip.clear();
        } else if options.skip.is_empty() || rng.bool() {
            let all = run_lazy(program, before, &targets, &options);
            options = ending_soon(rng, options, all.statistics.ticks);
        }
        let engine: &dyn Engine = match rng.u32(..6) {
            0 if is_last => &Bounded { options: &options },
            1 if is_last && options.domain != Domain::Values => &Summaries { options: &options },
            _ => &Lazy { options: &options },
        };
        let outcome = run(engine, program, before, &targets, &options);
        let what = format!("{what}, search {number} with {options:?}");
        judge(tally, &what, &outcome, reached);
        let (run, digest) = filed(program, &outcome);
        if !run.proofs.is_empty() {
            let after = !run.resting.is_empty();
            tally.proofs_after += u32::from(after);
            tally.after_parts += u32::from(after && left_parts);
            match check(program, &run, &files) {
                Checked::Valid => tally.valid_after += u32::from(after),
                Checked::Invalid(fault) => panic!("{what}: {fault:?}"),
                Checked::Unchecked(_) => {}
            }
        }
        let Condition::Rest(rest) = outcome.condition else { continue };
        tally.rests += 1;
        left_parts |= rest.open.iter().any(|open| matches!(open.reason, Reason::GivenUp(..)));
        let verdict = RunVerdict::Unknown(Reason::Time);
        let alone = Run { verdict, targets: vec![], proofs: vec![], resting: vec![], ..run.clone() };
        match check(program, &alone, &files) {
            Checked::Valid => tally.valid_rests += 1,
            Checked::Invalid(fault) => panic!("{what}: what it leaves is wrong: {fault:?}"),
            Checked::Unchecked(_) => {}
        }
        // Each operation in what it shows has a result, so that no proof after it rests on one.
        let listed =
            Run { proofs: vec![Certificate::Graph(rest.graph.clone())], undefined: vec![], ..alone.clone() };
        match check_account(program, &alone, &files, Some(Account::of(&listed))) {
            Checked::Valid => tally.accounts += 1,
            Checked::Invalid(fault) => panic!("{what}: what it leaves rests on an operation: {fault:?}"),
            Checked::Unchecked(_) => {}
        }
        if earlier.is_empty() {
            // A generator of its own, so that the searches above stay the same.
            let mut rng = Rng::with_seed(rng.get_seed());
            (0..4).for_each(|_| shared(tally, &what, (program, reached), (&run, digest), &mut rng));
        }
        if earlier.is_empty() && !reached.is_empty() {
            (0..12).for_each(|_| forge(tally, &what, (program, reached), (&alone, &rest), rng));
        }
        targets = rest.targets.iter().copied().collect();
        earlier.push(Earlier {
            link: Link { run: Some(digest), rest: 0 },
            rest: Arc::new(*rest),
            only: None,
        });
        files.push((digest, run));
        tally.longest = tally.longest.max(earlier.len());
    }
}

#[test]
fn what_searches_find_together_is_right() {
    let seeds = match std::env::var("BEELINE_FUZZ") {
        Ok(range) => {
            let (first, last) = range.split_once("..").expect("BEELINE_FUZZ is first..last");
            first.parse().expect("a number")..last.parse().expect("a number")
        }
        Err(_) => 0..60u64,
    };
    let mut tally = Tally::default();
    for seed in seeds {
        let text = support::generator::program(
            seed,
            With { recursion: seed % 6 == 5, defined: seed % 4 != 3, ..With::default() },
        );
        let program = parse(&text).expect("generated programs are right");
        let Some(truth) = support::explicit::truth(&program, 20_000) else { continue };
        for number in 0..4 {
            let mut rng = Rng::with_seed(seed * 4 + number);
            let what = format!("seed {seed}, {number}\n{text}");
            chain(&mut tally, &what, (&program, &truth.reached), &mut rng);
        }
    }
    eprintln!("{tally:?}");
    assert!(tally.right > 50 && tally.longest > 1);
    assert!(tally.valid_rests * 10 > tally.rests * 9, "what is left can be checked");
    assert!(tally.accounts * 10 > tally.rests * 9, "and that it rests on no operation");
    assert!(tally.valid_after > 5, "proofs rest on what is left");
    // Predicates for programs so small are found at once.
    assert!(tally.skipped.len() > 4, "parts are given up, for all else that there is");
    assert!(tally.after_parts > 1, "and proofs rest on what is left of those");
    assert!(tally.joined > 5 && tally.parts_alone > 2, "parts are shown, and joined");
    assert!(tally.found_out > 5, "forged rests are met and found out");
}

/// What a residual condition shows of one target, it does not show of another.
#[test]
fn a_residual_condition_is_about_its_own_targets() {
    let program = parse(
        "beeline 1.0
fn main() {
  var n: i32, x: i32, y: i32
  n := input \"n\"
  x, y := 0, 0
  if n == 0 goto near else head
  near: while x <u 3 goto iteration else ended
  iteration: x := x + 1 goto near
  ended: target \"near\"
  head: while x <u n goto body else after
  body: x, y := x + 1, y + 1 goto head
  after: if x != y goto bad else done
  bad: target \"far\"
  done: exit
}
",
    )
    .expect("it is a program");
    let [near, far] = [0, 1].map(|number| BTreeSet::from([program.targets[number].loc]));
    let values = Options { domain: Domain::Values, ticks: Some(100_000), ..Options::default() };
    let first = run_lazy(&program, (&[], None), &far, &values);
    let (run, digest) = filed(&program, &first);
    let Condition::Rest(rest) = first.condition else { panic!("values follow the loop turn by turn") };
    let earlier = Earlier { link: Link { run: Some(digest), rest: 0 }, rest: Arc::new(*rest), only: None };
    // The near target is reached, but not on a path to the far one.
    let last = run_lazy(&program, (&[earlier], None), &near, &Options::default());
    assert!(matches!(last.verdict.findings[0].found, Found::Excluded(_)));
    let (last, _) = filed(&program, &last);
    assert!(matches!(check(&program, &last, &vec![(digest, run)]), Checked::Invalid(_)));
}
