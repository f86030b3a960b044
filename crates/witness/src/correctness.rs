//! What a correctness witness tells: invariants of loops, as C expressions.
//!
//! The abstract states of a proof at the head of a loop, taken together, are an invariant there. Facts that
//! C cannot say at that place are dropped, which leaves a weaker invariant that still holds. So do those of what was there
//! where a function began, in a proof by summaries: the states of all its contexts are those of a graph.

use crate::alternatives::brief;
pub use crate::contracts::Contract;
use crate::contracts::Words;
use crate::explored::Explored;
use crate::expression::{CWriter, Overflow};
use crate::source::Sources;
use crate::unit::Unit;
use crate::violation::Point;
use beeline_graph::Loops;
use beeline_ir::{BinOp, Expr, ExprId, FuncId, LocId, Program, Value, VarId};
use beeline_run::{RunExpr, RunFormula, RunKey, RunProof, RunState, RunSummaries};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// More alternatives make no invariant that helps.
const MOST_ALTERNATIVES: usize = 100;
/// Nor do so many bytes.
const LONGEST: usize = 20_000;

/// A proof, as far as C can say it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Correctness {
    /// The invariants.
    pub invariants: Vec<Invariant>,
    /// What functions require and ensure.
    pub contracts: Vec<Contract>,
    /// Loops without one.
    pub loops_left_out: usize,
    /// Facts that were dropped.
    pub facts_left_out: usize,
}

/// An invariant of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invariant {
    /// Where the loop begins: at its `for` or `while`.
    pub point: Point,
    /// What holds whenever its condition is evaluated.
    pub text: String,
}

impl Correctness {
    /// What a proof about all targets says of the loops in a file of the source, which is read from where it is.
    pub fn new(program: &Program, proof: &RunProof, file: &str, sources: &Sources) -> Correctness {
        let content = sources.content(file).unwrap_or_default();
        Correctness::in_unit(program, proof, &Unit::new(file, &content))
    }

    /// What a proof about all targets says of the loops in one C file.
    pub fn in_unit(program: &Program, proof: &RunProof, unit: &Unit) -> Correctness {
        Correctness::of(program, proof, None, unit)
    }

    /// What a proof by summaries says of the loops and the functions in one C file.
    pub fn of_summaries(program: &Program, summaries: &RunSummaries, unit: &Unit) -> Correctness {
        Correctness::of(program, &summaries.graph, Some(summaries), unit)
    }

    fn of(program: &Program, proof: &RunProof, summaries: Option<&RunSummaries>, unit: &Unit) -> Correctness {
        let mut found = Correctness::default();
        // Optimised code has other loops than the source, and no variables that could be named.
        let named = program.vars.iter().any(|(id, var)| {
            let owner = var.owner.map(|owner| &program.functions[owner]);
            var.source.is_some() && owner.is_some_and(|owner| owner.locals.contains(&id))
        });
        let explored = Explored::new(program);
        let mut facts = Facts::new(program, proof, unit);
        for func in program.functions.keys() {
            let loops = Loops::new(program, func);
            for (_, a_loop) in loops.iter() {
                let at = program.out_edges(a_loop.head).find_map(|edge| program.edges[edge].span);
                let is_told = named && explored.is_wholly(func, a_loop.head);
                let at =
                    at.filter(|_| is_told).and_then(|span| Some((unit.number(program, span)?, span.col)));
                let head = at.and_then(|(line, col)| Head::find(unit, line, col));
                let text = head.and_then(|head| facts.invariant(func, a_loop.head, head));
                match (head, text) {
                    (Some(head), Some(text)) => {
                        let function = program.source_function(func).to_string();
                        let column = u32::try_from(head.start + 1).ok();
                        let point = Point { function, line: head.line, column };
                        found.invariants.push(Invariant { point, text });
                    }
                    _ => found.loops_left_out += 1,
                }
            }
        }
        if let Some(summaries) = summaries {
            found.contracts = facts.contracts(summaries, &explored);
        }
        found.facts_left_out = facts.dropped;
        found
    }
}

/// Where the source has a loop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    /// The line.
    line: u32,
    /// How many bytes of the line come before its `for` or `while`.
    start: usize,
}

impl Head {
    /// The loop whose keyword is at a place, or whose parentheses the place is in.
    fn find(unit: &Unit, line: u32, col: u32) -> Option<Head> {
        let text = unit.line(line)?;
        let col = (col as usize).checked_sub(1)?;
        let start = (0..=col).rev().filter(|&start| keyword_at(text, start)).find(|&start| {
            let between = text.get(start..col).unwrap_or("");
            start == col || between.matches('(').count() > between.matches(')').count()
        })?;
        Some(Head { line, start })
    }
}

