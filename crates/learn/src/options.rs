//! What one chooses of learning.

use crate::column::Label;

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

/// A way to learn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    /// The single plan that costs least.
    Single,
    /// The plan or the sequence that costs least.
    Sequence,
    /// A decision tree with at most so many questions on a way.
    Tree(u16),
    /// A decision tree over plans and sequences.
    SequenceTree(u16),
    /// Many decision trees.
    Forest,
    /// A regression tree for each plan.
    Costs,
}

impl Learner {
    /// Its name.
    pub fn name(self) -> String {
        match self {
            Learner::Single => "single".into(),
            Learner::Sequence => "sequence".into(),
            Learner::Tree(depth) => format!("tree-{depth}"),
            Learner::SequenceTree(depth) => format!("sequence-tree-{depth}"),
            Learner::Forest => "forest".into(),
            Learner::Costs => "costs".into(),
        }
    }
}
