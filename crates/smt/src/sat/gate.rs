//! A gate: its value, and its clauses.

use super::clauses::Literal;

/// A function of literals that a variable stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Gate {
    /// All of the literals hold.
    And(Vec<Literal>),
    /// The literals differ.
    Xor(Literal, Literal),
    /// The second literal if the first one holds, otherwise the third.
    Choice(Literal, Literal, Literal),
    /// At least two of the literals hold.
    Majority(Literal, Literal, Literal),
}

impl Gate {
    /// The values of the gate in some assignments, a bit for each.
    pub(super) fn value(&self, of: impl Fn(Literal) -> u64) -> u64 {
        match *self {
            Gate::And(ref parts) => parts.iter().fold(u64::MAX, |all, &part| all & of(part)),
            Gate::Xor(a, b) => of(a) ^ of(b),
            Gate::Choice(c, a, b) => of(c) & of(a) | !of(c) & of(b),
            Gate::Majority(a, b, c) => of(a) & of(b) | of(a) & of(c) | of(b) & of(c),
        }
    }

    /// The clauses that define a variable as the gate's value.
    pub(super) fn clauses(&self, g: Literal, mut clause: impl FnMut(&[Literal])) {
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
