//! Facts of the states of a proof at a place, as C expressions over what is visible there.

use crate::alternatives::brief;
use crate::expression::{CWriter, Overflow};
use crate::unit::Unit;
use beeline_ir::{BinOp, Expr, ExprId, FuncId, LocId, Program, SourceVar, Value, Var, VarId};
use beeline_run::{AT_ENTRY, RunExpr, RunFormula, RunKey, RunProof, RunState};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The greatest number of alternatives of a useful invariant.
const MOST_ALTERNATIVES: usize = 100;
/// The greatest length of a useful invariant in bytes.
const LONGEST: usize = 20_000;

/// The head of a loop in the source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head {
    /// The line.
    pub line: u32,
    /// The number of bytes of the line before its `for` or `while`.
    pub start: usize,
}

impl Head {
    /// The loop whose keyword is at a place, or whose parentheses the place is in.
    pub(crate) fn find(unit: &Unit, line: u32, col: u32) -> Option<Head> {
        let text = unit.line(line)?;
        let col = (col as usize).checked_sub(1)?;
        let start = (0..=col).rev().filter(|&start| keyword_at(text, start)).find(|&start| {
            let between = text.get(start..col).unwrap_or("");
            start == col || between.matches('(').count() > between.matches(')').count()
        })?;
        Some(Head { line, start })
    }
}

/// Whether a `for` or a `while` begins at a position of a line.
fn keyword_at(line: &str, start: usize) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let Some(rest) = line.get(start..) else { return false };
    let word: &str = rest.split(|c| !is_name(c)).next().unwrap_or("");
    // The `while` at the end of a `do` is not a head.
    let before = line.get(..start).unwrap_or("");
    ["for", "while"].contains(&word) && !before.ends_with(is_name) && !before.trim_end().ends_with('}')
}

/// The facts of a proof.
pub(crate) struct Facts<'p> {
    pub(crate) declared: &'p Program,
    /// The program, with added expressions for facts, and with added variables.
    program: Program,
    words: Words,
    proof: &'p RunProof,
    pub(crate) unit: &'p Unit,
    pub(crate) dropped: usize,
}

/// A statement of C about a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    False,
    /// Nothing.
    True,
    Text(String),
}

/// The place where facts are stated.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope {
    /// At a loop of a function, in one of its activations.
    Loop { head: Head, func: FuncId, level: u32 },
    /// At the entry of a function.
    Entry(FuncId),
    /// At the exit of a function, about values at its entry.
    Called(FuncId),
    /// At the exit of a function.
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
    pub(crate) fn new(declared: &'p Program, proof: &'p RunProof, unit: &'p Unit) -> Facts<'p> {
        let mut program = declared.clone();
        let words = Words::add_to(&mut program);
        Facts { declared, program, words, proof, unit, dropped: 0 }
    }

    /// What C can express of each state at a location: one of them holds there.
    pub(crate) fn alternatives(&mut self, func: FuncId, loc: LocId, head: Head) -> Vec<Said> {
        let proof = self.proof;
        let states = proof.states.iter().filter(|state| state.loc == loc && state.covered_by.is_none());
        let mut alternatives = Vec::new();
        for state in states {
            let scope = Scope::Loop { head, func, level: self.level(state, func) };
            alternatives.push(self.state(state, scope));
            if alternatives.last() == Some(&Said::True) {
                break;
            }
        }
        alternatives
    }

    /// The facts of a state that C can express.
    pub(crate) fn state(&mut self, state: &RunState, scope: Scope) -> Said {
        let mut conditions: Vec<ExprId> = Vec::new();
        for (key, value) in &state.values {
            let (&RunKey::Var(var, level), Some(value)) = (key, value) else {
                self.dropped += usize::from(value.is_some());
                continue;
            };
            if self.is_address(var, value) {
                // C cannot express the addresses of objects.
                self.dropped += 1;
            } else if let Some(var) = self.words.word(self.declared, (var, level), scope) {
                let exprs = &mut self.program.exprs;
                let (var, constant) = (exprs.var(var, value.ty()), exprs.constant(value.clone()));
                // Zeros are equal whatever their sign; a NaN equals nothing and has no constant in C.
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

    /// Whether a variable is a pointer with a value other than null.
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

    /// A formula in C. Where C cannot express a decision, both outcomes are possible.
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
        // A text that is too long is dropped.
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
            // C cannot express memory here.
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

    /// The level of the topmost activation of a function on a state's stack: the number of those below.
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

/// The disjunction of several statements: if C can express nothing of one of them, nothing is known.
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

/// Whether the name of a variable refers to it at the head of a loop of its function. Debug information has
/// the line of its declaration; the braces of the source determine its scope.
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
    // After the name, its block must not be closed; the block of a variable that a loop declares is the one
    // that the loop opens.
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

/// The position of a word in a text.
fn word_at(text: &str, word: &str) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|&at| !text[..at].ends_with(is_name) && !text[at + word.len()..].starts_with(is_name))
}

/// Variables that are added to the program: values at a call, and the result of a function.
#[derive(Debug, Default)]
pub(crate) struct Words {
    old: FxHashMap<VarId, VarId>,
    results: FxHashMap<VarId, VarId>,
}

impl Words {
    /// Adds them to a program.
    pub(crate) fn add_to(program: &mut Program) -> Words {
        let mut words = Words::default();
        let variables: Vec<(VarId, Var)> = program.vars.iter().map(|(id, var)| (id, var.clone())).collect();
        for (id, var) in variables {
            let function = var.owner.map(|owner| &program.functions[owner]);
            if function.is_none_or(|function| function.params.contains(&id)) {
                let Some(source) = &var.source else { continue };
                let source = SourceVar { name: format!("\\old({})", source.name), ..source.clone() };
                words.old.insert(id, program.vars.push(Var { source: Some(source), ..var }));
            } else if function.is_some_and(|function| function.ret == Some(id)) {
                let source = SourceVar { name: "\\result".into(), ty: String::new(), span: None };
                words.results.insert(id, program.vars.push(Var { source: Some(source), ..var }));
            }
        }
        words
    }

    /// The variable that stands for a variable of a proof at a place.
    pub(crate) fn word(&self, program: &Program, (var, level): (VarId, u32), scope: Scope) -> Option<VarId> {
        let owner = program.vars[var].owner;
        let is_param = |func: FuncId| program.functions[func].params.contains(&var);
        match scope {
            Scope::Loop { func, level: top, .. } => {
                let is_there = owner.is_none() || owner == Some(func) && level == top;
                (is_there && level != AT_ENTRY).then_some(var)
            }
            Scope::Entry(func) => (owner.is_none() || is_param(func)).then_some(var),
            Scope::Called(func) if owner.is_none() || is_param(func) => self.old.get(&var).copied(),
            Scope::Exit(_) if level == AT_ENTRY => self.old.get(&var).copied(),
            Scope::Exit(func) if program.functions[func].ret == Some(var) => self.results.get(&var).copied(),
            Scope::Exit(_) if owner.is_none() => Some(var),
            Scope::Called(_) | Scope::Exit(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_ir::text;

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
