//! The four metrics: the units of distance.

use beeline_ir::{EdgeId, FuncId, Op, Program};

/// A metric: the unit of distance (formulas 4.1 to 4.4 of TOUR).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// `st`: every edge that is no call.
    Statements,
    /// `bb`: conditions of branches.
    BasicBlocks,
    /// `lh`: conditions of loops.
    LoopHeads,
    /// `lf`: conditions of loops, edges that leave a function's entry, and returns from calls.
    LoopHeadsAndFunctions,
}

impl Metric {
    /// All metrics, in the order of their tags in files.
    pub const ALL: [Metric; 4] =
        [Metric::Statements, Metric::BasicBlocks, Metric::LoopHeads, Metric::LoopHeadsAndFunctions];

    /// The name in files and options.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Statements => "st",
            Metric::BasicBlocks => "bb",
            Metric::LoopHeads => "lh",
            Metric::LoopHeadsAndFunctions => "lf",
        }
    }

    /// The weight of returning from a call.
    pub fn return_weight(self) -> u64 {
        u64::from(self == Metric::LoopHeadsAndFunctions)
    }

    /// The weight of an edge of a function; that of a call edge is the weight of entering the callee.
    pub fn weight(self, program: &Program, func: FuncId, edge: EdgeId) -> u64 {
        let edge = &program.edges[edge];
        let leaves_entry = edge.src == program.functions[func].entry();
        let (branch, looping, call) = match &edge.op {
            Op::Assume(_, kind) => (kind.branch, kind.looping, false),
            op => (false, false, op.as_call().is_some()),
        };
        u64::from(match self {
            Metric::Statements => !call,
            Metric::BasicBlocks => branch,
            Metric::LoopHeads => looping,
            Metric::LoopHeadsAndFunctions => looping || leaves_entry,
        })
    }
}
