//! Clauses of formulas without bit-vectors: a variable for each gate, without duplicates.

use super::clauses::{Assignment, Clauses, Literal};
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast, Bool, Dynamic};

/// The first variable, which is always true.
const TRUE: Literal = 1;

/// A function of literals that a variable stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Gate {
    And(Vec<Literal>),
    Xor(Literal, Literal),
    /// The second literal if the first one holds, otherwise the third.
    Choice(Literal, Literal, Literal),
    /// At least two of the literals hold.
    Majority(Literal, Literal, Literal),
}

/// The gates of the formulas so far.
pub(super) struct Gates {
    clauses: Clauses,
    gates: FxHashMap<Gate, Literal>,
    /// The gates that no clause has mentioned yet.
    pending: FxHashMap<Literal, Gate>,
    /// The conjunctions of two literals.
    pairs: FxHashMap<Literal, [Literal; 2]>,
    /// The literals of formulas.
    known: FxHashMap<Dynamic, Literal>,
    /// The greatest number of literals in all clauses.
    most: u64,
}

/// The clauses have too many literals, or a formula is not of truth values alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refused;

impl Gates {
    /// No formulas. The clauses of all further ones may have so many literals in total.
    pub(super) fn new(most: u64) -> Gates {
        let mut clauses = Clauses::default();
        let first = clauses.fresh();
        clauses.add(&[first]);
        let (gates, pending) = (FxHashMap::default(), FxHashMap::default());
        Gates { clauses, gates, pending, pairs: FxHashMap::default(), known: FxHashMap::default(), most }
    }

    /// The clauses of the formulas.
    pub(super) fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    /// Whether a constant holds in an assignment. A constant that no formula mentions does not.
    pub(super) fn holds(&self, constant: &Bool, assignment: &Assignment) -> bool {
        self.known.get(&Dynamic::from_ast(constant)).is_some_and(|&literal| assignment.holds(literal))
    }

    /// Asserts a formula.
    pub(super) fn assert(&mut self, formula: &Bool) -> Result<(), Refused> {
        let root = self.literal(formula)?;
        self.clause(&[root])
    }

    /// The literal that is equivalent to a formula.
    pub(super) fn literal(&mut self, formula: &Bool) -> Result<Literal, Refused> {
        let root = Dynamic::from_ast(formula);
        let mut stack = vec![(root.clone(), false)];
        while let Some((term, entered)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            let inputs = term.children();
            if entered || inputs.is_empty() {
                let inputs: Vec<Literal> = inputs.iter().map(|input| self.known[input]).collect();
                let literal = self.operator(&term, &inputs)?;
                self.known.insert(term, literal);
            } else {
                stack.push((term, true));
                stack.extend(inputs.into_iter().map(|input| (input, false)));
            }
        }
        Ok(self.known[&root])
    }

    fn operator(&mut self, term: &Dynamic, parts: &[Literal]) -> Result<Literal, Refused> {
        if term.as_bool().is_none() || !term.is_app() {
            return Err(Refused);
        }
        Ok(match (term.decl().kind(), parts) {
            (DeclKind::True, []) => TRUE,
            (DeclKind::False, []) => -TRUE,
            (DeclKind::Uninterpreted, []) => self.clauses.fresh(),
            (DeclKind::Not, &[a]) => -a,
            (DeclKind::And, _) => self.and(parts.to_vec()),
            (DeclKind::Or, _) => self.or(parts),
            (DeclKind::Implies, &[a, b]) => self.or(&[-a, b]),
            (DeclKind::Eq | DeclKind::Iff, &[a, b]) => -self.xor(a, b),
            (DeclKind::Xor | DeclKind::Distinct, &[a, b]) => self.xor(a, b),
            (DeclKind::Ite, &[c, a, b]) => self.choice(c, a, b),
            _ => return Err(Refused),
        })
    }

    fn or(&mut self, parts: &[Literal]) -> Literal {
        if let Some([a, b, c]) = self.majority_of(parts) {
            return self.gate(Gate::Majority(a, b, c));
        }
        -self.and(parts.iter().map(|&part| -part).collect())
    }

    fn and(&mut self, mut parts: Vec<Literal>) -> Literal {
        parts.sort_unstable_by_key(|part| (part.abs(), *part));
        parts.dedup();
        parts.retain(|&part| part != TRUE);
        let contradicts = parts.windows(2).any(|pair| pair[0] == -pair[1]);
        match parts[..] {
            _ if contradicts || parts.contains(&-TRUE) => -TRUE,
            [] => TRUE,
            [part] => part,
            _ => self.gate(Gate::And(parts)),
        }
    }

    fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let (low, high) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        let negated = (a < 0) != (b < 0);
        let literal = match low {
            _ if low == high => -TRUE,
            TRUE => -high,
            _ => self.gate(Gate::Xor(low, high)),
        };
        if negated { -literal } else { literal }
    }

    fn choice(&mut self, c: Literal, a: Literal, b: Literal) -> Literal {
        let (c, a, b) = if c < 0 { (-c, b, a) } else { (c, a, b) };
        match (a, b) {
            _ if c == TRUE || a == b => a,
            _ if a == -b => self.xor(c, b),
            _ if a == TRUE || a == c => self.or(&[c, b]),
            _ if a == -TRUE || a == -c => self.and(vec![-c, b]),
            _ if b == TRUE || b == -c => self.or(&[-c, a]),
            _ if b == -TRUE || b == c => self.and(vec![c, a]),
            _ if a < 0 => -self.gate(Gate::Choice(c, -a, -b)),
            _ => self.gate(Gate::Choice(c, a, b)),
        }
    }

    /// The three literals of a majority, if a disjunction of three conjunctions expresses one. Carries of
    /// additions have this form, and their conjunctions then need no clauses.
    fn majority_of(&self, parts: &[Literal]) -> Option<[Literal; 3]> {
        let &[first, second, third] = parts else { return None };
        let mut all = [first, second, third].map(|part| self.pairs.get(&part).copied());
        all.sort_unstable_by_key(|pair| pair.map(|pair| pair.map(Literal::abs)));
        match all {
            [Some([a, b]), Some([c, d]), Some([e, f])] if a == c && b == e && d == f => Some([a, b, d]),
            _ => None,
        }
    }

    /// The variable of a gate. It has no clauses until a clause mentions it.
    fn gate(&mut self, gate: Gate) -> Literal {
        if let Some(&literal) = self.gates.get(&gate) {
            return literal;
        }
        let literal = self.clauses.fresh();
        if let Gate::And(parts) = &gate
            && let [a, b] = parts[..]
        {
            self.pairs.insert(literal, [a, b]);
        }
        self.pending.insert(literal, gate.clone());
        self.gates.insert(gate, literal);
        literal
    }

    /// Adds a clause, and those of all gates that it needs.
    fn clause(&mut self, literals: &[Literal]) -> Result<(), Refused> {
        self.add(literals)?;
        self.define(literals)
    }

    fn add(&mut self, clause: &[Literal]) -> Result<(), Refused> {
        if self.clauses.literals() + clause.len() as u64 > self.most {
            return Err(Refused);
        }
        self.clauses.add(clause);
        Ok(())
    }

    /// Adds the clauses of gates, and of the gates that they need.
    fn define(&mut self, literals: &[Literal]) -> Result<(), Refused> {
        let mut needed = literals.to_vec();
        let mut clauses = Vec::new();
        while let Some(literal) = needed.pop() {
            let Some(gate) = self.pending.remove(&literal.abs()) else { continue };
            gate.clauses(literal.abs(), |clause| clauses.push(clause.to_vec()));
            for clause in clauses.drain(..) {
                self.add(&clause)?;
                needed.extend(clause);
            }
        }
        Ok(())
    }
}

impl Gate {
    /// The clauses that define a variable as the gate's value.
    fn clauses(&self, g: Literal, mut clause: impl FnMut(&[Literal])) {
        match *self {
            Gate::And(ref parts) => {
                parts.iter().for_each(|&part| clause(&[-g, part]));
                let all: Vec<Literal> = parts.iter().map(|&part| -part).chain([g]).collect();
                clause(&all);
            }
            Gate::Xor(a, b) => {
                [[-g, a, b], [-g, -a, -b], [g, a, -b], [g, -a, b]].iter().for_each(|part| clause(part));
            }
            // The last two follow from the others. They propagate the gate before the condition is known.
            Gate::Choice(c, a, b) => {
                let choice = [[-c, -a, g], [-c, a, -g], [c, -b, g], [c, b, -g], [-a, -b, g], [a, b, -g]];
                choice.iter().for_each(|part| clause(part));
            }
            Gate::Majority(a, b, c) => {
                let two = [[-a, -b, g], [-a, -c, g], [-b, -c, g], [a, b, -g], [a, c, -g], [b, c, -g]];
                two.iter().for_each(|part| clause(part));
            }
        }
    }
}
