//! The content of a correctness witness: invariants of loops, as C expressions.
//!
//! The abstract states of a proof at the head of a loop, taken together, are an invariant there. Of a proof after
//! residual conditions, these are its own states and those of the residual conditions: an execution is in one of the latter
//! until it is in an open state, and the proof follows it from there. Facts that C
//! cannot express at that place are dropped, which leaves a weaker invariant that still holds. Facts about
//! values at the entry of a function, in a proof by summaries, are dropped too: the states of all its
//! contexts are those of a graph.

pub use crate::contracts::Contract;
use crate::explored::Explored;
use crate::facts::{Facts, Head, Said, joined};
use crate::point::Point;
use crate::source::Sources;
use crate::unit::Unit;
use beeline_graph::Loops;
use beeline_ir::{FuncId, LocId, Program};
use beeline_run::{RunProof, RunSummaries};

/// A proof, as far as C can express it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Correctness {
    /// The invariants.
    pub invariants: Vec<Invariant>,
    /// The contracts of functions.
    pub contracts: Vec<Contract>,
    /// The number of loops without an invariant.
    pub loops_left_out: usize,
    /// The number of facts that were dropped.
    pub facts_left_out: usize,
}

/// An invariant of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invariant {
    /// The start of the loop: its `for` or `while`.
    pub point: Point,
    /// What holds whenever its condition is evaluated.
    pub text: String,
}

impl Correctness {
    /// The content of a proof about all targets for the loops in a source file, which is read. The proof comes first,
    /// then the graphs of the residual conditions that it relies on.
    pub fn new(program: &Program, graphs: &[&RunProof], file: &str, sources: &Sources) -> Correctness {
        let content = sources.content(file).unwrap_or_default();
        Correctness::in_unit(program, graphs, &Unit::new(file, &content))
    }

    /// The content of such a proof for the loops in one C file.
    pub fn in_unit(program: &Program, graphs: &[&RunProof], unit: &Unit) -> Correctness {
        Correctness::of(program, graphs, None, unit)
    }

    /// The content of a proof by summaries for the loops and functions in one C file.
    pub fn of_summaries(program: &Program, summaries: &RunSummaries, unit: &Unit) -> Correctness {
        Correctness::of(program, &[&summaries.graph], Some(summaries), unit)
    }

    fn of(
        program: &Program,
        graphs: &[&RunProof],
        summaries: Option<&RunSummaries>,
        unit: &Unit,
    ) -> Correctness {
        let mut found = Correctness::default();
        // Optimised code has other loops than the source, and its variables have no names.
        let named = program.vars.iter().any(|(id, var)| {
            let owner = var.owner.map(|owner| &program.functions[owner]);
            var.source.is_some() && owner.is_some_and(|owner| owner.locals.contains(&id))
        });
        let explored = Explored::new(program);
        let mut facts: Vec<Facts<'_>> = graphs.iter().map(|graph| Facts::new(program, graph, unit)).collect();
        for func in program.functions.keys() {
            let loops = Loops::new(program, func);
            for (_, a_loop) in loops.iter() {
                let at = program.out_edges(a_loop.head).find_map(|edge| program.edges[edge].span);
                let is_told = named && explored.is_wholly(func, a_loop.head);
                let at =
                    at.filter(|_| is_told).and_then(|span| Some((unit.number(program, span)?, span.col)));
                let head = at.and_then(|(line, col)| Head::find(unit, line, col));
                let text = head.and_then(|head| invariant(&mut facts, func, a_loop.head, head));
                match (head, text) {
                    (Some(head), Some(text)) => {
                        let function = program.source_function(func).to_string();
                        let column = u32::try_from(head.start + 1).ok();
                        let point = Point { function: Some(function), line: head.line, column };
                        found.invariants.push(Invariant { point, text });
                    }
                    _ => found.loops_left_out += 1,
                }
            }
        }
        if let (Some(summaries), Some(facts)) = (summaries, facts.first_mut()) {
            found.contracts = facts.contracts(summaries, &explored);
        }
        found.facts_left_out = facts.iter().map(|facts| facts.dropped).sum();
        found
    }
}

