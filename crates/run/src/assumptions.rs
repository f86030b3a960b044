//! The assumptions of a verdict, as sentences.

use crate::{Certificate, Run, RunBroken};
use beeline_ir::{Assumption, Direction, EdgeId, Expr, FuncId, Op, Program, Span};
use std::collections::{BTreeSet, HashSet};

/// The assumptions about operations that may have no result: accesses, and others.
pub const HOPES: [&str; 2] = ["no access outside of a live object", "no division without a result"];

/// An assumption of a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Premise {
    /// Its place in the source, if it has a single one.
    pub span: Option<Span>,
    /// The assumption, with its place.
    pub sentence: String,
}

impl Run {
    /// The assumptions that may make the verdicts wrong, both those by paths and those by proofs. Each is
    /// listed once, with its place in the source.
    pub fn assumptions(&self, program: &Program) -> BTreeSet<String> {
        self.premises(program).into_iter().map(|premise| premise.sentence).collect()
    }

    /// The same assumptions with their places; an assumption that occurs at two places is listed twice.
    pub fn premises(&self, program: &Program) -> Vec<Premise> {
        let placed = |assumption: &Assumption| match assumption.span {
            Some(span) => premise(Some(span), &program.show_span(span), &assumption.text),
            None => Premise { span: None, sentence: assumption.text.clone() },
        };
        let listed = self.paths.iter().flat_map(|path| &path.assumptions);
        let of_paths = listed.filter_map(|&at| program.assumptions.get(at as usize)).map(placed);
        let mut premises: Vec<Premise> = of_paths.collect();
        for (index, proof) in self.proofs.iter().enumerate() {
            // An earlier search may have explored functions that the proof never enters.
            let is_rested_on = self.resting.iter().any(|resting| resting.proof as usize == index);
            let entered = if is_rested_on { None } else { entered(proof) };
            premises.extend(hiding(program, entered).map(placed));
        }
        if !self.proofs.is_empty() {
            // Where an execution is known to violate the rule, it is not assumed that none does.
            let is_met = |edge| self.broken.iter().any(|at| at.place == program.show_origin(edge));
            let edges = self.undefined.iter().filter(|&&edge| program.edges.is_valid(edge) && !is_met(edge));
            premises.extend(edges.map(|&edge| match noted(program, edge) {
                Some(undefined) => placed(undefined),
                None => premise(program.edges[edge].span, &program.show_origin(edge), hope(program, edge)),
            }));
        }
        let met = self.broken.iter().map(|RunBroken { place, cause }| {
            let text =
                format!("undefined behaviour: {cause}; the verdict does not cover executions that come here");
            premise(None, place, &text)
        });
        premises.extend(met);
        premises
    }
}

fn premise(span: Option<Span>, place: &str, text: &str) -> Premise {
    Premise { span, sentence: format!("{place}: {text}") }
}

/// The functions that a proof enters, if it lists them.
fn entered(proof: &Certificate) -> Option<HashSet<FuncId>> {
    match proof {
        Certificate::Graph(graph) => Some(graph.stacks.iter().map(|stack| stack.callee).collect()),
        Certificate::Summaries(summaries) => {
            Some(summaries.graph.stacks.iter().map(|stack| stack.callee).collect())
        }
        Certificate::Unrolling(unrolling) => Some(unrolling.entered.iter().copied().collect()),
        Certificate::Joined(_) => None,
    }
}

/// The assumptions that may make a proof miss a bug, without those in functions that the proof never enters,
/// if these are known.
fn hiding(program: &Program, entered: Option<HashSet<FuncId>>) -> impl Iterator<Item = &Assumption> {
    let matters = move |edge: EdgeId| {
        let function = program.function_of(program.edges[edge].src);
        entered.as_ref().is_none_or(|entered| entered.contains(&function))
    };
    let hiding =
        program.assumptions.iter().filter(|assumption| assumption.direction != Direction::MayInventBug);
    hiding.filter(move |assumption| assumption.edge.is_none_or(&matters))
}

/// The note of the lowering on an edge that may have no result.
fn noted(program: &Program, edge: EdgeId) -> Option<&Assumption> {
    program.assumptions.iter().find(|assumption| assumption.edge == Some(edge) && assumption.ends())
}

/// The assumption about an edge that may have no result.
fn hope(program: &Program, edge: EdgeId) -> &'static str {
    let op = &program.edges[edge].op;
    let mut exprs = op.expressions();
    let mut accesses = matches!(op, Op::Store { .. });
    while let Some(expr) = exprs.pop() {
        let expr = &program.exprs[expr];
        accesses |= matches!(expr, Expr::Load { .. });
        exprs.extend(expr.operands());
    }
    HOPES[usize::from(!accesses)]
}
