//! The formulas of a proof as text in the style of C. Long subexpressions get names.
//!
//! Operators are signed, as in `<`, unless they have a `u`, as in `<u`.

use crate::names::{Names, value};
use crate::precision::RunPrecision;
use crate::proof::{RunExpr, RunFormula, RunNode, RunProof};
use crate::unrolling::RunInvariants;
use beeline_ir::{BinOp, UnOp};

/// Texts longer than this get a name, so that no text grows with the subexpressions that it shares.
const LONG: usize = 160;

/// The texts of expressions and of nodes, each of which is short.
#[derive(Debug)]
pub struct Formulas {
    predicates: Vec<String>,
    nodes: Vec<String>,
    /// The names and their meanings.
    shared: Vec<(String, String)>,
}

/// When a text needs parentheses as an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    /// Never.
    Tightly,
    /// If the operator around it is not a logical one.
    Arithmetic,
    /// If the operator around it is not a conjunction.
    Conjunction,
    /// Always.
    Logic,
}

/// A text that may be an operand.
#[derive(Debug, Clone)]
struct Text {
    text: String,
    binds: Binds,
}

impl Text {
    fn new(binds: Binds, text: String) -> Text {
        Text { text, binds }
    }

    /// The text as an operand, in parentheses if it binds less tightly than allowed.
    fn within(&self, most: Binds) -> String {
        if self.binds <= most { self.text.clone() } else { format!("({})", self.text) }
    }
}

impl Formulas {
    /// The formulas of a proof.
    pub fn new(proof: &RunProof, names: &Names<'_>) -> Formulas {
        Formulas::of(&proof.exprs, &proof.predicates, &proof.nodes, names)
    }

    /// The formulas of a precision.
    pub fn of_precision(precision: &RunPrecision, names: &Names<'_>) -> Formulas {
        Formulas::of(&precision.exprs, &precision.predicates, &[], names)
    }

    /// The formulas of invariants, in their order, as predicates.
    pub fn of_invariants(invariants: &RunInvariants, names: &Names<'_>) -> Formulas {
        Formulas::of(&invariants.exprs, &invariants.roots(), &[], names)
    }

    /// The formulas of tables in which operands come before the entries that use them.
    fn of(table: &[RunExpr], predicates: &[u32], decisions: &[RunNode], names: &Names<'_>) -> Formulas {
        let mut shared = Vec::new();
        let mut named = |name: String, text: Text| {
            if text.text.len() <= LONG {
                return text;
            }
            shared.push((name.clone(), text.text));
            Text::new(Binds::Tightly, name)
        };
        let mut exprs: Vec<Text> = Vec::with_capacity(table.len());
        for (index, expr) in table.iter().enumerate() {
            let text = Writer { exprs: table, earlier: &exprs, names }.expression(expr);
            exprs.push(named(format!("e{index}"), text));
        }
        let writer = Writer { exprs: table, earlier: &exprs, names };
        let mut nodes: Vec<Text> = Vec::with_capacity(decisions.len());
        for (index, node) in decisions.iter().enumerate() {
            let holds = predicates[node.pred as usize];
            let (yes, no) = (writer.operand(holds).clone(), writer.negation(holds));
            let and = |left: &Text, right: RunFormula| {
                let [left, right] = [left, &of(&nodes, right)].map(|text| text.within(Binds::Conjunction));
                Text::new(Binds::Conjunction, format!("{left} && {right}"))
            };
            let text = match (node.no, node.yes) {
                (RunFormula::FALSE, RunFormula::TRUE) => yes,
                (RunFormula::TRUE, RunFormula::FALSE) => no,
                (RunFormula::FALSE, next) => and(&yes, next),
                (next, RunFormula::FALSE) => and(&no, next),
                (otherwise, then) => {
                    let parts = [&yes, &of(&nodes, then), &of(&nodes, otherwise)];
                    let [cond, then, otherwise] = parts.map(|part| part.within(Binds::Arithmetic));
                    Text::new(Binds::Tightly, format!("({cond} ? {then} : {otherwise})"))
                }
            };
            nodes.push(named(format!("n{index}"), text));
        }
        let predicates = predicates.iter().map(|&expr| exprs[expr as usize].text.clone()).collect();
        let nodes = nodes.into_iter().map(|node| node.text).collect();
        Formulas { predicates, nodes, shared }
    }

