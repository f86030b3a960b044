//! The formulas of a proof as text. Operators stand before their operands; what is long and shared gets a name.

use crate::names::{Names, value};
use crate::proof::{RunExpr, RunFormula, RunProof};
use std::fmt::Debug;

/// Texts longer than this get a name, so that none grows with what it shares.
const LONG: usize = 160;

/// The texts of expressions and of nodes: each is short.
#[derive(Debug)]
pub struct Formulas {
    predicates: Vec<String>,
    nodes: Vec<String>,
    /// What names stand for.
    shared: Vec<(String, String)>,
}

impl Formulas {
    /// Those of a proof, whose operands stand before what uses them.
    pub fn new(proof: &RunProof, names: &Names<'_>) -> Formulas {
        let mut shared = Vec::new();
        let mut named = |name: String, text: String| {
            if text.len() <= LONG {
                return text;
            }
            shared.push((name.clone(), text));
            name
        };
        let mut exprs: Vec<String> = Vec::with_capacity(proof.exprs.len());
        for (index, expr) in proof.exprs.iter().enumerate() {
            let text = expression(expr, &exprs, names);
            exprs.push(named(format!("e{index}"), text));
        }
        let predicates: Vec<String> =
            proof.predicates.iter().map(|&expr| exprs[expr as usize].clone()).collect();
        let mut nodes: Vec<String> = Vec::with_capacity(proof.nodes.len());
        for (index, node) in proof.nodes.iter().enumerate() {
            let holds = &predicates[node.pred as usize];
            let text = match (node.no, node.yes) {
                (RunFormula::FALSE, RunFormula::TRUE) => holds.clone(),
                (RunFormula::TRUE, RunFormula::FALSE) => format!("!{holds}"),
                (RunFormula::FALSE, yes) => format!("{holds} && {}", of(&nodes, yes)),
                (no, RunFormula::FALSE) => format!("!{holds} && {}", of(&nodes, no)),
                (no, yes) => format!("({holds} ? {} : {})", of(&nodes, yes), of(&nodes, no)),
            };
            nodes.push(named(format!("n{index}"), text));
        }
        Formulas { predicates, nodes, shared }
    }

    /// The text of a formula.
    pub fn text(&self, formula: RunFormula) -> String {
        of(&self.nodes, formula)
    }

    /// The predicates.
    pub fn predicates(&self) -> &[String] {
        &self.predicates
    }

    /// The names in texts, and what they stand for.
    pub fn shared(&self) -> &[(String, String)] {
        &self.shared
    }
}

fn of(nodes: &[String], formula: RunFormula) -> String {
    match formula.node() {
        Some(node) => nodes[node as usize].clone(),
        None => (formula == RunFormula::TRUE).to_string(),
    }
}

/// An expression over earlier ones.
fn expression(expr: &RunExpr, earlier: &[String], names: &Names<'_>) -> String {
    let operands: Vec<&str> = expr.operands().map(|operand| earlier[operand as usize].as_str()).collect();
    let operands = operands.join(" ");
    let operator = |op: &dyn Debug| format!("{op:?}").to_lowercase();
    match expr {
        RunExpr::Value(constant) => value(constant),
        RunExpr::Var(var, level) => names.variable(*var, *level),
        RunExpr::Load(region, _, ty) => format!("(load {ty} {} {operands})", names.region(*region)),
        RunExpr::Ite(..) => format!("(ite {operands})"),
        RunExpr::Fma(..) => format!("(fma {operands})"),
        RunExpr::Extract(high, low, _) => format!("(extract {high} {low} {operands})"),
        RunExpr::Unary(op, _) => format!("({} {operands})", operator(op)),
        RunExpr::Binary(op, ..) => format!("({} {operands})", operator(op)),
        RunExpr::Cast(op, ty, _) => format!("({} {ty} {operands})", operator(op)),
    }
}
