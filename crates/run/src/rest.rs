//! Rests: what a search showed that has no answer, and what is open still.
//!
//! A [`RunRest`] is a graph of abstract states like that of a proof, but some of its states are *open*: nothing is claimed
//! of what happens behind them. It claims that every execution which gets to one of its targets is in an open state
//! before. So another search need not look at executions that are not on their way to an open state.
//!
//! Which executions these are is told step by step: a [`RunLabel`] names the states one of which an execution was in last,
//! of those that lead to open ones. Where none is left, the execution reaches no target of the rest; where one is open, all
//! may happen. What is found by a search that leaves such executions out holds [`RunAfter`] the rest. `ir-spec/conditions.md`
//! says how labels change, and why this is right.

use crate::parts::{self, Remaining};
use crate::proof::{RunProof, below};
use crate::reason::Reason;
use crate::{Certificate, Run};
use beeline_ir::file::Digest;
use beeline_ir::{EdgeId, LocId};
use std::collections::BTreeSet;

/// What a rest says of an execution that got to a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunLabel {
    /// It may have been in an open state.
    Open,
    /// It was in one of these states last, in order; with none it gets to no target.
    Within(Vec<u32>),
}
beeline_ir::wire_enum!(RunLabel { 0 => Open, 1 => Within(states) });

/// What a graph rests on: rests of earlier searches, each of which may be after another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunAfter {
    /// The file that has the last of these rests, by the digest of its body; this one if there is none.
    pub run: Option<Digest>,
    /// That rest, by index.
    pub rest: u32,
    /// What the rests say of executions, the first rest first: each combination once.
    pub labels: Vec<Vec<RunLabel>>,
    /// For each state of the graph the combination that it is about, by index.
    pub of_states: Vec<u32>,
}
beeline_ir::wire_struct!(RunAfter { run, rest, labels, of_states });

/// A state of which nothing more is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOpen {
    /// The state, by index.
    pub state: u32,
    /// Why.
    pub reason: Reason,
}
beeline_ir::wire_struct!(RunOpen { state, reason });

/// What a search without an answer leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRest {
    /// The targets that it is about.
    pub targets: Vec<LocId>,
    /// The states.
    pub graph: RunProof,
    /// Those that are open, in the order of states.
    pub open: Vec<RunOpen>,
    /// The edges that may have no result in a state: of what a machine does then, nothing is shown.
    pub undefined: Vec<EdgeId>,
    /// What it rests on.
    pub after: Option<RunAfter>,
}
beeline_ir::wire_struct!(RunRest { targets, graph, open, undefined, after });

/// A proof that rests on what earlier searches showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunResting {
    /// The proof, by index.
    pub proof: u32,
    /// What it rests on.
    pub after: RunAfter,
}
beeline_ir::wire_struct!(RunResting { proof, after });

impl RunRest {
    /// Is the state open?
    pub fn is_open(&self, state: usize) -> bool {
        self.open.binary_search_by_key(&state, |open| open.state as usize).is_ok()
    }
}

/// A result, and the digest of its file's body if it is in a file.
#[derive(Debug, Clone, Copy)]
pub struct Filed<'r> {
    /// The digest.
    pub digest: Option<Digest>,
    /// The result.
    pub run: &'r Run,
}

/// A rest of some results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RestId {
    /// Which of the results has it.
    pub run: usize,
    /// Which one of that it is.
    pub rest: u32,
}

/// Why what something rests on is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// A result is not at hand.
    #[error("it rests on the result {0}, which is not given")]
    NotGiven(Digest),
    /// A result left less than is said.
    #[error("it rests on what another search left, but that left no such thing")]
    NoSuchRest,
    /// Results say what they say of different executions.
    #[error("what it rests on is about other parts of what was left")]
    OtherPart,
    /// Results rest on each other.
    #[error("what it rests on rests on itself")]
    Circle,
}

/// The rest of some results that something in one of them is after.
pub fn found(results: &[Filed<'_>], run: usize, after: &RunAfter) -> Result<RestId, Broken> {
    let run = match after.run {
        None => run,
        Some(digest) => {
            results.iter().position(|filed| filed.digest == Some(digest)).ok_or(Broken::NotGiven(digest))?
        }
    };
    Ok(RestId { run, rest: after.rest })
}

/// A rest of some results with all that it is after, as far as one of the results is about them: the first one first,
/// itself at the end.
pub fn chain<'r>(
    results: &[Filed<'r>],
    run: usize,
    last: RestId,
) -> Result<Vec<(RestId, Remaining<'r>)>, Broken> {
    parts::of_chain(results, run, whole_chain(results, last)?)
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

/// The results that one names, by the digests of their bodies: what it says rests on them.
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

/// What some results, the last one first, left in the end: the last rest of the last one that has any, with all that it
/// is after, which come first; as far as the last result is about them.
pub fn left<'r>(results: &[Filed<'r>]) -> Result<Vec<(RestId, Remaining<'r>)>, Broken> {
    let last = results.iter().enumerate().find_map(|(run, filed)| {
        let rest = (filed.run.rests.len() as u32).checked_sub(1)?;
        Some(RestId { run, rest })
    });
    last.map_or(Ok(Vec::new()), |last| chain(results, 0, last))
}

/// Says what is wrong with what a result says of rests.
pub(crate) fn well_formed(run: &Run) -> Result<(), String> {
    for (index, rest) in run.rests.iter().enumerate() {
        if !rest.open.is_sorted_by(|a, b| a.state < b.state) {
            return Err("the open states are not in order".into());
        }
        let open: Vec<u32> = rest.open.iter().map(|open| open.state).collect();
        below("state", &open, rest.graph.states.len())?;
        rest.after.iter().try_for_each(|after| after_is_well_formed(after, &rest.graph, index))?;
    }
    if !run.resting.is_sorted_by(|a, b| a.proof < b.proof) {
        return Err("the proofs that rest on something are not in order".into());
    }
    run.resting.iter().try_for_each(|resting| match run.proofs.get(resting.proof as usize) {
        Some(Certificate::Graph(graph)) => after_is_well_formed(&resting.after, graph, run.rests.len()),
        _ => Err(format!("proof {} rests on something, but is no graph", resting.proof)),
    })
}

/// Says what is wrong with what a graph rests on, where so many rests of the same file are before it.
fn after_is_well_formed(after: &RunAfter, graph: &RunProof, before: usize) -> Result<(), String> {
    if after.run.is_none() {
        below("earlier rest", &[after.rest], before)?;
    }
    if after.of_states.len() != graph.states.len() {
        return Err("not each state of a graph that rests on something has its labels".into());
    }
    below("combination of labels", &after.of_states, after.labels.len())
}
