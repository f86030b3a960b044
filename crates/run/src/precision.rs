//! What a search looked at that had no answer: the next one need not find that again.
//!
//! It decides how much the next search knows from the start, never what is true: no proof rests on it.

use crate::predicates::Predicates;
use crate::proof::{RunExpr, below, exprs_are_well_formed};
use beeline_ir::{FuncId, LocId, Program, RegionId, VarId};

/// The part of a program in which predicates are looked at.
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

/// Predicates, and where they are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLook {
    /// Where.
    pub scope: RunScope,
    /// The predicates, by index.
    pub predicates: Vec<u32>,
}
beeline_ir::wire_struct!(RunLook { scope, predicates });

/// What has values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunTracked {
    /// A variable, in all activations.
    Var(VarId),
    /// All cells of a region.
    Region(RegionId),
}
beeline_ir::wire_enum!(RunTracked { 0 => Var(var), 1 => Region(region) });

/// What a search looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunPrecision {
    /// The expressions that predicates are made of.
    pub exprs: Vec<RunExpr>,
    /// The predicates, each an expression.
    pub predicates: Vec<u32>,
    /// Where they are looked at.
    pub looks: Vec<RunLook>,
    /// The locations of which it is asked whether executions get there.
    pub asked: Vec<LocId>,
    /// Whose values are tracked.
    pub tracked: Vec<RunTracked>,
    /// Whose values were given up: there are too many.
    pub given_up: Vec<RunTracked>,
}
beeline_ir::wire_struct!(RunPrecision { exprs, predicates, looks, asked, tracked, given_up });

impl RunPrecision {
    /// The predicates over the program that this belongs to, or why they make no sense there.
    pub fn predicates_over(&self, program: &Program) -> Result<Predicates, String> {
        Predicates::over(program, &self.exprs, &self.predicates)
    }

    /// Says what is wrong with its references to its own parts.
    pub(crate) fn well_formed(&self) -> Result<(), String> {
        exprs_are_well_formed(&self.exprs, &self.predicates)?;
        self.looks.iter().try_for_each(|look| below("predicate", &look.predicates, self.predicates.len()))
    }
}
