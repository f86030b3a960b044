//! The result of a verification: the body of a `.run` file.
//!
//! `beeline-verify` writes it; `beeline-replay` executes its counterexample natively,
//! `beeline-check-proof` checks its proof, `beeline-witness` translates both. A result belongs to one
//! program: a `.run` file has the digest of its `.cfa` file, and all ids are those of that program.
//!
//! A [`Run`] has a [`RunPath`] when its verdict is *unsafe* and a [`RunProof`] when it is *safe*.
//! Predicates of a proof are in the textual form of expressions; a variable of an inner activation of a
//! recursive function has its level behind its name, as in `n@1`.

use beeline_ir::file::{Kind, Version};
use beeline_ir::{Assumption, Direction, EdgeId, FuncId, InputId, LocId, Program, RegionId, Value, VarId};
use std::collections::HashSet;

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

/// What an abstract state knows the value of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunKey {
    /// A variable of an activation.
    Var(VarId, u32),
    /// A region whose cells have their initial contents unless they are listed.
    Pristine(RegionId),
    /// A cell.
    Cell(RegionId, u64),
}
beeline_ir::wire_enum!(RunKey { 0 => Var(var, level), 1 => Pristine(region), 2 => Cell(region, addr) });

/// An abstract state of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunState {
    /// Where it is.
    pub loc: LocId,
    /// Its call stack, by index.
    pub stack: u32,
    /// What is known; a cell without a value may have any.
    pub values: Vec<(RunKey, Option<Value>)>,
    /// Predicates, by index, and whether they hold.
    pub literals: Vec<(u32, bool)>,
    /// The states behind.
    pub children: Vec<u32>,
    /// The state that includes it.
    pub covered_by: Option<u32>,
}
beeline_ir::wire_struct!(RunState { loc, stack, values, literals, children, covered_by });

/// A call stack: the one below with the edge of the call, and the function on top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunStack {
    /// The stack below and the call.
    pub caller: Option<(u32, EdgeId)>,
    /// The function.
    pub callee: FuncId,
}
beeline_ir::wire_struct!(RunStack { caller, callee });

/// The reachable abstract states, the first one being where the program starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunProof {
    /// The call stacks.
    pub stacks: Vec<RunStack>,
    /// The predicates.
    pub predicates: Vec<String>,
    /// The states.
    pub states: Vec<RunState>,
}
beeline_ir::wire_struct!(RunProof { stacks, predicates, states });

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The verdict.
    pub verdict: RunVerdict,
    /// For an unsafe program.
    pub path: Option<RunPath>,
    /// For a safe one.
    pub proof: Option<RunProof>,
    /// Counts and times in microseconds, by name.
    pub statistics: Vec<(String, u64)>,
}
beeline_ir::wire_struct!(Run { verdict, path, proof, statistics });
beeline_ir::wire_body!(Run, Kind::Run, Version { major: 1, minor: 0 });

impl RunProof {
    /// The program's assumptions that may make the proof miss a bug, but for those in functions that it
    /// never enters.
    pub fn rests_on<'p>(&self, program: &'p Program) -> Vec<&'p Assumption> {
        let entered: HashSet<FuncId> = self.stacks.iter().map(|stack| stack.callee).collect();
        let matters = |edge: EdgeId| entered.contains(&program.function_of(program.edges[edge].src));
        let hiding =
            program.assumptions.iter().filter(|assumption| assumption.direction != Direction::MayInventBug);
        hiding.filter(|assumption| assumption.edge.is_none_or(matters)).collect()
    }
}