    /// The text of a formula.
    pub fn text(&self, formula: RunFormula) -> String {
        match formula.node() {
            Some(node) => self.nodes[node as usize].clone(),
            None => (formula == RunFormula::TRUE).to_string(),
        }
    }

    /// The predicates.
    pub fn predicates(&self) -> &[String] {
        &self.predicates
    }

    /// The names in texts, and their meanings.
    pub fn shared(&self) -> &[(String, String)] {
        &self.shared
    }
}

fn of(nodes: &[Text], formula: RunFormula) -> Text {
    match formula.node() {
        Some(node) => nodes[node as usize].clone(),
        None => Text::new(Binds::Tightly, (formula == RunFormula::TRUE).to_string()),
    }
}

/// A writer of expressions over earlier ones.
struct Writer<'a> {
    exprs: &'a [RunExpr],
    earlier: &'a [Text],
    names: &'a Names<'a>,
}

impl Writer<'_> {
    fn operand(&self, index: u32) -> &Text {
        &self.earlier[index as usize]
    }

    fn expression(&self, expr: &RunExpr) -> Text {
        let tight = |index: u32| self.operand(index).within(Binds::Tightly);
        let list = |operands: &[u32]| -> String {
            operands.iter().map(|&operand| self.operand(operand).text.as_str()).collect::<Vec<_>>().join(", ")
        };
        let text = match *expr {
            RunExpr::Binary(op, a, b) => return self.binary(op, a, b),
            RunExpr::Unary(UnOp::Not, of) => return self.negation(of),
            RunExpr::Value(ref constant) => value(constant),
            RunExpr::Var(var, level) => self.names.variable(var, level),
            RunExpr::Load(region, at, ty) => format!("{}[{}]:{ty}", self.names.region(region), list(&[at])),
            RunExpr::Ite(cond, then, or) => format!("({} ? {} : {})", tight(cond), tight(then), tight(or)),
            RunExpr::Fma(a, b, c) => format!("fma({})", list(&[a, b, c])),
            RunExpr::Extract(high, low, of) => format!("bits({}, {high}, {low})", list(&[of])),
            RunExpr::Unary(op, of) if is_word(op.text()) => format!("{}({})", op.text(), list(&[of])),
            RunExpr::Unary(op, of) => format!("{}{}", op.text().trim_end_matches('.'), tight(of)),
            RunExpr::Cast(op, ty, of) => format!("{}({}, {ty})", op.text(), list(&[of])),
        };
        Text::new(Binds::Tightly, text)
    }

    /// The negation of a truth value.
    fn negation(&self, of: u32) -> Text {
        let (op, a, b) = match self.exprs[of as usize] {
            RunExpr::Binary(BinOp::Eq, a, b) => ("!=", a, b),
            // The negation of "less" is "greater or equal".
            RunExpr::Binary(BinOp::Slt, a, b) => (">=", a, b),
            RunExpr::Binary(BinOp::Sle, a, b) => (">", a, b),
            RunExpr::Binary(BinOp::Ult, a, b) => (">=u", a, b),
            RunExpr::Binary(BinOp::Ule, a, b) => (">u", a, b),
            _ => return Text::new(Binds::Tightly, format!("!{}", self.operand(of).within(Binds::Tightly))),
        };
        self.comparison(op, a, b)
    }

    fn binary(&self, op: BinOp, a: u32, b: u32) -> Text {
        let (left, right) = (self.operand(a), self.operand(b));
        match op {
            BinOp::Eq | BinOp::Slt | BinOp::Sle | BinOp::Ult | BinOp::Ule => {
                self.comparison(symbol(op.text()), a, b)
            }
            _ if is_word(op.text()) => {
                Text::new(Binds::Tightly, format!("{}({}, {})", op.text(), left.text, right.text))
            }
            _ => {
                let (binds, most) = match op {
                    BinOp::BoolAnd => (Binds::Conjunction, Binds::Conjunction),
                    BinOp::BoolOr => (Binds::Logic, Binds::Arithmetic),
                    _ => (Binds::Arithmetic, Binds::Tightly),
                };
                let (left, right) = (left.within(most), right.within(most));
                Text::new(binds, format!("{left} {} {right}", symbol(op.text())))
            }
        }
    }

    /// A comparison of integers, with a constant on the right as usual.
    fn comparison(&self, op: &str, a: u32, b: u32) -> Text {
        let is_constant = |index: u32| matches!(self.exprs[index as usize], RunExpr::Value(_));
        let turned = op.replace(['<', '>'], if op.starts_with('<') { ">" } else { "<" });
        let (a, op, b) = match is_constant(a) && !is_constant(b) {
            true => (b, turned.as_str(), a),
            false => (a, op, b),
        };
        let [a, b] = [a, b].map(|operand| self.operand(operand).within(Binds::Tightly));
        Text::new(Binds::Arithmetic, format!("{a} {op} {b}"))
    }
}

