//! Gates as clauses: a variable for each gate, without duplicates.

use super::clauses::{Clauses, Literal};
use super::gate::Gate;
use super::simulation::Simulation;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The first variable, which is always true.
pub(super) const TRUE: Literal = 1;

/// The gates so far.
#[derive(Debug)]
pub(super) struct Gates {
    clauses: Clauses,
    gates: FxHashMap<Rc<Gate>, Literal>,
    /// The gates that no clause has mentioned yet.
    pending: FxHashMap<Literal, Rc<Gate>>,
    /// The values of the gates in assignments that were found.
    simulation: Simulation,
    /// The greatest number of literals in all clauses.
    most: u64,
}

/// The clauses have too many literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refused;

impl Gates {
    /// No gates. The clauses of all further ones may have so many literals in total.
    pub(super) fn new(most: u64) -> Gates {
        let mut clauses = Clauses::default();
        let first = clauses.fresh();
        clauses.add(&[first]);
        let (gates, pending) = (FxHashMap::default(), FxHashMap::default());
        Gates { clauses, gates, pending, simulation: Simulation::default(), most }
    }

    /// The clauses that were not taken.
    pub(super) fn clauses(&self) -> &Clauses {
        &self.clauses
    }

    /// The clauses since the last call.
    pub(super) fn take_clauses(&mut self) -> Clauses {
        self.clauses.take()
    }

    /// The size of all gates and clauses so far.
    pub(super) fn made(&self) -> u64 {
        self.clauses.literals() + self.clauses.variables()
    }

    /// Whether no more should be added.
    pub(super) fn is_full(&self) -> bool {
        self.made() > self.most
    }

    /// A literal of which nothing is known.
    pub(super) fn fresh(&mut self) -> Literal {
        self.simulation.fresh();
        self.clauses.fresh()
    }

    /// The values of the gates in assignments that were found.
    pub(super) fn simulation(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// A disjunction.
    pub(super) fn or(&mut self, parts: &[Literal]) -> Literal {
        -self.and(parts.iter().map(|&part| -part).collect())
    }

    /// A conjunction.
    pub(super) fn and(&mut self, mut parts: Vec<Literal>) -> Literal {
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

    /// Whether two literals differ.
    pub(super) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let (low, high) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        let negated = (a < 0) != (b < 0);
        let literal = match low {
            _ if low == high => -TRUE,
            TRUE => -high,
            _ => self.gate(Gate::Xor(low, high)),
        };
        if negated { -literal } else { literal }
    }

    /// The second literal if the first one holds, otherwise the third.
    pub(super) fn choice(&mut self, c: Literal, a: Literal, b: Literal) -> Literal {
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

    /// Whether at least two of three literals hold.
    pub(super) fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut parts = [a, b, c];
        parts.sort_unstable_by_key(|part| (part.abs(), *part));
        let [a, b, c] = parts;
        match a {
            TRUE => self.or(&[b, c]),
            _ if a == -TRUE => self.and(vec![b, c]),
            _ if a == b || b == c => b,
            _ if a == -b => c,
            _ if b == -c => a,
            _ if a < 0 => -self.gate(Gate::Majority(-a, -b, -c)),
            _ => self.gate(Gate::Majority(a, b, c)),
        }
    }

    /// The variable of a gate. It has no clauses until a clause mentions it.
    fn gate(&mut self, gate: Gate) -> Literal {
        if let Some(&literal) = self.gates.get(&gate) {
            return literal;
        }
        let literal = self.clauses.fresh();
        let gate = Rc::new(gate);
        self.simulation.gate(Rc::clone(&gate));
        self.pending.insert(literal, Rc::clone(&gate));
        self.gates.insert(gate, literal);
        literal
    }

    /// Adds a clause, and those of all gates that it needs.
    pub(super) fn clause(&mut self, literals: &[Literal]) -> Result<(), Refused> {
        self.simulation.clause(literals);
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
    pub(super) fn define(&mut self, literals: &[Literal]) -> Result<(), Refused> {
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
