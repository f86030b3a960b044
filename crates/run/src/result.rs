//! The content of a result: verdicts, paths, proofs, and what the next search may use.

use crate::callees::RunCallees;
use crate::parts::{RunJoined, RunPart};
use crate::precision::RunPrecision;
use crate::proof::RunProof;
use crate::reason::Reason;
use crate::rest::{RunRest, RunResting};
use crate::statistics::{Figure, Statistic};
use crate::summaries::RunSummaries;
use crate::unrolling::RunUnrolling;
use beeline_ir::file::{Decoder, Digest, Encoder, Wire, WireError};
use beeline_ir::{EdgeId, FuncId, InputId, LocId, RegionId, Value, VarId};
use std::collections::BTreeSet;

/// The verdict on the whole program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunVerdict {
    /// No execution reaches a target.
    Safe,
    /// An execution does.
    Unsafe,
    /// There is no answer, for a reason.
    Unknown(Reason),
}
beeline_ir::wire_enum!(RunVerdict { 0 => Safe, 1 => Unsafe, 2 => Unknown(reason) });

/// The verdict on a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetVerdict {
    /// No execution reaches it.
    Safe {
        /// The proof, by index.
        proof: u32,
    },
    /// An execution does.
    Unsafe {
        /// The path, by index.
        path: u32,
    },
    /// There is no answer.
    Unknown {
        /// The reason.
        reason: Reason,
        /// The path that depends on a guess, which a native run may confirm; by index.
        path: Option<u32>,
    },
    /// The run ended with another target.
    Open,
    /// The run was not asked for it.
    NotAsked,
}
beeline_ir::wire_enum!(TargetVerdict {
    0 => Safe { proof },
    1 => Unsafe { path },
    2 => Unknown { reason, path },
    3 => Open,
    4 => NotAsked,
});

/// The target at a location, with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunTarget {
    /// The location.
    pub loc: LocId,
    /// The verdict.
    pub verdict: TargetVerdict,
}
beeline_ir::wire_struct!(RunTarget { loc, verdict });

/// A step of a counterexample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunStep {
    /// Along an edge.
    Edge(EdgeId),
    /// Into a function called by an edge.
    Call(EdgeId, FuncId),
    /// Back to where a call's edge leads.
    Return(EdgeId),
}
beeline_ir::wire_enum!(RunStep { 0 => Edge(edge), 1 => Call(edge, callee), 2 => Return(edge) });

impl RunStep {
    /// Its edge.
    pub fn edge(&self) -> EdgeId {
        let (RunStep::Edge(edge) | RunStep::Call(edge, _) | RunStep::Return(edge)) = *self;
        edge
    }
}

/// A value that comes from outside the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// A variable got an arbitrary value along an edge.
    Input {
        /// The edge.
        edge: EdgeId,
        /// The variable.
        var: VarId,
        /// The source of the value.
        input: Option<InputId>,
        /// The value.
        value: Value,
    },
    /// An unwritten variable was read.
    Unwritten {
        /// The variable.
        var: VarId,
        /// The value.
        value: Value,
    },
    /// An unwritten cell was read.
    Cell {
        /// The region.
        region: RegionId,
        /// Its address.
        addr: u64,
        /// The value.
        value: Value,
    },
}
beeline_ir::wire_enum!(Choice {
    0 => Input { edge, var, input, value },
    1 => Unwritten { var, value },
    2 => Cell { region, addr, value },
});

/// An execution that reaches a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunPath {
    /// The target.
    pub target: LocId,
    /// The steps.
    pub steps: Vec<RunStep>,
    /// The values from outside, in the order in which they are first read.
    pub choices: Vec<Choice>,
    /// The program's assumptions along the path, by index. The path may exist only because of them.
    pub assumptions: Vec<u32>,
}
beeline_ir::wire_struct!(RunPath { target, steps, choices, assumptions });

/// A proof that targets are not reached, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// Abstract states that are closed under the program's steps.
    Graph(RunProof),
    /// The unrolling of all executions.
    Unrolling(RunUnrolling),
    /// Functions on their own, in contexts.
    Summaries(RunSummaries),
    /// The answers of other results, each for a part.
    Joined(RunJoined),
}