/// Does a `for` or a `while` begin at a position of a line?
fn keyword_at(line: &str, start: usize) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let Some(rest) = line.get(start..) else { return false };
    let word: &str = rest.split(|c| !is_name(c)).next().unwrap_or("");
    // The `while` at the end of a `do` is no head.
    let before = line.get(..start).unwrap_or("");
    ["for", "while"].contains(&word) && !before.ends_with(is_name) && !before.trim_end().ends_with('}')
}

/// The facts of a proof.
pub(crate) struct Facts<'p> {
    pub(crate) declared: &'p Program,
    /// The program, with expressions for facts added, and with other words.
    program: Program,
    words: Words,
    proof: &'p RunProof,
    pub(crate) unit: &'p Unit,
    dropped: usize,
}

/// What C can say of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    False,
    /// Nothing.
    True,
    Text(String),
}

/// Where facts are to be said.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope {
    /// At a loop of a function, in one of its activations.
    Loop { head: Head, func: FuncId, level: u32 },
    /// Where a function begins.
    Entry(FuncId),
    /// Where it returns, of what was there where it began.
    Called(FuncId),
    /// Where it returns.
    Exit(FuncId),
}

impl Scope {
    fn func(self) -> FuncId {
        match self {
            Scope::Loop { func, .. } | Scope::Entry(func) | Scope::Called(func) | Scope::Exit(func) => func,
        }
    }
}

