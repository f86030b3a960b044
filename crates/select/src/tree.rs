//! Decision trees.

use std::fmt::Write as _;

/// A node of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Node {
    /// The answer: the index of a plan, or a cost.
    Leaf(f64),
    /// A decision whether a feature is at most a number.
    Split {
        /// The feature, by index.
        feature: u32,
        /// The number.
        at: f64,
        /// The next node if it is; after this node in the list.
        less: u32,
        /// The next node if it is more; after this node in the list.
        more: u32,
    },
}
beeline_ir::wire_enum!(Node { 0 => Leaf(value), 1 => Split { feature, at, less, more } });

/// A decision tree, whose root is the first node.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// Its nodes; there is at least one.
    pub nodes: Vec<Node>,
}
beeline_ir::wire_struct!(Tree { nodes });

impl Tree {
    /// The answer.
    pub fn value(&self, values: &[f64]) -> f64 {
        let mut at = 0;
        loop {
            match self.nodes[at] {
                Node::Leaf(value) => return value,
                Node::Split { feature, at: bound, less, more } => {
                    at = if values[feature as usize] <= bound { less } else { more } as usize;
                }
            }
        }
    }

    /// The answer, and the path to it.
    pub(crate) fn follow(&self, values: &[f64], names: &[String]) -> (f64, Vec<String>) {
        let (mut at, mut path) = (0, Vec::new());
        loop {
            match self.nodes[at] {
                Node::Leaf(value) => return (value, path),
                Node::Split { feature, at: bound, less, more } => {
                    let (name, value) = (&names[feature as usize], values[feature as usize]);
                    let is_less = value <= bound;
                    path.push(format!("{name} = {value} {} {bound}", if is_less { "<=" } else { ">" }));
                    at = if is_less { less } else { more } as usize;
                }
            }
        }
    }

    /// The tree as text: a decision on each line, the answers below it indented.
    pub(crate) fn text(&self, names: &[String], leaf: &dyn Fn(f64) -> String) -> String {
        let mut text = String::new();
        // The nodes to write, the last one next: a node, its indentation, and the condition that leads there.
        let mut open = vec![(0, 0, String::new())];
        while let Some((at, depth, how)) = open.pop() {
            let inset = "  ".repeat(depth);
            match self.nodes[at] {
                Node::Leaf(value) => _ = writeln!(text, "{inset}{how}{}", leaf(value)),
                Node::Split { feature, at, less, more } => {
                    let name = &names[feature as usize];
                    if !how.is_empty() {
                        _ = writeln!(text, "{inset}{}", how.trim_end());
                    }
                    let depth = if how.is_empty() { depth } else { depth + 1 };
                    open.push((more as usize, depth, format!("{name} > {at}: ")));
                    open.push((less as usize, depth, format!("{name} <= {at}: ")));
                }
            }
        }
        text
    }

    /// Reports a fault of the tree: every path has to reach an answer.
    pub(crate) fn well_formed(&self, features: usize, plans: Option<usize>) -> Result<(), String> {
        if self.nodes.is_empty() {
            return Err("a tree has no node".into());
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let fits = match *node {
                Node::Leaf(value) => {
                    value.is_finite()
                        && plans.is_none_or(|plans| value >= 0.0 && value.trunc() < plans as f64)
                }
                Node::Split { feature, at, less, more } => {
                    let inside = |next: u32| index < next as usize && (next as usize) < self.nodes.len();
                    at.is_finite() && (feature as usize) < features && inside(less) && inside(more)
                }
            };
            if !fits {
                return Err(format!("node {index} of a tree names a node that does not exist"));
            }
        }
        Ok(())
    }
}