impl Wire for Certificate {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Certificate::Graph(proof) if proof.ensures.is_empty() => {
                out.uint(0);
                proof.encode(out);
            }
            Certificate::Graph(proof) => {
                out.uint(5);
                proof.ensures.encode(out);
                proof.encode(out);
            }
            Certificate::Unrolling(proof) if proof.inductions.is_empty() => {
                out.uint(1);
                proof.encode(out);
            }
            Certificate::Unrolling(proof) if proof.invariants.list.is_empty() => {
                out.uint(4);
                proof.inductions.encode(out);
                proof.encode(out);
            }
            Certificate::Unrolling(proof) => {
                out.uint(6);
                proof.invariants.encode(out);
                proof.inductions.encode(out);
                proof.encode(out);
            }
            Certificate::Summaries(proof) => {
                out.uint(2);
                proof.encode(out);
            }
            Certificate::Joined(proof) => {
                out.uint(3);
                proof.encode(out);
            }
        }
    }

    fn decode(input: &mut Decoder<'_>) -> Result<Certificate, WireError> {
        match input.uint()? {
            0 => Ok(Certificate::Graph(Wire::decode(input)?)),
            1 => Ok(Certificate::Unrolling(Wire::decode(input)?)),
            2 => Ok(Certificate::Summaries(Wire::decode(input)?)),
            3 => Ok(Certificate::Joined(Wire::decode(input)?)),
            4 => {
                let inductions = Wire::decode(input)?;
                Ok(Certificate::Unrolling(RunUnrolling { inductions, ..Wire::decode(input)? }))
            }
            6 => {
                let (invariants, inductions) = (Wire::decode(input)?, Wire::decode(input)?);
                let proof = RunUnrolling { invariants, inductions, ..Wire::decode(input)? };
                proof.well_formed().map_err(WireError::new)?;
                Ok(Certificate::Unrolling(proof))
            }
            5 => {
                let ensures = Wire::decode(input)?;
                let proof = RunProof { ensures, ..RunProof::decode_parts(input)? };
                proof.well_formed().map_err(WireError::new)?;
                Ok(Certificate::Graph(proof))
            }
            kind => Err(WireError::new(format!(
                "it has a proof of kind {kind}; this version of Beeline knows kind 0 (graph), 1 (unwinding), 2 (summaries), 3 (parts), 4 (induction), 5 (postconditions) and 6 (invariants)"
            ))),
        }
    }
}

/// A violation of a rule of C, such as that accesses stay inside of objects. What the execution does from
/// there on is undefined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunBroken {
    /// The place.
    pub place: String,
    /// The rule, or the access.
    pub cause: String,
}
beeline_ir::wire_struct!(RunBroken { place, cause });

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The verdict on the program.
    pub verdict: RunVerdict,
    /// The targets with their verdicts, in the order of locations.
    pub targets: Vec<RunTarget>,
    /// The paths to targets that verdicts name.
    pub paths: Vec<RunPath>,
    /// The proofs that verdicts name. No verdict names the proof of a program without targets.
    pub proofs: Vec<Certificate>,
    /// The statistics of the run.
    pub statistics: Vec<Figure>,
    /// The edges that may have no result in a state of a proof, such as an access that is not known to be
    /// inside of an object. An execution ends there; nothing is proved of what a machine does then.
    pub undefined: Vec<EdgeId>,
    /// The residual conditions of searches without an answer. Each may rely on those before it.
    pub rests: Vec<RunRest>,
    /// The proofs that rely on residual conditions of earlier searches, in their order.
    pub resting: Vec<RunResting>,
    /// The parts of earlier residual conditions that the result is about; without any, it is about all
    /// executions.
    pub parts: Vec<RunPart>,
    /// The precision of the last search, if something is open.
    pub precision: Option<RunPrecision>,
    /// The callees that were seen at calls with several candidates, in the order of edges.
    pub callees: Vec<RunCallees>,
    /// Violations of rules of C. The verdicts are about executions without such a violation.
    pub broken: Vec<RunBroken>,
}

impl Run {
    /// The path that the verdict is about, if there is one: to the first error, or to a possible error.
    pub fn path(&self) -> Option<&RunPath> {
        let is_error = |target: &RunTarget| match target.verdict {
            TargetVerdict::Unsafe { path } => Some(path),
            _ => None,
        };
        let first = self.targets.iter().filter_map(is_error).min();
        self.paths.get(first.unwrap_or(0) as usize)
    }

    /// Whether the run was asked for all targets of the program.
    pub fn is_of_all_targets(&self) -> bool {
        self.targets.iter().all(|target| target.verdict != TargetVerdict::NotAsked)
    }

    /// The targets that a proof is about: no execution reaches one of them.
    pub fn proved(&self, proof: usize) -> BTreeSet<LocId> {
        let is_proved = |target: &&RunTarget| target.verdict == TargetVerdict::Safe { proof: proof as u32 };
        self.targets.iter().filter(is_proved).map(|target| target.loc).collect()
    }

