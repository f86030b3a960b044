//! The result of a verification: the body of a `.run` file.
//!
//! `beeline-verify` writes it; `beeline-replay` executes its counterexample natively,
//! `beeline-check-proof` checks its proof, `beeline-witness` translates both. A result belongs to one
//! program: a `.run` file has the digest of its `.cfa` file, and all ids are those of that program.
//!
//! A [`Run`] has a verdict for the program and one for each of its targets. These name a [`RunPath`] where they
//! are *unsafe*, perhaps where they are *unknown*, and a [`Certificate`] where they are *safe*.
//!
//! # Where to find what
//! - `result`: verdicts, paths and proofs; `body`: a result in a file; `version3`: the oldest layout.
//! - [`proof`], [`unrolling`], [`summaries`]: what proofs of each kind say. `ir-spec/proofs.md` says when they are valid.
//! - [`rest`]: the residual condition ([`RunRest`]) that a search without an answer leaves to the next one; `resting`: which
//!   results build on which. [`labels`] change along executions, [`share`] says how much is open.
//! - [`open_edges`]: the edges that lead to something open; [`copies`]: those that do so on some paths only.
//! - [`parts`], [`split`](mod@split): parts of a residual condition for several runs, and joining their results.
//! - [`names`], [`formulas`], [`drawing`]: results as text and as pictures.

mod assumptions;
mod body;
mod callees;
pub mod contracts;
pub mod copies;
pub mod drawing;
pub mod formulas;
pub mod labels;
pub mod names;
pub mod open_edges;
pub mod parts;
mod precision;
pub mod predicates;
pub mod proof;
mod reason;
pub mod rest;
mod resting;
mod result;
pub mod share;
pub mod split;
mod statistics;
pub mod summaries;
pub mod unrolling;
mod version3;
pub mod walk;

pub use assumptions::{HOPES, Premise};
pub use callees::RunCallees;
pub use parts::{RunJoined, RunPart};
pub use precision::{RunLook, RunPrecision, RunScope, RunTracked};
pub use predicates::{Predicates, region_at_entry, region_of_invariant};
pub use proof::{RunCuts, RunEnsures, RunExpr, RunFormula, RunKey, RunNode, RunProof, RunStack, RunState};
pub use reason::{Excess, Reason, violated};
pub use rest::{RunAfter, RunLabel, RunOpen, RunRest, RunResting};
pub use result::{
    Certificate, Choice, Run, RunBroken, RunPath, RunStep, RunTarget, RunVerdict, TargetVerdict,
};
pub use statistics::{Figure, Statistic, Unit};
pub use summaries::{ANY_VALUE, AT_ENTRY, RunCall, RunSummaries};
pub use unrolling::{RunContext, RunEnd, RunInduction, RunInvariant, RunInvariants, RunUnrolling};
