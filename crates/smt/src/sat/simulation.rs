//! The values of gates in some assignments at once: those that were found last. What holds in one of them may hold.
//!
//! An assignment counts as long as all clauses hold in it. A literal that is newer than an assignment has any value
//! there.

use super::clauses::Literal;
use super::gate::Gate;
use std::rc::Rc;

/// The number of assignments.
const ASSIGNMENTS: u32 = u64::BITS;

/// The values, a bit for each assignment.
#[derive(Debug)]
pub(super) struct Simulation {
    /// The values of each variable.
    values: Vec<u64>,
    /// What each variable stands for; `None` for one of which nothing is known.
    gates: Vec<Option<Rc<Gate>>>,
    /// The assignments in which all clauses hold.
    valid: u64,
    /// The assignment that is replaced next.
    oldest: u32,
    random: fastrand::Rng,
}

impl Default for Simulation {
    /// That of the first variable, which is always true. None has the number zero.
    fn default() -> Simulation {
        let truth = Some(Rc::new(Gate::And(Vec::new())));
        let random = fastrand::Rng::with_seed(1);
        Simulation { values: vec![0, u64::MAX], gates: vec![None, truth], valid: 0, oldest: 0, random }
    }
}

impl Simulation {
    /// Adds the next variable, of which nothing is known. In half of the assignments it does not hold.
    pub(super) fn fresh(&mut self) {
        let some = self.random.u64(..) & self.random.u64(..);
        self.values.push(some & 0xaaaa_aaaa_aaaa_aaaa);
        self.gates.push(None);
    }

    /// Adds the next variable, which stands for a gate.
    pub(super) fn gate(&mut self, gate: Rc<Gate>) {
        self.values.push(gate.value(|literal| self.values(literal)));
        self.gates.push(Some(gate));
    }

    /// The values of a literal.
    fn values(&self, literal: Literal) -> u64 {
        let values = self.values[literal.unsigned_abs() as usize];
        if literal < 0 { !values } else { values }
    }

    /// All assignments have to satisfy a clause.
    pub(super) fn clause(&mut self, literals: &[Literal]) {
        self.valid &= literals.iter().fold(0, |any, &literal| any | self.values(literal));
    }

    /// Whether a literal holds in one of the assignments.
    pub(super) fn holds(&self, literal: Literal) -> bool {
        self.values(literal) & self.valid != 0
    }

    /// The assignments that count.
    pub(super) fn valid(&self) -> impl Iterator<Item = u32> + use<> {
        let valid = self.valid;
        (0..ASSIGNMENTS).filter(move |index| valid >> index & 1 == 1)
    }

    /// The number that a word is in an assignment, if it has at most 64 bits.
    pub(super) fn number(&self, word: &[Literal], assignment: u32) -> Option<u64> {
        let bit = |&literal: &Literal| self.values(literal) >> assignment & 1;
        (word.len() <= 64).then(|| word.iter().rev().fold(0, |number, literal| number << 1 | bit(literal)))
    }

    /// Sets a word of literals of which nothing is known to a number in an assignment.
    pub(super) fn set(&mut self, word: &[Literal], assignment: u32, number: u64) {
        for (index, literal) in word.iter().enumerate() {
            let values = &mut self.values[literal.unsigned_abs() as usize];
            let bit = (number >> index & 1) ^ u64::from(*literal < 0);
            *values = *values & !(1 << assignment) | bit << assignment;
        }
    }

    /// An assignment counts no more.
    pub(super) fn forget(&mut self, assignment: u32) {
        self.valid &= !(1 << assignment);
    }

    /// Replaces the oldest assignment by another one, and returns which that was.
    pub(super) fn take(&mut self, holds: impl Fn(Literal) -> bool) -> u32 {
        let taken = self.oldest;
        self.oldest = (taken + 1) % ASSIGNMENTS;
        for variable in 1..self.values.len() {
            let value = match &self.gates[variable] {
                Some(gate) => gate.value(|literal| self.values(literal)) >> taken & 1,
                None => u64::from(holds(variable as Literal)),
            };
            let values = &mut self.values[variable];
            *values = *values & !(1 << taken) | value << taken;
        }
        self.valid |= 1 << taken;
        taken
    }
}