    /// Those of some targets that have no answer.
    pub fn open_among(&self, targets: &BTreeSet<LocId>) -> BTreeSet<LocId> {
        let is_decided = |target: &RunTarget| {
            matches!(target.verdict, TargetVerdict::Safe { .. } | TargetVerdict::Unsafe { .. })
        };
        let decided: BTreeSet<LocId> =
            self.targets.iter().filter(|target| is_decided(target)).map(|target| target.loc).collect();
        targets.difference(&decided).copied().collect()
    }

    /// The proof that the verdict is about, if there is one.
    pub fn proof(&self) -> Option<&Certificate> {
        self.proofs.first()
    }

    /// The proof that the verdict is about, if it is a graph.
    pub fn graph(&self) -> Option<&RunProof> {
        match self.proof()? {
            Certificate::Graph(graph) => Some(graph),
            Certificate::Unrolling(_) | Certificate::Summaries(_) | Certificate::Joined(_) => None,
        }
    }

    /// Whether the first proof is about all executions. It is not if there are several proofs, each about
    /// some targets, or if it relies on earlier searches.
    pub fn is_whole(&self) -> bool {
        self.is_single() && self.resting.is_empty()
    }

    /// Whether there is one proof, and every target has an answer.
    fn is_single(&self) -> bool {
        let is_decided = |target: &RunTarget| {
            matches!(target.verdict, TargetVerdict::Safe { .. } | TargetVerdict::Unsafe { .. })
        };
        self.proofs.len() == 1 && self.parts.is_empty() && self.targets.iter().all(is_decided)
    }

    /// The graph that is about all executions, if there is one: what it says always holds.
    pub fn whole_graph(&self) -> Option<&RunProof> {
        self.graph().filter(|_| self.is_whole())
    }

    /// The graphs that are about all executions together, if there are any: at a place where all of them have states,
    /// one of these states always holds. The proof comes first, then the residual conditions of this result that it
    /// relies on; there are none if it relies on other results.
    pub fn whole_graphs(&self) -> Option<Vec<&RunProof>> {
        let mut graphs = vec![self.graph().filter(|_| self.is_single())?];
        let mut after = self.resting.first().map(|resting| &resting.after);
        while let Some(earlier) = after {
            let rest = self.rests.get(earlier.rest as usize).filter(|_| earlier.run.is_none())?;
            graphs.push(&rest.graph);
            after = rest.after.as_ref();
        }
        Some(graphs)
    }

    /// Takes over the verdicts of an earlier result, which is in a file, on targets that this run was not
    /// asked for.
    pub fn take_over(&mut self, earlier: &Run, digest: Digest) {
        for target in &mut self.targets {
            let known = earlier.targets.iter().find(|known| known.loc == target.loc);
            let Some(known) = known.filter(|_| target.verdict == TargetVerdict::NotAsked) else { continue };
            target.verdict = match &known.verdict {
                TargetVerdict::Safe { proof } => {
                    let index = self.proofs.len() as u32;
                    let mut resting =
                        earlier.resting.iter().filter(|resting| resting.proof == *proof).cloned();
                    self.proofs.push(earlier.proofs[*proof as usize].clone());
                    self.resting.extend(resting.next().map(|mut resting| {
                        resting.proof = index;
                        resting.after.run.get_or_insert(digest);
                        resting
                    }));
                    TargetVerdict::Safe { proof: index }
                }
                TargetVerdict::Unsafe { path } => {
                    self.paths.push(earlier.paths[*path as usize].clone());
                    TargetVerdict::Unsafe { path: self.paths.len() as u32 - 1 }
                }
                TargetVerdict::Unknown { .. } | TargetVerdict::Open | TargetVerdict::NotAsked => continue,
            };
        }
        self.undefined.extend(&earlier.undefined);
        self.undefined.sort_unstable();
        self.undefined.dedup();
        for at in &earlier.broken {
            if !self.broken.contains(at) {
                self.broken.push(at.clone());
            }
        }
        let asked = || self.targets.iter().filter(|target| target.verdict != TargetVerdict::NotAsked);
        if asked().any(|target| matches!(target.verdict, TargetVerdict::Unsafe { .. })) {
            self.verdict = RunVerdict::Unsafe;
        } else if asked().count() > 0
            && asked().all(|target| matches!(target.verdict, TargetVerdict::Safe { .. }))
        {
            self.verdict = RunVerdict::Safe;
        }
    }

    /// Restricts the result to parts of the executions.
    pub fn restrict(&mut self, parts: &[RunPart]) {
        self.parts = parts.to_vec();
        if !parts.is_empty() && self.verdict == RunVerdict::Safe {
            self.verdict = RunVerdict::Unknown(Reason::Part);
        }
    }

    /// A figure of the run.
    pub fn figure(&self, statistic: Statistic) -> Option<u64> {
        self.statistics.iter().find(|figure| figure.name == statistic.name()).map(|figure| figure.value)
    }
}
