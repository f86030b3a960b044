//! The precision of a search without an answer, for reuse by the next one.
//!
//! It determines what the next search tracks from the start, never what is true: no proof relies on it.

use crate::predicates::Predicates;
use crate::proof::{RunExpr, below, exprs_are_well_formed};
use beeline_ir::{FuncId, LocId, Program, RegionId, VarId};

/// The part of a program in which predicates are tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunScope {
    /// A location.
    Location(LocId),
    /// A function.
    Function(FuncId),
    /// The program.
    Program,
}
beeline_ir::wire_enum!(RunScope { 0 => Location(loc), 1 => Function(func), 2 => Program });

/// Predicates, and where they are tracked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLook {
    /// The part of the program.
    pub scope: RunScope,
    /// The predicates, by index.
    pub predicates: Vec<u32>,
}
beeline_ir::wire_struct!(RunLook { scope, predicates });

/// Variables and regions whose values can be tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunTracked {
    /// A variable, in all activations.
    Var(VarId),
    /// All cells of a region.
    Region(RegionId),
}
beeline_ir::wire_enum!(RunTracked { 0 => Var(var), 1 => Region(region) });

/// The precision of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunPrecision {
    /// The expressions that predicates are made of.
    pub exprs: Vec<RunExpr>,
    /// The predicates, each an expression.
    pub predicates: Vec<u32>,
    /// Where they are tracked.
    pub looks: Vec<RunLook>,
    /// The locations whose reachability is checked by queries.
    pub asked: Vec<LocId>,
    /// The variables and regions whose values are tracked.
    pub tracked: Vec<RunTracked>,
    /// Those that are not tracked any more, because they had too many values.
    pub given_up: Vec<RunTracked>,
}
beeline_ir::wire_struct!(RunPrecision { exprs, predicates, looks, asked, tracked, given_up });

impl RunPrecision {
    /// The predicates over the program that the precision belongs to, or the reason why they are not
    /// well-typed there.
    pub fn predicates_over(&self, program: &Program) -> Result<Predicates, String> {
        Predicates::over(program, &self.exprs, &self.predicates, false)
    }

    /// Reports a fault of its references to its own parts.
    pub(crate) fn well_formed(&self) -> Result<(), String> {
        exprs_are_well_formed(&self.exprs, &self.predicates)?;
        self.looks.iter().try_for_each(|look| below("predicate", &look.predicates, self.predicates.len()))
    }
}
