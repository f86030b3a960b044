//! Chains of residual conditions over several results: which one relies on which.

use crate::parts::Remaining;
use crate::proof::{RunProof, below};
use crate::rest::{RunAfter, RunRest};
use crate::result::{Certificate, Run};
use beeline_ir::file::Digest;
use std::collections::BTreeSet;

/// A result, and the digest of its file's body if it is in a file.
#[derive(Debug, Clone, Copy)]
pub struct Filed<'r> {
    /// The digest.
    pub digest: Option<Digest>,
    /// The result.
    pub run: &'r Run,
}

/// A residual condition of one of several results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RestId {
    /// The result that has it, by index.
    pub run: usize,
    /// The residual condition in that result, by index.
    pub rest: u32,
}

/// The reason why the base of a result is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// A result is not given.
    #[error("it builds on the result {0}, which is missing")]
    NotGiven(Digest),
    /// A result has no such residual condition.
    #[error("it builds on a residual condition that the earlier result does not have")]
    NoSuchRest,
    /// Results are about different executions.
    #[error("it builds on a result about other parts")]
    OtherPart,
    /// Results rely on each other.
    #[error("it builds on a result that builds on itself")]
    Circle,
}

/// The residual condition that a part of one of the results relies on.
pub fn found(results: &[Filed<'_>], run: usize, after: &RunAfter) -> Result<RestId, Broken> {
    let run = match after.run {
        None => run,
        Some(digest) => {
            results.iter().position(|filed| filed.digest == Some(digest)).ok_or(Broken::NotGiven(digest))?
        }
    };
    Ok(RestId { run, rest: after.rest })
}

/// A residual condition with all those that it relies on, as far as one of the results is about them: the
/// first one first, itself last.
pub fn chain<'r>(
    results: &[Filed<'r>],
    run: usize,
    last: RestId,
) -> Result<Vec<(RestId, Remaining<'r>)>, Broken> {
    of_chain(results, run, whole_chain(results, last)?)
}

fn whole_chain<'r>(results: &[Filed<'r>], last: RestId) -> Result<Vec<(RestId, &'r RunRest)>, Broken> {
    let mut chain: Vec<(RestId, &RunRest)> = Vec::new();
    let mut next = Some(last);
    while let Some(id) = next {
        if chain.iter().any(|(known, _)| *known == id) {
            return Err(Broken::Circle);
        }
        let run = results.get(id.run).ok_or(Broken::NoSuchRest)?.run;
        let rest = run.rests.get(id.rest as usize).ok_or(Broken::NoSuchRest)?;
        chain.push((id, rest));
        next = rest.after.as_ref().map(|after| found(results, id.run, after)).transpose()?;
    }
    chain.reverse();
    Ok(chain)
}

/// The results that a result relies on, by the digests of their bodies.
pub fn named(run: &Run) -> BTreeSet<Digest> {
    let rests = run.rests.iter().filter_map(|rest| rest.after.as_ref());
    let after = rests.chain(run.resting.iter().map(|resting| &resting.after)).filter_map(|after| after.run);
    let joined = run.proofs.iter().filter_map(|proof| match proof {
        Certificate::Joined(joined) => Some(joined),
        _ => None,
    });
    let joined = joined.flat_map(|joined| joined.parts.iter().chain([&joined.run])).copied();
    after.chain(run.parts.iter().map(|part| part.run)).chain(joined).collect()
}

/// The final residual condition of some results, the last result first: the last residual condition of the
/// last result that has any, after all those that it relies on, as far as the last result is about them.
pub fn left<'r>(results: &[Filed<'r>]) -> Result<Vec<(RestId, Remaining<'r>)>, Broken> {
    let last = results.iter().enumerate().find_map(|(run, filed)| {
        let rest = (filed.run.rests.len() as u32).checked_sub(1)?;
        Some(RestId { run, rest })
    });
    last.map_or(Ok(Vec::new()), |last| chain(results, 0, last))
}

/// Reports a fault of the residual conditions of a result.
pub(crate) fn well_formed(run: &Run) -> Result<(), String> {
    for (index, rest) in run.rests.iter().enumerate() {
        if !rest.open.is_sorted_by(|a, b| a.state < b.state) {
            return Err("the open states are not sorted".into());
        }
        let open: Vec<u32> = rest.open.iter().map(|open| open.state).collect();
        below("state", &open, rest.graph.states.len())?;
        rest.after.iter().try_for_each(|after| after_is_well_formed(after, &rest.graph, index))?;
    }
    if !run.resting.is_sorted_by(|a, b| a.proof < b.proof) {
        return Err("the proofs with earlier results are not sorted".into());
    }
    run.resting.iter().try_for_each(|resting| match run.proofs.get(resting.proof as usize) {
        Some(Certificate::Graph(graph)) => after_is_well_formed(&resting.after, graph, run.rests.len()),
        _ => Err(format!("proof {} builds on an earlier result, but is not a graph", resting.proof)),
    })
}

/// Reports a fault of the base of a graph, before which the file has this number of residual conditions.
fn after_is_well_formed(after: &RunAfter, graph: &RunProof, before: usize) -> Result<(), String> {
    if after.run.is_none() {
        below("earlier rest", &[after.rest], before)?;
    }
    if after.of_states.len() != graph.states.len() {
        return Err("a state of a graph with earlier results has no labels".into());
    }
    below("combination of labels", &after.of_states, after.labels.len())
}

/// The part of a residual condition that one of the results is about.
pub fn only<'r>(results: &[Filed<'r>], run: usize, rest: RestId) -> Option<&'r [u32]> {
    let digest = results[rest.run].digest?;
    let mut parts = results[run].run.parts.iter();
    parts.find(|part| part.run == digest && part.rest == rest.rest).map(|part| &part.only[..])
}

/// The parts of a chain of residual conditions that one of the results is about, if the results with the
/// later ones are about the same parts.
fn of_chain<'r>(
    results: &[Filed<'r>],
    run: usize,
    chain: Vec<(RestId, &'r RunRest)>,
) -> Result<Vec<(RestId, Remaining<'r>)>, Broken> {
    for (number, &(id, _)) in chain.iter().enumerate() {
        let part = only(results, run, id);
        if chain[number + 1..].iter().any(|&(later, _)| only(results, later.run, id) != part) {
            return Err(Broken::OtherPart);
        }
    }
    let remaining = |(id, rest)| (id, Remaining { rest, only: only(results, run, id) });
    Ok(chain.into_iter().map(remaining).collect())
}
