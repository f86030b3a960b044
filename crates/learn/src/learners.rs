//! The learners.

use crate::column::{Column, Label, columns};
use crate::error::LearnError;
use crate::forest::{self, Shape};
use crate::options::{Learner, Options};
use crate::table::Table;
use beeline_select::{Card, Model, Named, Selector, Tree};

impl Learner {
    /// The learner with a name.
    pub fn named(name: &str) -> Option<Learner> {
        let options = Options { threshold: 0.0, sequences: true, learner: None, label: Label::Cost };
        all(&options).into_iter().find(|learner| learner.name() == name)
    }

    fn has_sequences(self) -> bool {
        matches!(self, Learner::Sequence | Learner::SequenceTree(_))
    }
}

/// The learners that are compared, the simplest first.
pub fn all(options: &Options) -> Vec<Learner> {
    let plain = [Learner::Single, Learner::Tree(2), Learner::Tree(3), Learner::Tree(5)];
    let more = [Learner::Costs, Learner::Forest];
    let sequences = [Learner::Sequence, Learner::SequenceTree(2), Learner::SequenceTree(3)];
    let learners = plain.into_iter().chain(more);
    if options.sequences { learners.chain(sequences).collect() } else { learners.collect() }
}

/// A learned model.
#[derive(Debug)]
pub struct Learned {
    columns: Vec<Column>,
    model: Model,
}

impl Learned {
    /// The choice for a program with these features.
    pub fn choose(&self, features: &[f64]) -> Column {
        let index = match &self.model {
            Model::Always(plan) => *plan as usize,
            Model::Tree(tree) => tree.value(features) as usize,
            Model::Votes(trees) => {
                let mut votes = vec![0; self.columns.len()];
                trees.iter().for_each(|tree| votes[tree.value(features) as usize] += 1);
                let most = votes.iter().max().copied();
                votes.iter().position(|&count| Some(count) == most).unwrap_or(0)
            }
            Model::Costs(trees) => {
                let costs: Vec<f64> = trees.iter().map(|tree| tree.value(features)).collect();
                least(&costs)
            }
        };
        self.columns[index]
    }

    /// The selector for future programs.
    pub fn selector(&self, table: &Table, card: Card) -> Result<Selector, LearnError> {
        let named = |column: &Column| Named { name: column.name(table), plan: column.plan(table).text() };
        let selector = Selector {
            features: table.features.clone(),
            plans: self.columns.iter().map(named).collect(),
            model: self.model.clone(),
            card,
        };
        selector.well_formed().map_err(LearnError::Learner)?;
        Ok(selector)
    }
}

/// The index of the least number, the first of several.
fn least(costs: &[f64]) -> usize {
    (0..costs.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap_or(0)
}

/// Learns from some programs.
pub fn learn(
    table: &Table,
    lines: &[usize],
    learner: Learner,
    options: &Options,
) -> Result<Learned, LearnError> {
    let columns = columns(table, lines, learner.has_sequences(), options.label);
    let costs: Vec<Vec<f64>> = lines
        .iter()
        .map(|&line| {
            let program = &table.programs[line];
            columns.iter().map(|column| column.label(program, table.limit, options.label)).collect()
        })
        .collect();
    let total = |column: usize| costs.iter().map(|row| row[column]).sum::<f64>();
    let single = least(&(0..columns.len()).map(total).collect::<Vec<_>>());
    let always = Model::Always(single as u32);
    let features = |line: usize| table.programs[lines[line]].features.clone();
    let model = match learner {
        Learner::Single | Learner::Sequence => always,
        Learner::Tree(depth) | Learner::SequenceTree(depth) => {
            let (x, y) = weighted(&costs, features, options.threshold * table.limit, table.limit);
            forest::tree(x, y, Shape { depth, leaf: 3 })?.map_or(always, Model::Tree)
        }
        Learner::Forest => {
            let (x, y) = weighted(&costs, features, options.threshold * table.limit, table.limit);
            forest::forest(x, y, Shape { depth: 6, leaf: 2 })?.map_or(always, Model::Votes)
        }
        Learner::Costs => Model::Costs(cost_trees(&costs, features, columns.len())?),
    };
    Ok(Learned { columns, model })
}

/// Programs with their best plans. The more a wrong choice would cost, the more often a program occurs;
/// programs whose choice matters less than the threshold are left out.
fn weighted(
    costs: &[Vec<f64>],
    features: impl Fn(usize) -> Vec<f64>,
    threshold: f64,
    limit: f64,
) -> (Vec<Vec<f64>>, Vec<u32>) {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for (line, costs) in costs.iter().enumerate() {
        let best = least(costs);
        let spread = costs.iter().copied().fold(0.0, f64::max) - costs[best];
        if spread < threshold || spread == 0.0 {
            continue;
        }
        let mean = costs.iter().sum::<f64>() / costs.len() as f64 - costs[best];
        let times = 1 + (10.0 * mean / limit) as usize;
        for _ in 0..times {
            x.push(features(line));
            y.push(best as u32);
        }
    }
    (x, y)
}

/// A tree for each plan that predicts the logarithm of its cost: long times differ by factors.
fn cost_trees(
    costs: &[Vec<f64>],
    features: impl Fn(usize) -> Vec<f64>,
    columns: usize,
) -> Result<Vec<Tree>, LearnError> {
    let x: Vec<Vec<f64>> = (0..costs.len()).map(features).collect();
    let tree = |column: usize| {
        let y = costs.iter().map(|row| (row[column] + 0.01).ln()).collect();
        forest::costs(&x, y, Shape { depth: 4, leaf: 4 })
    };
    (0..columns).map(tree).collect()
}
