//! The options of learning.

use crate::column::Label;

/// The options of learning.
#[derive(Debug, Clone)]
pub struct Options {
    /// The threshold, a share of the limit: programs whose plans differ by less are left out.
    pub threshold: f64,
    /// Whether sequences of two plans are allowed.
    pub sequences: bool,
    /// The only learner that is used; `None` to take the best one.
    pub learner: Option<Learner>,
    /// The label that learners minimise; they are judged by their cost in any case.
    pub label: Label,
}

/// A learner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Learner {
    /// The single plan that costs least.
    Single,
    /// The plan or the sequence that costs least.
    Sequence,
    /// A decision tree with at most this number of decisions on a path.
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
