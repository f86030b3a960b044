//! The result of a verification: the body of a `.run` file.
//!
//! `beeline-verify` writes it; `beeline-replay` executes its counterexample natively,
//! `beeline-check-proof` checks its proof, `beeline-witness` translates both. A result belongs to one
//! program: a `.run` file has the digest of its `.cfa` file, and all ids are those of that program.
//!
//! A [`Run`] has a [`RunPath`] when its verdict is *unsafe*, perhaps when it is *unknown*, and a [`RunProof`]
//! when it is *safe*. What a proof says is on the page of [`proof`]; what makes it valid is in
//! `ir-spec/proofs.md`.

mod assumptions;
pub mod predicates;
pub mod proof;

pub use predicates::Predicates;
pub use proof::{RunCuts, RunExpr, RunFormula, RunKey, RunNode, RunProof, RunStack, RunState};

use beeline_ir::file::{Kind, Version};
use beeline_ir::{EdgeId, FuncId, InputId, LocId, RegionId, Value, VarId};

/// The verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunVerdict {
    /// No execution reaches a target.
    Safe,
    /// An execution does.
    Unsafe,
    /// There is no answer, for a reason.
    Unknown(String),
}
beeline_ir::wire_enum!(RunVerdict { 0 => Safe, 1 => Unsafe, 2 => Unknown(reason) });

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

/// A value that comes from outside the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// A variable got any value along an edge.
    Input {
        /// The edge.
        edge: EdgeId,
        /// The variable.
        var: VarId,
        /// Where the value comes from.
        input: Option<InputId>,
        /// The value.
        value: Value,
    },
    /// A variable was read that was never written.
    Unwritten {
        /// The variable.
        var: VarId,
        /// The value.
        value: Value,
    },
    /// A cell was read that was never written.
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
    /// What comes from outside, in the order in which it is first read.
    pub choices: Vec<Choice>,
    /// The program's assumptions, by index, that lie on the way and may have invented it.
    pub assumptions: Vec<u32>,
}
beeline_ir::wire_struct!(RunPath { target, steps, choices, assumptions });

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The verdict.
    pub verdict: RunVerdict,
    /// For an unsafe program; for an unknown one a path that rests on a guess, which a native run may decide.
    pub path: Option<RunPath>,
    /// For a safe one.
    pub proof: Option<RunProof>,
    /// Counts and times in microseconds, by name.
    pub statistics: Vec<(String, u64)>,
    /// For a safe program: the edges that may have no result in a state of the proof, such as an access
    /// that is not known to be inside of an object. An execution ends there; of what a machine does then,
    /// nothing is proved.
    pub undefined: Vec<EdgeId>,
}
beeline_ir::wire_struct!(Run { verdict, path, proof, statistics, undefined });
beeline_ir::wire_body!(Run, Kind::Run, Version { major: 3, minor: 0 });
