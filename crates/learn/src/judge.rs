//! The quality of a learner on programs that it has not seen: each family is left out in turn.

use crate::column::Column;
use crate::error::LearnError;
use crate::learners::learn;
use crate::options::{Learner, Options};
use crate::table::{Line, Table};
use std::collections::BTreeSet;

/// The quality of a learner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The learner.
    pub learner: Learner,
    /// The seconds lost against the best plan of the history for each program, over all programs.
    pub regret: f64,
    /// The number of programs that were solved.
    pub solved: usize,
    /// The processor time for all programs in seconds, at most the limit each.
    pub cpu: f64,
}

/// The cost of the best plan for each program: no choice among plans does better.
pub fn virtual_best(line: &Line, limit: f64) -> f64 {
    (0..line.cells.len()).map(|plan| Column::Plan(plan).cost(line, limit)).fold(f64::INFINITY, f64::min)
}

/// Judges a learner: a family of programs is never both learned from and judged by.
pub fn judge(table: &Table, learner: Learner, options: &Options) -> Result<Judged, LearnError> {
    let families: BTreeSet<&str> = table.programs.iter().map(|program| program.family.as_str()).collect();
    let mut judged = Judged { learner, regret: 0.0, solved: 0, cpu: 0.0 };
    for family in families {
        let is_out = |&line: &usize| table.programs[line].family == family;
        let (out, rest): (Vec<usize>, Vec<usize>) = (0..table.programs.len()).partition(is_out);
        let learned = learn(table, &rest, learner, options)?;
        for line in out.into_iter().map(|line| &table.programs[line]) {
            judged.add(line, learned.choose(&line.features), table.limit);
        }
    }
    Ok(judged)
}

impl Judged {
    fn add(&mut self, line: &Line, column: Column, limit: f64) {
        let (cpu, solved) = column.outcome(line, limit);
        // Two plans in a row may beat the best single one.
        self.regret += column.cost(line, limit) - virtual_best(line, limit);
        self.solved += usize::from(solved);
        self.cpu += cpu.min(limit);
    }
}