/// What holds at a location by all graphs together, if C can express any of it.
fn invariant(facts: &mut [Facts<'_>], func: FuncId, loc: LocId, head: Head) -> Option<String> {
    let alternatives = facts.iter_mut().flat_map(|facts| facts.alternatives(func, loc, head)).collect();
    if let Said::Text(text) = joined(alternatives) { Some(text) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_ir::{BinOp, LocId, Value, text};
    use beeline_run::{RunCuts, RunExpr, RunFormula, RunNode, RunStack, RunState};

    const SOURCE: &str = "int main(void) {\n  int x = 0;\n  while (x < 5)\n    x++;\n}\n";

    const PROGRAM: &str = "beeline 1.0
program \"p.c\"
entry main
file \"p.c\"
fn main() in \"p.c\" {
  var x: i32 as \"x\" \"int\" @2, t: i32
  L0: x := t @2:7
  L1: while x <s 5 goto L2 else L3 @3:3
  L2: x := x + 1 goto L1 @4:5
  L3: if x == 5 goto L4 else bad
  bad: target \"t\"
  L4: exit
}
";

    /// What a proof says at the loop that has one state there for each formula. Predicates 0 to 2 are
    /// x == 1, x == 2 and x == 3; predicate 3 is about a variable without a name.
    fn said(nodes: &[(u32, RunFormula, RunFormula)], formulas: &[RunFormula]) -> (Option<String>, usize) {
        let program = text::parse(PROGRAM).unwrap_or_else(|faults| panic!("{faults:?}"));
        let main = program.entry;
        let [x, t] = ["x", "t"].map(|name| program.vars.iter().find(|(_, var)| var.name == name).unwrap().0);
        let number = |value| RunExpr::Value(Value::bv(32, value));
        let mut exprs = vec![RunExpr::Var(x, 0), RunExpr::Var(t, 0), number(1), number(2), number(3)];
        exprs.extend([(0, 2), (0, 3), (0, 4), (1, 2)].map(|(a, b)| RunExpr::Binary(BinOp::Eq, a, b)));
        let head = LocId::from_u32(program.functions[main].locs.start + 1);
        let state = |&formula: &RunFormula| RunState {
            loc: head,
            stack: 0,
            values: Vec::new(),
            formula,
            children: Vec::new(),
            covered_by: None,
        };
        let proof = RunProof {
            cuts: RunCuts::Everywhere,
            stacks: vec![RunStack { caller: None, callee: main }],
            exprs,
            predicates: vec![5, 6, 7, 8],
            nodes: nodes.iter().map(|&(pred, no, yes)| RunNode { pred, no, yes }).collect(),
            states: formulas.iter().map(state).collect(),
            ensures: vec![],
        };
        assert_eq!(proof.well_formed(), Ok(()));
        let mut found = Correctness::in_unit(&program, &[&proof], &Unit::new("p.c", SOURCE.as_bytes()));
        let invariant = found.invariants.pop();
        let place = invariant.as_ref().map(|it| (it.point.line, it.point.column));
        assert!(place.is_none_or(|place| place == (3, Some(3))), "{place:?}");
        (invariant.map(|invariant| invariant.text), found.facts_left_out)
    }

    const NO: RunFormula = RunFormula::FALSE;
    const YES: RunFormula = RunFormula::TRUE;

    fn node(index: u32) -> RunFormula {
        RunFormula::of_node(index)
    }

    #[test]
    fn decisions_become_conditions() {
        let text = |nodes: &[_], formula| said(nodes, &[formula]).0;
        assert_eq!(text(&[(0, NO, YES)], node(0)).as_deref(), Some("x == 1"));
        assert_eq!(text(&[(0, YES, NO)], node(0)).as_deref(), Some("x != 1"));
        let either = [(0, NO, YES), (1, node(0), YES)];
        assert_eq!(text(&either, node(1)).as_deref(), Some("(x != 2 && x == 1) || x == 2"));
        assert_eq!(text(&[], YES), None);
        assert_eq!(text(&[], NO), None);
    }

    #[test]
    fn a_decision_that_c_cannot_tell_leaves_both_ways_open() {
        let nodes = [(0, NO, YES), (1, NO, YES), (3, node(0), node(1))];
        assert_eq!(said(&nodes, &[node(2)]), (Some("x == 1 || x == 2".into()), 1));
        // If one branch allows anything, nothing is known.
        assert_eq!(said(&[(0, NO, YES), (3, YES, node(0))], &[node(1)]), (None, 1));
        assert_eq!(said(&[(0, NO, YES), (3, NO, node(0))], &[node(1)]), (Some("x == 1".into()), 1));
    }

    #[test]
    fn the_states_of_a_place_are_alternatives() {
        let nodes = [(0, NO, YES), (1, NO, YES)];
        assert_eq!(said(&nodes, &[node(0), node(1), NO]).0.as_deref(), Some("x == 1 || x == 2"));
        assert_eq!(said(&nodes, &[node(0), YES]).0, None, "one of which nothing is known");
    }
}
