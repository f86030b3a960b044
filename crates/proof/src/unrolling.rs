//! The check of a proof by unrolling: all executions end before the unrolling does.
//!
//! The program is unrolled from its start to its targets and to the places that no execution reaches
//! according to the proof. An unrolled program has no cycle: each iteration of a loop has places of its own.
//! So all executions together are one formula, and no valuation of it may reach one of these places.

use crate::block::{Block, Ends, NoBlock};
use crate::execute::{Account, Broken, Depth, Executor, Tracked};
use crate::judge::Judge;
use crate::options::{Options, report};
use crate::outcome::{Fault, Outcome, Report};
use crate::place::{Place, Stacks};
use crate::reach::Reach;
use crate::state::State;
use beeline_ir::{LocId, Program};
use beeline_run::RunUnrolling;
use beeline_smt::solver::decide_once;
use beeline_smt::{Answer, Formula};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The greatest number of places of an unrolling.
const MOST_PLACES: usize = 2_000_000;

/// Checks a proof by unrolling.
pub(crate) fn check(
    program: &Program,
    proof: &RunUnrolling,
    targets: &BTreeSet<LocId>,
    options: &Options,
) -> Report {
    report(options, |judge| {
        let mut places = 0;
        let outcome = unroll(program, proof, targets, (judge, options.account.as_ref()), &mut places)
            .unwrap_or_else(|outcome| outcome);
        (outcome, places)
    })
}

/// Something that no execution may do, such as reach a place.
struct Claim {
    place: Place,
    /// The fault if one does.
    what: &'static str,
    /// The condition under which one does.
    guard: Formula,
}

fn unroll(
    program: &Program,
    proof: &RunUnrolling,
    targets: &BTreeSet<LocId>,
    (judge, account): (&Judge, Option<&Account>),
    places: &mut usize,
) -> Result<Outcome, Outcome> {
    let invalid = |reason| Outcome::Invalid(Box::new(Fault::of_form(reason)));
    proof.well_formed().map_err(invalid)?;
    let (mut stacks, ends) = Stacks::of_unrolling(program, proof).map_err(invalid)?;
    let reach = Reach::new(program, targets);
    let targets: FxHashSet<LocId> = targets.iter().copied().collect();
    let start = stacks.start(program);
    if !reach.target(program, &stacks, start) {
        return Ok(Outcome::Valid);
    }
    let cuts = FxHashSet::default();
    let limits_of_block =
        Ends { cuts: Some(&cuts), targets: &targets, reach: &reach, most_places: MOST_PLACES };
    let block =
        Block::build(program, &mut stacks, &limits_of_block, start, &ends).map_err(|error| match error {
            NoBlock::TooLarge => Outcome::Unchecked("the unwinding is too large".into()),
            NoBlock::Endless(loc) => invalid(format!("the unwinding returns to {}", program.label(loc))),
        })?;
    *places = block.nodes.len();
    let tracked = Tracked::default();
    let mut executor = Executor::new(program, &stacks, &tracked, true, Depth::Formulas, &judge.limits)
        .without_maps()
        .accounting(account);
    let mut claims = Vec::new();
    let executed = executor.block(&block, State::default(), |_, node, state| {
        let guard = state.guard.formula().map_or(Formula::constant(true), |guard| judge.fold(&guard));
        if !guard.is_constant(false) {
            let place = block.nodes[node];
            let what = match targets.contains(&place.loc) {
                true => "an execution reaches a target",
                false => "an execution goes on beyond the unwinding",
            };
            claims.push(Claim { place, what, guard });
        }
        true
    });
    executed.map_err(|error| Outcome::Unchecked(error.to_string()))?;
    let unlisted =
        executor.unlisted.iter().filter_map(|unlisted| Some((unlisted.what, unlisted.guard.formula()?)));
    claims.extend(unlisted.map(|(what, guard)| Claim { place: start, what, guard: judge.fold(&guard) }));
    let broken = std::mem::take(&mut executor.broken).into_iter();
    claims.extend(broken.map(|Broken { place, guard }| {
        let guard = guard.formula().map_or(Formula::constant(true), |guard| judge.fold(&guard));
        Claim { place, what: "an execution breaks an invariant of a loop", guard }
    }));
    claims.retain(|claim| !claim.guard.is_constant(false));
    let guards = claims.iter().map(|claim| &claim.guard);
    let read: Vec<Formula> = guards.chain(&executor.facts).chain(&executor.refuted()).cloned().collect();
    let instances = executor.instances(&read).map_err(|error| Outcome::Unchecked(error.0.clone()))?;
    let facts = [&executor.facts[..], &instances[..]].concat();
    // Instances ask questions, too.
    let believed = executor.refuted();
    let obligation = Obligation { facts: &facts, believed };
    Ok(settle(program, &obligation, &claims, judge))
}

/// What is to be refuted besides the claims.
struct Obligation<'o> {
    /// Facts about initial contents.
    facts: &'o [Formula],
    /// What Z3 called impossible during the execution. The claims rest on it.
    believed: Vec<Formula>,
}

/// Asks the solver whether an execution reaches one of the places: about all of them at once, and about
/// halves if that is too hard.
fn settle(program: &Program, obligation: &Obligation<'_>, claims: &[Claim], judge: &Judge) -> Outcome {
    if claims.is_empty() && obligation.believed.is_empty() {
        return Outcome::Valid;
    }
    if judge.limits.is_over() {
        return Outcome::Unchecked("the time limit was reached".into());
    }
    let with = |formulas: &[Formula]| {
        let guards = claims.iter().map(|claim| claim.guard.clone()).chain(formulas.iter().cloned());
        [obligation.facts, &[Formula::any(guards)]].concat()
    };
    let answer = judge.decide(&with(&obligation.believed), || match claims.is_empty() {
        true => Answer::Unsat,
        false => decide_once(&with(&[]), &judge.limits),
    });
    match answer {
        Answer::Unsat => Outcome::Valid,
        Answer::Sat(model) => {
            let met =
                claims.iter().find(|claim| model.truth(&claim.guard) == Some(true)).unwrap_or(&claims[0]);
            Outcome::Invalid(Box::new(Fault::at(program, met.place, met.what.into())))
        }
        Answer::Unknown(_) if claims.len() > 1 => {
            let (first, second) = claims.split_at(claims.len() / 2);
            match settle(program, obligation, first, judge) {
                Outcome::Valid => settle(program, obligation, second, judge),
                other => other,
            }
        }
        Answer::Unknown(reason) => {
            let place = claims.first().map_or_else(String::new, |claim| {
                Fault::at(program, claim.place, String::new()).place.unwrap_or_default()
            });
            Outcome::Unchecked(format!(
                "the solver did not decide whether an execution reaches {place}: {reason}"
            ))
        }
    }
}
