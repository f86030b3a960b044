//! The check of a proof, one step at a time.

use crate::refused::Refused;
use crate::{Cnf, Literal};
use std::collections::HashMap;

/// The number of a clause. Those of the formula count from 1.
pub type Id = u64;

/// What is shown of a formula so far.
#[derive(Debug)]
pub struct Checker {
    variables: Literal,
    clauses: HashMap<Id, Box<[Literal]>>,
    /// For each variable, the literal that is true, or 0.
    values: Vec<Literal>,
    /// The literals that are true.
    trail: Vec<Literal>,
    /// The hints of the last clause that it follows from.
    used: Vec<Id>,
    refuted: bool,
}

/// The state of a hint in unit propagation.
enum Hint {
    /// All its literals are false.
    False,
    /// All but one are, and that one has no value.
    Unit(Literal),
    /// Anything else: it says nothing.
    Idle,
}

impl Checker {
    /// Nothing is shown of a formula yet.
    pub fn new(cnf: &Cnf) -> Checker {
        let clauses: HashMap<Id, Box<[Literal]>> = (1..).zip(cnf.clauses().map(Box::from)).collect();
        let refuted = cnf.clauses().any(<[Literal]>::is_empty);
        let values = vec![0; cnf.variables().unsigned_abs() as usize + 1];
        Checker { variables: cnf.variables(), clauses, values, trail: Vec::new(), used: Vec::new(), refuted }
    }

    /// Whether it is shown that the formula has no model.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// Adds a clause that follows from the hints.
    pub fn add(&mut self, id: Id, clause: &[Literal], hints: &[Id]) -> Result<(), Refused> {
        if id == 0 {
            return Err(Refused("a clause has the number 0".into()));
        }
        if self.clauses.contains_key(&id) {
            return Err(Refused(format!("there are two clauses {id}")));
        }
        if let Some(literal) = clause.iter().find(|&&literal| !self.has(literal)) {
            return Err(Refused(format!("clause {id} has the literal {literal}, which the formula has not")));
        }
        let follows = self.follows(id, clause, hints);
        for literal in self.trail.drain(..) {
            self.values[literal.unsigned_abs() as usize] = 0;
        }
        follows?;
        self.refuted |= clause.is_empty();
        self.clauses.insert(id, clause.into());
        Ok(())
    }

    /// The hints from which the clause that was added last follows. Others, which said nothing, are left out.
    pub fn used(&self) -> &[Id] {
        &self.used
    }

    /// Deletes a clause.
    pub fn delete(&mut self, id: Id) -> Result<(), Refused> {
        match self.clauses.remove(&id) {
            Some(_) => Ok(()),
            None => Err(Refused(format!("clause {id} is deleted, but there is none"))),
        }
    }

    /// Checks that each assignment in which a clause is false makes one of the hints false.
    fn follows(&mut self, id: Id, clause: &[Literal], hints: &[Id]) -> Result<(), Refused> {
        for &literal in clause {
            match self.value(literal) {
                Some(true) => return Err(Refused(format!("clause {id} has {literal} and its negation"))),
                Some(false) => {}
                None => self.assign(-literal),
            }
        }
        self.used.clear();
        for &hint in hints {
            let Some(literals) = self.clauses.get(&hint) else {
                return Err(Refused(format!("clause {id} rests on clause {hint}, and there is none")));
            };
            match self.look(literals) {
                Hint::False => {
                    self.used.push(hint);
                    return Ok(());
                }
                Hint::Unit(literal) => {
                    self.used.push(hint);
                    self.assign(literal);
                }
                // CaDiCaL writes such hints, which are true already.
                Hint::Idle => {}
            }
        }
        Err(Refused(format!("clause {id} does not follow from its hints")))
    }

    fn look(&self, literals: &[Literal]) -> Hint {
        let mut unit = None;
        for &literal in literals {
            match self.value(literal) {
                Some(false) => {}
                Some(true) => return Hint::Idle,
                None if unit.is_some_and(|other| other != literal) => return Hint::Idle,
                None => unit = Some(literal),
            }
        }
        unit.map_or(Hint::False, Hint::Unit)
    }

    fn has(&self, literal: Literal) -> bool {
        literal != 0 && literal.unsigned_abs() <= self.variables.unsigned_abs()
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        match self.values[literal.unsigned_abs() as usize] {
            0 => None,
            value => Some(value == literal),
        }
    }

    fn assign(&mut self, literal: Literal) {
        self.values[literal.unsigned_abs() as usize] = literal;
        self.trail.push(literal);
    }
}
