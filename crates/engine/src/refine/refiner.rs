//! The interface of refiners, which exclude infeasible paths.

use crate::control::Control;
use crate::paths::Path;
use crate::state::arg::Arg;
use crate::state::bdd::Bdds;
use crate::state::precision::Knowledge;
use crate::values::ValuesPool;
use beeline_ir::Program;
use beeline_smt::{Meter, QueryLimits};

/// Where the exploration of a path begins anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pivot {
    /// At the start: all states profit from the new knowledge.
    Start,
    /// At one of the path's states.
    State(usize),
}

/// What a refiner may use.
pub struct Evidence<'a> {
    /// The program.
    pub program: &'a Program,
    /// The control that its places refer to.
    pub control: &'a dyn Control,
    /// The graph with the paths.
    pub arg: &'a Arg,
    /// The values of its states.
    pub pool: &'a ValuesPool,
    /// The diagrams of its states.
    pub bdds: &'a Bdds,
    /// The limits of queries.
    pub limits: &'a QueryLimits,
    /// The meter of the run.
    pub meter: &'a Meter,
    /// The ticks within which predicates have to replace a variable that lost its tracking, if one did.
    pub patience: Option<u64>,
}

/// A refinement strategy.
pub trait Refiner {
    /// Extends the knowledge so that the paths are excluded. Returns for each path where to explore anew, or
    /// `None` if nothing was learned from it.
    fn refine(
        &mut self,
        paths: &[Path],
        evidence: &Evidence<'_>,
        known: &mut Knowledge,
    ) -> Vec<Option<Pivot>>;
}
