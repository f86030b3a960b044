//! The learned choice of a plan: the body of a `.sel` file, and the choice itself.
//!
//! A [`Selector`] has plans, the features that it uses, and a [`Model`]: always the same plan, a decision tree, a forest that
//! votes, or a regression tree of costs for each plan. `beeline-train` learns it from a history; this crate only chooses, so
//! that choosing does not depend on learning.
//!
//! Features of another version are refused: a tree on the wrong numbers would silently choose nonsense.
//!
//! ```
//! use beeline_select::{Card, Model, Named, Node, Selector, Tree};
//!
//! let plan = |name: &str| Named { name: name.into(), plan: "[[step]]\n".into() };
//! let tree = Tree { nodes: vec![
//!     Node::Split { feature: 0, at: 3.5, less: 1, more: 2 }, Node::Leaf(0.0), Node::Leaf(1.0),
//! ]};
//! let selector = Selector {
//!     features: vec!["LOOPS".into()],
//!     plans: vec![plan("unroll"), plan("abstract")],
//!     model: Model::Tree(tree),
//!     card: Card::default(),
//! };
//! let choice = selector.choose(&["LOOPS"], &[4.0]).unwrap();
//! assert_eq!((choice.plan, &choice.path[..]), (1, &["LOOPS = 4 > 3.5".to_string()][..]));
//! ```

mod tree;
mod wire;

pub use tree::{Node, Tree};

/// A plan with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// The plan, in TOML.
    pub plan: String,
}
beeline_ir::wire_struct!(Named { name, plan });

/// A model that chooses a plan.
#[derive(Debug, Clone, PartialEq)]
pub enum Model {
    /// Always this one.
    Always(u32),
    /// The plan at the leaf of a tree.
    Tree(Tree),
    /// The plan that most trees choose; of several the first.
    Votes(Vec<Tree>),
    /// The plan whose tree predicts the least cost; one tree for each plan.
    Costs(Vec<Tree>),
}
beeline_ir::wire_enum!(Model { 0 => Always(plan), 1 => Tree(tree), 2 => Votes(trees), 3 => Costs(trees) });

/// The data that a selector was learned from, and its quality on programs that it has not seen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Card {
    /// The number of programs.
    pub programs: u32,
    /// The number of their families.
    pub families: u32,
    /// The limit on time for each run, in seconds.
    pub limit: f64,
    /// The machine.
    pub machine: String,
    /// The version of Beeline.
    pub version: String,
    /// The regret of each learner against the best plan for each program, in seconds over all programs. Each
    /// program's family is left out of what was learned from.
    pub regrets: Vec<(String, f64)>,
}
beeline_ir::wire_struct!(Card { programs, families, limit, machine, version, regrets });

/// A learned choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Selector {
    /// The features that it knows, in order.
    pub features: Vec<String>,
    /// The plans.
    pub plans: Vec<Named>,
    /// The model.
    pub model: Model,
    /// Its origin and quality.
    pub card: Card,
}

/// A plan that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The plan, by index.
    pub plan: usize,
    /// The reasons: a line for each decision.
    pub path: Vec<String>,
}

/// The reason why nothing is chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// The program has other features.
    #[error(
        "the selector was trained on features of another version; make the features again, or train it again with beeline-train"
    )]
    Features,
    /// A feature is not a finite number.
    #[error("the feature {0} is not a finite number")]
    NotFinite(String),
}

impl Selector {
    /// The plan for a program with these features.
    pub fn choose(&self, names: &[impl AsRef<str>], values: &[f64]) -> Result<Choice, ChoiceError> {
        let fits = names.len() == self.features.len() && values.len() == names.len();
        if !fits || names.iter().zip(&self.features).any(|(name, own)| name.as_ref() != own) {
            return Err(ChoiceError::Features);
        }
        if let Some((_, name)) = values.iter().zip(&self.features).find(|(value, _)| !value.is_finite()) {
            return Err(ChoiceError::NotFinite(name.clone()));
        }
        Ok(match &self.model {
            Model::Always(plan) => Choice {
                plan: *plan as usize,
                path: vec!["the same plan for all programs: no choice was better".into()],
            },
            Model::Tree(tree) => {
                let (plan, path) = tree.follow(values, &self.features);
                Choice { plan: plan as usize, path }
            }
            Model::Votes(trees) => self.by_votes(trees, values),
            Model::Costs(trees) => self.by_costs(trees, values),
        })
    }

    fn by_votes(&self, trees: &[Tree], values: &[f64]) -> Choice {
        let mut votes = vec![0; self.plans.len()];
        trees.iter().for_each(|tree| votes[tree.value(values) as usize] += 1);
        let mut order: Vec<usize> = (0..votes.len()).collect();
        order.sort_by_key(|&plan| std::cmp::Reverse(votes[plan]));
        let line =
            |&plan: &usize| format!("{} of {} trees: {}", votes[plan], trees.len(), self.plans[plan].name);
        let path = order.iter().filter(|&&plan| votes[plan] > 0).map(line).collect();
        Choice { plan: order[0], path }
    }

    fn by_costs(&self, trees: &[Tree], values: &[f64]) -> Choice {
        let costs: Vec<f64> = trees.iter().map(|tree| tree.value(values)).collect();
        let mut order: Vec<usize> = (0..costs.len()).collect();
        order.sort_by(|&a, &b| costs[a].total_cmp(&costs[b]));
        let path =
            order.iter().map(|&plan| format!("{}: {:.3}", self.plans[plan].name, costs[plan])).collect();
        Choice { plan: order[0], path }
    }

    /// The model as readable text.
    pub fn text(&self) -> String {
        let plan = |value: f64| self.plans[value as usize].name.clone();
        match &self.model {
            Model::Always(index) => format!("always {}\n", self.plans[*index as usize].name),
            Model::Tree(tree) => tree.text(&self.features, &plan),
            Model::Votes(trees) => {
                let texts = trees.iter().zip(1..);
                texts.map(|(tree, n)| format!("tree {n}\n{}", tree.text(&self.features, &plan))).collect()
            }
            Model::Costs(trees) => {
                let cost = |value: f64| format!("{value:.3}");
                let texts = trees.iter().zip(&self.plans);
                texts
                    .map(|(tree, plan)| format!("{}\n{}", plan.name, tree.text(&self.features, &cost)))
                    .collect()
            }
        }
    }
}
