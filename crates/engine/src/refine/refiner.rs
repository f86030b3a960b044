//! Refiners: what has to be known so that infeasible paths are excluded.

use crate::control::Control;
use crate::paths::Path;
use crate::state::arg::Arg;
use crate::state::bdd::Bdds;
use crate::state::precision::Knowledge;
use crate::values::ValuesPool;
use beeline_ir::Program;
use beeline_smt::{Meter, QueryLimits};

/// From where a path has to be explored anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pivot {
    /// From the start: all states profit from what was learned.
    Start,
    /// From one of its states.
    State(usize),
}

/// What a refiner may look at and use.
pub struct Evidence<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its places refer to.
    pub control: &'a dyn Control,
    /// The graph that has the paths.
    pub arg: &'a Arg,
    /// The values of its states.
    pub pool: &'a ValuesPool,
    /// What is known of predicates in them.
    pub bdds: &'a Bdds,
    /// What queries may use.
    pub limits: &'a QueryLimits,
    /// What the run used.
    pub meter: &'a Meter,
    /// What predicates may use to do without a variable whose values were given up, if one was.
    pub patience: Option<u64>,
}

/// A way to learn from paths that no execution takes.
pub trait Refiner {
    /// Adds to what is known so that the paths are excluded; says from where each is to be explored anew, or
    /// `None` where nothing was learned.
    fn refine(
        &mut self,
        paths: &[Path],
        evidence: &Evidence<'_>,
        known: &mut Knowledge,
    ) -> Vec<Option<Pivot>>;
}
