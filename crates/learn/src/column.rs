//! Columns: the choices of a learner, a plan or a sequence of two.

use crate::table::{Line, Table};
use beeline_options::step::{Budget, Handed};
use beeline_options::{Plan, Step};
use std::num::NonZeroU64;

/// The ticks of a second, as in the help of budgets.
const TICKS_IN_A_SECOND: f64 = 3e6;
/// The times of the first plan of a sequence, as shares of the limit.
const SHARES: [f64; 5] = [0.01, 0.03, 0.1, 0.25, 0.5];
/// The number of sequences that a learner can choose.
const SEQUENCES: usize = 3;

/// A choice of a learner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Column {
    /// A plan of the history.
    Plan(usize),
    /// A plan for a time, then another one.
    Sequence {
        /// The first one; it has one step without a budget.
        first: usize,
        /// Its time in seconds.
        seconds: f64,
        /// The other one.
        then: usize,
    },
}

/// The label: what a learner minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Label {
    /// The time, or twice the limit without a right answer.
    #[default]
    Cost,
    /// The time, whatever the outcome is.
    Time,
    /// The number of programs that are not solved, whatever the times of the others.
    Number,
}

impl Label {
    /// All labels with their names.
    pub const ALL: [(&'static str, Label); 3] =
        [("cost", Label::Cost), ("time", Label::Time), ("number", Label::Number)];

    /// The label with a name.
    pub fn named(name: &str) -> Option<Label> {
        Label::ALL.into_iter().find_map(|(known, label)| (known == name).then_some(label))
    }
}

impl Column {
    /// The label of a program for a learner. Learners are always judged by [`Column::cost`].
    pub fn label(self, line: &Line, limit: f64, label: Label) -> f64 {
        let (cpu, solved) = self.outcome(line, limit);
        match label {
            Label::Cost => self.cost(line, limit),
            Label::Time => cpu.min(limit),
            Label::Number if solved => 0.0,
            Label::Number => 2.0 * limit,
        }
    }

    /// The time in seconds, and whether the program is solved.
    pub fn outcome(self, line: &Line, limit: f64) -> (f64, bool) {
        match self {
            Column::Plan(plan) => (line.cells[plan].cpu, line.cells[plan].solved),
            Column::Sequence { first, seconds, then } => {
                let (first, then) = (line.cells[first], line.cells[then]);
                if first.answered && first.cpu <= seconds {
                    return (first.cpu, first.solved);
                }
                // It may give up before its time is over.
                let both = first.cpu.min(seconds) + then.cpu;
                (both, then.solved && both <= limit)
            }
        }
    }

    /// The time in seconds, or twice the limit if the program is not solved.
    pub fn cost(self, line: &Line, limit: f64) -> f64 {
        match self.outcome(line, limit) {
            (cpu, true) => cpu,
            (_, false) => 2.0 * limit,
        }
    }

    /// Its name.
    pub fn name(self, table: &Table) -> String {
        match self {
            Column::Plan(plan) => table.plans[plan].0.clone(),
            Column::Sequence { first, seconds, then } => {
                format!("{} for {seconds:.2} s, then {}", table.plans[first].0, table.plans[then].0)
            }
        }
    }

    /// The plan of the choice.
    pub fn plan(self, table: &Table) -> Plan {
        match self {
            Column::Plan(plan) => table.plans[plan].1.clone(),
            Column::Sequence { first, seconds, then } => {
                let ticks = NonZeroU64::new((seconds * TICKS_IN_A_SECOND) as u64);
                let begin = table.plans[first].1.steps.iter().map(|step| Step {
                    budget: Budget { ticks, time: None },
                    hand: vec![Handed::Precision],
                    ..step.clone()
                });
                Plan { steps: begin.chain(table.plans[then].1.steps.iter().cloned()).collect() }
            }
        }
    }
}

/// The choices of a learner: all plans, and the sequences that would have cost least for some programs.
pub fn columns(table: &Table, lines: &[usize], with_sequences: bool, label: Label) -> Vec<Column> {
    let plans = 0..table.plans.len();
    let mut columns: Vec<Column> = plans.clone().map(Column::Plan).collect();
    if !with_sequences {
        return columns;
    }
    let is_plain = |plan: usize| match &table.plans[plan].1.steps[..] {
        [only] => only.budget == Budget::default() && only.only_with.is_none(),
        _ => false,
    };
    let mut sequences = Vec::new();
    for first in plans.clone().filter(|&plan| is_plain(plan)) {
        for then in plans.clone().filter(|&then| then != first) {
            for share in SHARES {
                let column = Column::Sequence { first, seconds: share * table.limit, then };
                let cost: f64 =
                    lines.iter().map(|&line| column.label(&table.programs[line], table.limit, label)).sum();
                sequences.push((cost, column));
            }
        }
    }
    sequences.sort_by(|a, b| a.0.total_cmp(&b.0));
    columns.extend(sequences.into_iter().take(SEQUENCES).map(|(_, column)| column));
    columns
}
