//! What a correctness witness tells: invariants of loops, as C expressions.
//!
//! The abstract states of a proof at the head of a loop, taken together, are an invariant there. Facts that
//! C cannot say at that place are dropped, which leaves a weaker invariant that still holds.

use crate::expression::{CWriter, Overflow};
use crate::source::Sources;
use crate::violation::Point;
use beeline_graph::Loops;
use beeline_ir::{Expr, ExprId, FuncId, LocId, Program, Span, VarId};
use beeline_run::{RunKey, RunProof, RunState};
use std::collections::BTreeSet;

/// More alternatives make no invariant that helps.
const MOST_ALTERNATIVES: usize = 100;

/// A proof, as far as C can say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correctness {
    /// The invariants.
    pub invariants: Vec<Invariant>,
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
    /// What a proof says of the loops in one C file.
    pub fn new(program: &Program, proof: &RunProof, file: &str, sources: &mut Sources) -> Correctness {
        let mut found = Correctness { invariants: Vec::new(), loops_left_out: 0, facts_left_out: 0 };
        // Optimised code has other loops than the source, and no variables that could be named.
        let named = program.vars.iter().any(|(id, var)| {
            let owner = var.owner.map(|owner| &program.functions[owner]);
            var.source.is_some() && owner.is_some_and(|owner| owner.locals.contains(&id))
        });
        let mut facts = Facts { program: program.clone(), proof, dropped: 0 };
        for func in program.functions.keys() {
            let loops = Loops::new(program, func);
            for (_, a_loop) in loops.iter() {
                let at = program.out_edges(a_loop.head).find_map(|edge| program.edges[edge].span);
                let at = at.filter(|span| named && program.files[span.file] == file);
                let head = at.and_then(|span| Head::find(program, span, sources));
                let text = head.and_then(|head| facts.invariant(func, a_loop.head, &head, sources));
                match (head, text) {
                    (Some(head), Some(text)) => {
                        let function = program.functions[func].name.clone();
                        let point = Point { function, line: head.at.line, column: Some(head.at.col) };
                        found.invariants.push(Invariant { point, text });
                    }
                    _ => found.loops_left_out += 1,
                }
            }
        }
        found.facts_left_out = facts.dropped;
        found
    }
}

/// Where the source has a loop.
#[derive(Debug, Clone, Copy)]
struct Head {
    /// Its `for` or `while`.
    at: Span,
}

impl Head {
    /// The loop whose keyword is at a place, or whose parentheses the place is in.
    fn find(program: &Program, span: Span, sources: &mut Sources) -> Option<Head> {
        let line = sources.whole_line(&program.files[span.file], span.line)?;
        let col = (span.col as usize).checked_sub(1)?;
        let starts = (0..=col).rev().filter(|&start| keyword_at(line, start));
        let at = starts.into_iter().find(|&start| {
            let between = line.get(start..col).unwrap_or("");
            start == col || between.matches('(').count() > between.matches(')').count()
        })?;
        Some(Head { at: Span { col: at as u32 + 1, ..span } })
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
struct Facts<'p> {
    /// The program, with expressions for facts added.
    program: Program,
    proof: &'p RunProof,
    dropped: usize,
}

impl Facts<'_> {
    /// What holds at a location, if C can say anything about it.
    fn invariant(&mut self, func: FuncId, loc: LocId, head: &Head, sources: &mut Sources) -> Option<String> {
        let proof = self.proof;
        let states = proof.states.iter().filter(|state| state.loc == loc && state.covered_by.is_none());
        let mut alternatives = BTreeSet::new();
        for state in states {
            let facts = self.facts(func, state, head, sources);
            // A state of which C can say nothing makes the whole say nothing.
            if facts.is_empty() || alternatives.len() == MOST_ALTERNATIVES {
                return None;
            }
            alternatives.insert(facts.join(" && "));
        }
        let several = alternatives.len() > 1;
        let shown =
            |facts: String| if several && facts.contains("&&") { format!("({facts})") } else { facts };
        let alternatives: Vec<String> = alternatives.into_iter().map(shown).collect();
        (!alternatives.is_empty()).then(|| alternatives.join(" || "))
    }

    /// What a state knows and C can say.
    fn facts(&mut self, func: FuncId, state: &RunState, head: &Head, sources: &mut Sources) -> Vec<String> {
        let level = self.level(state, func);
        let mut conditions: Vec<ExprId> = Vec::new();
        for (key, value) in &state.values {
            let (&RunKey::Var(var, of), Some(value)) = (key, value) else {
                self.dropped += usize::from(value.is_some());
                continue;
            };
            let owner = self.program.vars[var].owner;
            if owner.is_none() || owner == Some(func) && of == level {
                let exprs = &mut self.program.exprs;
                let (var, value) = (exprs.var(var, value.ty()), exprs.constant(value.clone()));
                conditions.push(exprs.eq(var, value));
            }
        }
        let mut facts = Vec::new();
        let program = &self.program;
        let writer = CWriter::new(program, func, Overflow::Defined);
        for condition in conditions {
            let visible =
                variables(program, condition).iter().all(|&var| visible(program, var, head, sources));
            match writer.condition(condition).filter(|_| visible) {
                Some(text) => facts.push(if text.contains("||") { format!("({text})") } else { text }),
                None => self.dropped += 1,
            }
        }
        facts
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

/// The variables of an expression.
fn variables(program: &Program, expr: ExprId) -> Vec<VarId> {
    match program.exprs[expr] {
        Expr::Var(var) => vec![var],
        node => node.operands().flat_map(|operand| variables(program, operand)).collect(),
    }
}

/// Does the name of a variable mean it at the head of a loop of its function? Debug information tells in
/// which line it is declared; the rest is in the braces of the source.
fn visible(program: &Program, var: VarId, head: &Head, sources: &mut Sources) -> bool {
    let data = &program.vars[var];
    let Some(owner) = data.owner else { return true };
    if program.functions[owner].params.contains(&var) {
        return true;
    }
    let Some(source) = &data.source else { return false };
    let Some(declared) = source.span.filter(|span| span.file == head.at.file) else { return false };
    let file = &program.files[declared.file];
    let Some(first) = sources.whole_line(file, declared.line).map(str::to_string) else { return false };
    let name = source.name.split(['.', '[']).next().unwrap_or("");
    if declared.line == head.at.line {
        // In the parentheses of the loop itself, that is before its first semicolon.
        let header = first.get(head.at.col as usize - 1..).unwrap_or("").split(';').next().unwrap_or("");
        return header.starts_with("for") && has_word(header, name);
    }
    let in_header = (0..first.len()).any(|at| keyword_at(&first, at));
    let mut depth = 0i32;
    for line in declared.line + 1..=head.at.line {
        let Some(text) = sources.whole_line(file, line) else { return false };
        let until = if line == head.at.line { head.at.col as usize - 1 } else { text.len() };
        for c in text.get(..until).unwrap_or("").chars() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth < 0 {
                return false;
            }
        }
    }
    let opens = first.matches('{').count() > first.matches('}').count();
    declared.line < head.at.line && (!in_header || opens)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|part| part == word)
}
