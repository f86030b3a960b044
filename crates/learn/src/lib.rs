//! Learning to choose a plan: from a history to a selector.
//!
//! [`Table`] has the cost of each plan for each program. The [`learners`] are the best single plan, decision
//! trees, forests, and a regression tree for each plan; they choose among plans, or also among *sequences* of
//! two plans with a time for the first ([`column::Column`]). [`judge()`] compares them by *regret*: the time
//! lost against the best plan for each program, on programs of families that the learner has not seen.
//! [`train()`] takes the best.
//!
//! The label is cost, not class: a program weighs as much as a wrong choice would cost, and a program where
//! all plans cost nearly the same has no weight.
//!
//! The trees are smartcore's. They are stored in a form of our own, so that choosing does not depend on
//! smartcore, and so that people can read them.

pub mod column;
mod error;
mod forest;
pub mod judge;
pub mod learners;
mod options;
pub mod table;

pub use column::Label;
pub use error::LearnError;
pub use judge::{Judged, judge};
pub use learners::Learned;
pub use options::{Learner, Options};
pub use table::Table;

use beeline_history::History;
use beeline_select::{Card, Selector};

/// The result of learning.
#[derive(Debug)]
pub struct Trained {
    /// The selector.
    pub selector: Selector,
    /// The quality of each learner, the best one first.
    pub judged: Vec<Judged>,
    /// The regret of the best single plan on programs of families that were left out.
    pub single: f64,
    /// The number of programs in the table, and of their families.
    pub programs: (usize, usize),
}

/// Learns from a history.
pub fn train(history: &History, options: &Options) -> Result<Trained, LearnError> {
    let table = Table::new(history)?;
    let mut judged: Vec<Judged> = learners::all(options)
        .into_iter()
        .map(|learner| judge(&table, learner, options))
        .collect::<Result<_, _>>()?;
    let single = judged.iter().find(|judged| judged.learner == Learner::Single);
    let single = single.map_or(f64::INFINITY, |judged| judged.regret);
    // The order of learners decides between equals: the simplest comes first.
    judged.sort_by(|a, b| a.regret.total_cmp(&b.regret));
    let best = options.learner.unwrap_or(judged[0].learner);
    let all: Vec<usize> = (0..table.programs.len()).collect();
    let learned = learners::learn(&table, &all, best, options)?;
    let setting = history.settings.first().cloned().unwrap_or_default();
    let card = Card {
        programs: table.programs.len() as u32,
        families: table.families() as u32,
        limit: table.limit,
        machine: setting.machine,
        version: setting.version,
        regrets: judged.iter().map(|judged| (judged.learner.name(), judged.regret)).collect(),
    };
    let programs = (table.programs.len(), table.families());
    let selector = learned.selector(&table, card)?;
    Ok(Trained { selector, judged, single, programs })
}
