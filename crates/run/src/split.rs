//! Splitting a residual condition into shares for several runs, and joining their results.

use crate::parts::{RunJoined, RunPart};
use crate::rest::Filed;
use crate::share;
use crate::{Certificate, Reason, Run, RunRest, RunTarget, RunVerdict, TargetVerdict};
use beeline_ir::Program;
use beeline_ir::file::Digest;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

/// The reason why nothing can be split or joined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// All targets have answers, or the run showed nothing.
    #[error("has no residual condition to split")]
    NothingLeft,
    /// A result is not about a part of the other one.
    #[error("is not a result about a part")]
    NotAPart,
    /// No result is about these open states.
    #[error("has open states of parts without a result: {}", listed(.0))]
    LeftOut(Vec<u32>),
}

fn listed(states: &[u32]) -> String {
    states.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// The residual condition of a result: where it is, and what it says.
fn left(of: Filed<'_>) -> Result<(Digest, u32, &RunRest), SplitError> {
    let is_open =
        |target: &RunTarget| matches!(target.verdict, TargetVerdict::Unknown { .. } | TargetVerdict::Open);
    let last = of.run.rests.last().filter(|_| of.run.targets.iter().any(is_open));
    match (of.digest, last) {
        (Some(digest), Some(rest)) if !rest.open.is_empty() => {
            Ok((digest, of.run.rests.len() as u32 - 1, rest))
        }
        _ => Err(SplitError::NothingLeft),
    }
}

/// The initial result of a part: what the whole result already says.
fn begun(of: Filed<'_>, digest: Digest) -> Run {
    let mut resting = of.run.resting.clone();
    for resting in &mut resting {
        resting.after.run.get_or_insert(digest);
    }
    Run { statistics: Vec::new(), rests: Vec::new(), resting, ..of.run.clone() }
}

/// Splits the residual condition of a result into the given number of parts, if there are that many open
/// states. Each part is a result that names its part. The weight of a state is the number of locations that
/// are reachable from it.
pub fn split(program: &Program, of: Filed<'_>, number: NonZeroUsize) -> Result<Vec<Run>, SplitError> {
    let (digest, index, rest) = left(of)?;
    let mut open: Vec<(usize, u32)> = rest
        .open
        .iter()
        .map(|open| (share::locations_ahead(program, rest, open.state), open.state))
        .collect();
    open.sort_by_key(|&(weight, state)| (std::cmp::Reverse(weight), state));
    let mut shares: Vec<(usize, Vec<u32>)> = vec![(0, Vec::new()); number.get().min(open.len())];
    // The heaviest state first, each to the part with the least weight.
    for (weight, state) in open {
        if let Some(least) = shares.iter_mut().min_by_key(|(weight, _)| *weight) {
            least.0 += weight;
            least.1.push(state);
        }
    }
    let part = |(_, mut only): (usize, Vec<u32>)| {
        only.sort_unstable();
        let mut run = begun(of, digest);
        run.parts.push(RunPart { run: digest, rest: index, only });
        run
    };
    Ok(shares.into_iter().map(part).collect())
}

/// Joins the results of runs, each about a part of a residual condition. An error comes with the index of the
/// run, unless it is about all of them. The checker decides whether the proofs are right.
pub fn join(of: Filed<'_>, parts: &[Filed<'_>]) -> Result<Run, (Option<usize>, SplitError)> {
    let (digest, index, rest) = left(of).map_err(|error| (None, error))?;
    let mut covered: BTreeSet<u32> = BTreeSet::new();
    let mut digests = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        match (part.digest, &part.run.parts[..]) {
            (Some(own), [outer @ .., last])
                if outer == &of.run.parts[..] && (last.run, last.rest) == (digest, index) =>
            {
                covered.extend(&last.only);
                digests.push(own);
            }
            _ => return Err((Some(number), SplitError::NotAPart)),
        }
    }
    let missing = rest.open.iter().map(|open| open.state).filter(|state| !covered.contains(state));
    let missing: Vec<u32> = missing.collect();
    if !missing.is_empty() {
        return Err((None, SplitError::LeftOut(missing)));
    }
    let joined = RunJoined { run: digest, rest: index, parts: digests };
    Ok(composed(begun(of, digest), parts, joined))
}

/// The earlier result with the answers of the parts.
fn composed(mut run: Run, parts: &[Filed<'_>], joined: RunJoined) -> Run {
    let proof = run.proofs.len() as u32;
    for number in 0..run.targets.len() {
        if matches!(run.targets[number].verdict, TargetVerdict::Unknown { .. } | TargetVerdict::Open) {
            let loc = run.targets[number].loc;
            let said = parts.iter().filter_map(|part| part.run.targets.iter().find(|known| known.loc == loc));
            let said: Vec<&TargetVerdict> = said.map(|target| &target.verdict).collect();
            run.targets[number].verdict = together(&mut run, &said, parts, proof);
        }
    }
    if run.targets.iter().any(|target| target.verdict == TargetVerdict::Safe { proof }) {
        run.proofs.push(Certificate::Joined(joined));
    }
    run.undefined.extend(parts.iter().flat_map(|part| &part.run.undefined));
    run.undefined.sort_unstable();
    run.undefined.dedup();
    run.verdict = whole(&run.targets);
    let within = run.parts.clone();
    run.restrict(&within);
    run
}

/// The joint verdict of all parts on one target; a joined proof has this index.
fn together(run: &mut Run, said: &[&TargetVerdict], parts: &[Filed<'_>], proof: u32) -> TargetVerdict {
    let path = said.iter().zip(parts).find_map(|(verdict, part)| match verdict {
        TargetVerdict::Unsafe { path } => Some(part.run.paths[*path as usize].clone()),
        _ => None,
    });
    if let Some(path) = path {
        run.paths.push(path);
        return TargetVerdict::Unsafe { path: run.paths.len() as u32 - 1 };
    }
    if said.len() == parts.len() && said.iter().all(|verdict| matches!(verdict, TargetVerdict::Safe { .. })) {
        return TargetVerdict::Safe { proof };
    }
    let reason = said.iter().find_map(|verdict| match verdict {
        TargetVerdict::Unknown { reason, .. } => Some(reason.clone()),
        _ => None,
    });
    reason.map_or(TargetVerdict::Open, |reason| TargetVerdict::Unknown { reason, path: None })
}

/// The verdict on the program.
fn whole(targets: &[RunTarget]) -> RunVerdict {
    if targets.iter().any(|target| matches!(target.verdict, TargetVerdict::Unsafe { .. })) {
        return RunVerdict::Unsafe;
    }
    let open = targets.iter().find_map(|target| match &target.verdict {
        TargetVerdict::Unknown { reason, .. } => Some(reason.clone()),
        TargetVerdict::Open => Some(Reason::Part),
        _ => None,
    });
    open.map_or(RunVerdict::Safe, RunVerdict::Unknown)
}
