//! smartcore's trees in the form of selectors.
//!
//! smartcore exposes the nodes of a tree only in its serialised form, which is read here.

use crate::error::LearnError;
use beeline_select::{Node, Tree};
use serde_json::Value;
use smartcore::ensemble::random_forest_classifier::{
    RandomForestClassifier, RandomForestClassifierParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_classifier::{DecisionTreeClassifier, DecisionTreeClassifierParameters};
use smartcore::tree::decision_tree_regressor::{DecisionTreeRegressor, DecisionTreeRegressorParameters};
use std::collections::BTreeSet;

/// The seed: random choices are the same each time.
const SEED: u64 = 21;
/// The number of trees of a forest.
const TREES: u16 = 30;

/// Limits on the shape of trees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// The greatest number of decisions on a path.
    pub depth: u16,
    /// The least number of programs at a leaf.
    pub leaf: usize,
}

fn failed(error: impl std::fmt::Display) -> LearnError {
    LearnError::Learner(error.to_string())
}

/// A decision tree; `None` if there is only one answer.
pub(crate) fn tree(x: Vec<Vec<f64>>, y: Vec<u32>, shape: Shape) -> Result<Option<Tree>, LearnError> {
    let classes: Vec<u32> = y.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    if classes.len() < 2 {
        return Ok(None);
    }
    let mut parameters = DecisionTreeClassifierParameters::default();
    (parameters.max_depth, parameters.min_samples_leaf) = (Some(shape.depth), shape.leaf);
    parameters.seed = Some(SEED);
    let matrix = DenseMatrix::from_2d_vec(&x).map_err(failed)?;
    let tree = DecisionTreeClassifier::fit(&matrix, &y, parameters).map_err(failed)?;
    let stored = serde_json::to_value(&tree).map_err(failed)?;
    let answer = |output: f64| f64::from(classes.get(output as usize).copied().unwrap_or(0));
    read(&stored, &answer)?.pop().map(Some).ok_or_else(|| failed("it has no tree"))
}

/// Decision trees that vote; `None` if there is only one answer.
pub(crate) fn forest(x: Vec<Vec<f64>>, y: Vec<u32>, shape: Shape) -> Result<Option<Vec<Tree>>, LearnError> {
    let classes: Vec<u32> = y.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    if classes.len() < 2 {
        return Ok(None);
    }
    let mut parameters = RandomForestClassifierParameters::default();
    (parameters.max_depth, parameters.min_samples_leaf) = (Some(shape.depth), shape.leaf);
    (parameters.n_trees, parameters.seed) = (TREES, SEED);
    let matrix = DenseMatrix::from_2d_vec(&x).map_err(failed)?;
    let forest = RandomForestClassifier::fit(&matrix, &y, parameters).map_err(failed)?;
    let stored = serde_json::to_value(&forest).map_err(failed)?;
    let answer = |output: f64| f64::from(classes.get(output as usize).copied().unwrap_or(0));
    Ok(Some(read(&stored, &answer)?))
}

/// A tree that predicts a number.
pub(crate) fn costs(x: &Vec<Vec<f64>>, y: Vec<f64>, shape: Shape) -> Result<Tree, LearnError> {
    let mut parameters = DecisionTreeRegressorParameters::default();
    (parameters.max_depth, parameters.min_samples_leaf) = (Some(shape.depth), shape.leaf);
    parameters.seed = Some(SEED);
    let matrix = DenseMatrix::from_2d_vec(x).map_err(failed)?;
    let tree = DecisionTreeRegressor::fit(&matrix, &y, parameters).map_err(failed)?;
    let stored = serde_json::to_value(&tree).map_err(failed)?;
    read(&stored, &|output| output)?.pop().ok_or_else(|| failed("it has no tree"))
}

/// All trees in a serialised form.
fn read(stored: &Value, answer: &dyn Fn(f64) -> f64) -> Result<Vec<Tree>, LearnError> {
    let mut trees = Vec::new();
    let mut open = vec![stored];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(object) => match object.get("nodes").and_then(Value::as_array) {
                Some(nodes) => {
                    let nodes =
                        nodes.iter().map(|stored| node(stored, answer)).collect::<Option<Vec<Node>>>();
                    let tree = nodes.and_then(in_order);
                    trees.push(tree.ok_or_else(|| failed("its trees have another layout"))?);
                }
                None => open.extend(object.values()),
            },
            Value::Array(values) => open.extend(values),
            _ => {}
        }
    }
    Ok(trees)
}

fn node(stored: &Value, answer: &dyn Fn(f64) -> f64) -> Option<Node> {
    let child = |name: &str| stored.get(name)?.as_u64().map(|child| child as u32);
    match (child("true_child"), child("false_child")) {
        (Some(less), Some(more)) => Some(Node::Split {
            feature: stored.get("split_feature")?.as_u64()? as u32,
            at: stored.get("split_value")?.as_f64()?,
            less,
            more,
        }),
        _ => Some(Node::Leaf(answer(stored.get("output")?.as_f64()?))),
    }
}

/// The tree with each node before its successors, without the unreachable nodes that smartcore leaves.
fn in_order(nodes: Vec<Node>) -> Option<Tree> {
    let mut tree: Vec<Node> = Vec::new();
    // The nodes to take over, each with the node that leads there and by which branch.
    let mut open: Vec<(u32, Option<(usize, bool)>)> = vec![(0, None)];
    while let Some((stored, from)) = open.pop() {
        let (index, node) = (tree.len(), *nodes.get(stored as usize)?);
        if let Some((from, is_less)) = from
            && let Node::Split { less, more, .. } = &mut tree[from]
        {
            *(if is_less { less } else { more }) = index as u32;
        }
        if let Node::Split { less, more, .. } = node {
            open.extend([(more, Some((index, false))), (less, Some((index, true)))]);
        }
        tree.push(node);
        if tree.len() > nodes.len() {
            return None;
        }
    }
    Some(Tree { nodes: tree })
}