/// Whether an operator is written as a function.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// An operator of the IR as in C, except those of unsigned integers.
fn symbol(text: &'static str) -> &'static str {
    text.trim_end_matches(['s', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::{RunCuts, RunNode};
    use beeline_ir::{Value, VarId};

    #[test]
    fn formulas_read_as_in_c() {
        use RunExpr::{Binary, Unary};
        let exprs = vec![
            RunExpr::Var(VarId::from_u32(0), 0),
            RunExpr::Value(Value::bv(32, 20)),
            Binary(BinOp::Slt, 1, 0),
            Binary(BinOp::Add, 0, 1),
            Binary(BinOp::Ule, 3, 0),
            Unary(UnOp::Not, 2),
            Binary(BinOp::BoolOr, 5, 4),
            Unary(UnOp::Not, 6),
            Binary(BinOp::SDiv, 3, 0),
            Binary(BinOp::Eq, 8, 1),
        ];
        let node = |pred, no, yes| RunNode { pred, no, yes };
        let (yes, no) = (RunFormula::TRUE, RunFormula::FALSE);
        let nodes = vec![
            node(0, yes, no),
            node(1, no, RunFormula::of_node(0)),
            node(2, RunFormula::of_node(0), RunFormula::of_node(1)),
            node(4, yes, no),
            node(2, no, yes),
            node(1, no, RunFormula::of_node(4)),
        ];
        let predicates = vec![2, 4, 6, 7, 9];
        let (cuts, stacks, states, ensures) = (RunCuts::Everywhere, vec![], vec![], vec![]);
        let proof = RunProof { cuts, exprs, predicates, nodes, stacks, states, ensures };
        let formulas = Formulas::new(&proof, &Names { program: None });
        let expected = [
            "v0 > 20",
            "(v0 + 20) <=u v0",
            "v0 <= 20 || (v0 + 20) <=u v0",
            "!(v0 <= 20 || (v0 + 20) <=u v0)",
            "((v0 + 20) / v0) == 20",
        ];
        assert_eq!(formulas.predicates(), expected);
        let text = |node| formulas.text(RunFormula::of_node(node));
        assert_eq!(text(0), "v0 <= 20");
        assert_eq!(text(1), "(v0 + 20) <=u v0 && v0 <= 20");
        let [or, and] = ["(v0 <= 20 || (v0 + 20) <=u v0)", "((v0 + 20) <=u v0 && v0 <= 20)"];
        assert_eq!(text(2), format!("({or} ? {and} : v0 <= 20)"));
        assert_eq!(text(3), "((v0 + 20) / v0) != 20");
        assert_eq!(text(5), format!("(v0 + 20) <=u v0 && {or}"));
        assert_eq!(formulas.text(yes), "true");
    }
}