impl<'p> Facts<'p> {
    fn new(declared: &'p Program, proof: &'p RunProof, unit: &'p Unit) -> Facts<'p> {
        let mut program = declared.clone();
        let words = Words::add_to(&mut program);
        Facts { declared, program, words, proof, unit, dropped: 0 }
    }

    /// What holds at a location, if C can say anything about it.
    fn invariant(&mut self, func: FuncId, loc: LocId, head: Head) -> Option<String> {
        let proof = self.proof;
        let states = proof.states.iter().filter(|state| state.loc == loc && state.covered_by.is_none());
        let mut alternatives = Vec::new();
        for state in states {
            let scope = Scope::Loop { head, func, level: self.level(state, func) };
            alternatives.push(self.state(state, scope));
            if alternatives.last() == Some(&Said::True) {
                return None;
            }
        }
        if let Said::Text(text) = joined(alternatives) { Some(text) } else { None }
    }

    /// What a state knows and C can say.
    pub(crate) fn state(&mut self, state: &RunState, scope: Scope) -> Said {
        let mut conditions: Vec<ExprId> = Vec::new();
        for (key, value) in &state.values {
            let (&RunKey::Var(var, level), Some(value)) = (key, value) else {
                self.dropped += usize::from(value.is_some());
                continue;
            };
            if self.is_address(var, value) {
                // C has no words for where objects lie.
                self.dropped += 1;
            } else if let Some(var) = self.words.word(self.declared, (var, level), scope) {
                let exprs = &mut self.program.exprs;
                let (var, constant) = (exprs.var(var, value.ty()), exprs.constant(value.clone()));
                // Zeros are equal whatever their sign, and a NaN to nothing: it has no constant in C.
                conditions.push(match value {
                    Value::Float(..) => exprs.binary(BinOp::FEq, var, constant),
                    _ => exprs.eq(var, constant),
                });
            }
        }
        let mut facts = Vec::new();
        for condition in conditions {
            match self.condition(condition, scope) {
                Some(text) => facts.push(text),
                None => self.dropped += 1,
            }
        }
        match self.formula(state.formula, scope, &mut FxHashMap::default()) {
            Said::False => return Said::False,
            Said::True => {}
            Said::Text(text) if facts.is_empty() => return Said::Text(text),
            Said::Text(text) => facts.push(if text.contains("||") { format!("({text})") } else { text }),
        }
        if facts.is_empty() { Said::True } else { Said::Text(facts.join(" && ")) }
    }

    /// Does a pointer have a value that leads somewhere?
    fn is_address(&self, var: VarId, value: &Value) -> bool {
        let source = self.program.vars[var].source.as_ref();
        source.is_some_and(|source| source.ty.ends_with('*')) && *value != Value::zero(value.ty())
    }

    /// A condition in C, if its variables can be seen at the loop.
    fn condition(&self, condition: ExprId, scope: Scope) -> Option<String> {
        let program = &self.program;
        let seen = |var| match scope {
            Scope::Loop { head, .. } => visible(program, var, head, self.unit),
            Scope::Entry(_) | Scope::Called(_) | Scope::Exit(_) => true,
        };
        if !variables(program, condition).all(seen) {
            return None;
        }
        CWriter::new(program, scope.func(), Overflow::Defined).condition(condition)
    }

    /// What a formula says in C. Where C has no words for a decision, both outcomes are possible.
    fn formula(
        &mut self,
        formula: RunFormula,
        scope: Scope,
        known: &mut FxHashMap<RunFormula, Said>,
    ) -> Said {
        let Some(node) = formula.node() else {
            return if formula == RunFormula::TRUE { Said::True } else { Said::False };
        };
        if let Some(said) = known.get(&formula) {
            return said.clone();
        }
        let node = self.proof.nodes[node as usize];
        let no = self.formula(node.no, scope, known);
        let yes = self.formula(node.yes, scope, known);
        let pred = self.proof.predicates[node.pred as usize];
        let pred = self.expression(pred, scope).map(|pred| (pred, self.program.exprs.not(pred)));
        let pred =
            pred.and_then(|(pred, not)| Some((self.condition(pred, scope)?, self.condition(not, scope)?)));
        let said = match (pred, yes, no) {
            (_, Said::False, Said::False) => Said::False,
            (_, Said::True, Said::True) => Said::True,
            (Some((holds, _)), Said::True, Said::False) => Said::Text(holds),
            (Some((_, fails)), Said::False, Said::True) => Said::Text(fails),
            (Some((holds, _)), yes, Said::False) => both(Said::Text(holds), yes),
            (Some((_, fails)), Said::False, no) => both(Said::Text(fails), no),
            (Some((holds, fails)), yes, no) => {
                either(both(Said::Text(holds), yes), both(Said::Text(fails), no))
            }
            (None, yes, no) => {
                self.dropped += 1;
                either(yes, no)
            }
        };
        // What is too long is not said.
        let said = match said {
            Said::Text(text) if text.len() > LONGEST => Said::True,
            said => said,
        };
        known.insert(formula, said.clone());
        said
    }

    /// An expression of the proof as one of the program, over variables at the loop.
    fn expression(&mut self, index: u32, scope: Scope) -> Option<ExprId> {
        let proof = self.proof;
        let expr = match proof.exprs[index as usize] {
            RunExpr::Value(ref value) => return Some(self.program.exprs.constant(value.clone())),
            RunExpr::Var(var, level) => {
                let var = self.words.word(self.declared, (var, level), scope)?;
                let ty = self.program.vars[var].ty;
                return Some(self.program.exprs.var(var, ty));
            }
            // C has no words for memory here.
            RunExpr::Load(..) => return None,
            RunExpr::Ite(a, b, c) => {
                Expr::Ite(self.expression(a, scope)?, self.expression(b, scope)?, self.expression(c, scope)?)
            }
            RunExpr::Fma(a, b, c) => {
                Expr::Fma(self.expression(a, scope)?, self.expression(b, scope)?, self.expression(c, scope)?)
            }
            RunExpr::Extract(hi, lo, arg) => Expr::Extract { hi, lo, arg: self.expression(arg, scope)? },
            RunExpr::Unary(op, arg) => Expr::Unary(op, self.expression(arg, scope)?),
            RunExpr::Binary(op, a, b) => {
                Expr::Binary(op, self.expression(a, scope)?, self.expression(b, scope)?)
            }
            RunExpr::Cast(op, ty, arg) => Expr::Cast(op, ty, self.expression(arg, scope)?),
        };
        self.program.exprs.intern(expr, self.declared).ok()
    }

    /// Which activation of a function the top of a state's stack is: how many are below.
    fn level(&self, state: &RunState, func: FuncId) -> u32 {
        let mut level = 0;
        let mut stack = self.proof.stacks.get(state.stack as usize);
        while let Some((below, _)) = stack.and_then(|stack| stack.caller) {
            stack = self.proof.stacks.get(below as usize);
            level += u32::from(stack.is_some_and(|stack| stack.callee == func));
        }
        level
    }
}

/// One of several: where C can say nothing of one of them, it says nothing at all.
pub(crate) fn joined(several: Vec<Said>) -> Said {
    let mut alternatives = BTreeSet::new();
    for said in several {
        match said {
            Said::True => return Said::True,
            Said::False => {}
            Said::Text(text) => {
                alternatives.insert(text);
            }
        }
        if alternatives.len() > MOST_ALTERNATIVES {
            return Said::True;
        }
    }
    if alternatives.is_empty() {
        return Said::False;
    }
    let alternatives = brief(alternatives);
    let several = alternatives.len() > 1;
    let shown = |text: String| if several && text.contains("&&") { format!("({text})") } else { text };
    let alternatives: Vec<String> = alternatives.into_iter().map(shown).collect();
    let text = alternatives.join(" || ");
    if text.len() <= LONGEST { Said::Text(text) } else { Said::True }
}

pub(crate) fn both(a: Said, b: Said) -> Said {
    let part = |text: String| if text.contains("||") { format!("({text})") } else { text };
    match (a, b) {
        (Said::False, _) | (_, Said::False) => Said::False,
        (Said::True, other) | (other, Said::True) => other,
        (Said::Text(a), Said::Text(b)) => Said::Text(format!("{} && {}", part(a), part(b))),
    }
}

fn either(a: Said, b: Said) -> Said {
    let part = |text: String| if text.contains("&&") { format!("({text})") } else { text };
    match (a, b) {
        (Said::True, _) | (_, Said::True) => Said::True,
        (Said::False, other) | (other, Said::False) => other,
        (Said::Text(a), Said::Text(b)) => Said::Text(format!("{} || {}", part(a), part(b))),
    }
}

/// The variables of an expression.
fn variables(program: &Program, expr: ExprId) -> impl Iterator<Item = VarId> {
    let var = |(_, node)| if let Expr::Var(var) = node { Some(var) } else { None };
    program.exprs.parts([expr]).filter_map(var)
}

/// Does the name of a variable mean it at the head of a loop of its function? Debug information tells in
/// which line it is declared; the rest is in the braces of the source.
fn visible(program: &Program, var: VarId, head: Head, unit: &Unit) -> bool {
    let data = &program.vars[var];
    let Some(owner) = data.owner else { return true };
    // A parameter of a loop's function may be any variable of the source's.
    let is_whole = program.source_function(owner) == program.functions[owner].name;
    if is_whole && program.functions[owner].params.contains(&var) {
        return true;
    }
    let Some(source) = &data.source else { return false };
    let declared = source.span.and_then(|span| unit.number(program, span));
    let Some(declared) = declared.filter(|&line| line <= head.line) else { return false };
    let Some(first) = unit.line(declared) else { return false };
    let name = source.name.split(['.', '[']).next().unwrap_or("");
    if declared == head.line {
        // In the parentheses of the loop itself, that is before its first semicolon.
        let header = first.get(head.start..).unwrap_or("").split(';').next().unwrap_or("");
        return header.starts_with("for") && word_at(header, name).is_some();
    }
    let in_header = (0..first.len()).any(|at| keyword_at(first, at));
    // From the name on, its block must not have been closed; that of a loop's own is the one it opens.
    let (mut depth, mut opened) = (0u32, false);
    for line in declared..=head.line {
        let Some(text) = unit.line(line) else { return false };
        let from = if line == declared { word_at(text, name) } else { Some(0) };
        let until = if line == head.line { head.start } else { text.len() };
        let Some(text) = from.and_then(|from| text.get(from..until)) else { return false };
        for c in text.chars() {
            match c {
                '{' => (depth, opened) = (depth + 1, true),
                '}' if depth == 0 || in_header && depth == 1 => return false,
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    !in_header || opened
}

/// Where a word begins in a text.
fn word_at(text: &str, word: &str) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|&at| !text[..at].ends_with(is_name) && !text[at + word.len()..].starts_with(is_name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_ir::text;
    use beeline_run::{RunCuts, RunNode, RunStack};

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
        let mut found = Correctness::in_unit(&program, &proof, &Unit::new("p.c", SOURCE.as_bytes()));
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
        // If one way leads anywhere, nothing is known.
        assert_eq!(said(&[(0, NO, YES), (3, YES, node(0))], &[node(1)]), (None, 1));
        assert_eq!(said(&[(0, NO, YES), (3, NO, node(0))], &[node(1)]), (Some("x == 1".into()), 1));
    }

    #[test]
    fn the_states_of_a_place_are_alternatives() {
        let nodes = [(0, NO, YES), (1, NO, YES)];
        assert_eq!(said(&nodes, &[node(0), node(1), NO]).0.as_deref(), Some("x == 1 || x == 2"));
        assert_eq!(said(&nodes, &[node(0), YES]).0, None, "one of which nothing is known");
    }

    #[test]
    fn what_a_loop_that_is_a_function_is_given_may_be_declared_inside_of_it() {
        let source = "int f(int n) {\n  while (n) {\n    int t;\n    n = t;\n  }\n}\n";
        let text = "beeline 1.0
entry f
file \"p.c\"
fn f(n: i32 as \"n\" \"int\" @1) in \"p.c\" {
  L0: call f.loop1(n, n)
  L1: exit
}
fn f.loop1(n: i32 as \"n\" \"int\" @1, t: i32 as \"t\" \"int\" @3) in \"p.c\" {
  L0: exit
}
";
        let program = text::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let (unit, head) = (Unit::new("p.c", source.as_bytes()), Head { line: 2, start: 2 });
        let seen = |func: FuncId| -> Vec<bool> {
            let params = program.functions[func].params.iter();
            params.map(|&param| visible(&program, param, head, &unit)).collect()
        };
        assert_eq!(seen(program.entry), [true]);
        assert_eq!(seen(program.function_named("f.loop1").unwrap()), [true, false]);
    }
}
