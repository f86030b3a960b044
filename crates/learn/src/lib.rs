//! Learning the choice of a plan: from a history to a selector.
//!
//! [`Table`] has what each plan cost for each program. [`learners`] are the ways to learn: the best single plan, decision
//! trees, forests, a tree of costs for each plan, each over the plans themselves or also over *sequences* of two, what to try
//! for how long before what ([`column::Column`]). [`judge()`] compares them by what counts: the *regret*, the time that is lost
//! against the best plan for each program, by programs whose family the learner has not seen. [`train()`] takes the best.
//!
//! The label is cost, not class: a program weighs as much as a wrong choice would cost it, and one where all plans cost
//! nearly the same is not learned from at all.
//!
//! Trees are smartcore's. What is stored is a form of our own, since whoever chooses should not be built with what learns,
//! and since people read it.

pub mod column;
mod error;
mod forest;
pub mod judge;
pub mod learners;
pub mod table;

pub use column::Label;
pub use error::LearnError;
pub use judge::{Judged, judge};
pub use learners::{Learned, Learner};
pub use table::Table;

use beeline_history::History;
use beeline_select::{Card, Selector};

/// How is learned.
#[derive(Debug, Clone)]
pub struct Options {
    /// Programs are not learned from if their plans differ by less than this share of the limit.
    pub threshold: f64,
    /// May two plans follow each other?
    pub sequences: bool,
    /// The only learner that is asked, by its name; else the best one is taken.
    pub learner: Option<Learner>,
    /// What is learned to avoid; learners are judged by their cost in any case.
    pub label: Label,
}

/// What came of learning.
#[derive(Debug)]
pub struct Trained {
    /// The selector.
    pub selector: Selector,
    /// How each learner did, the best one first.
    pub judged: Vec<Judged>,
    /// What the best single plan lost on programs of families that were left out.
    pub single: f64,
    /// How many programs are in the table, and in how many families.
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
