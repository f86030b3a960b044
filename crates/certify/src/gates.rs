//! Circuits of truth values, and their clauses.
//!
//! A gate is made once for the same inputs. Clauses are written only for the gates that an asserted clause depends on.

use beeline_lrat::{Cnf, Literal};
use rustc_hash::FxHashMap;

/// The bits of a number.
pub(crate) type Word = Vec<Literal>;

/// The literal that always holds.
pub(crate) const TRUE: Literal = 1;
/// The literal that never holds.
pub(crate) const FALSE: Literal = -TRUE;

/// A function that a variable stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Gate {
    /// Any value.
    Input,
    /// All of them hold.
    And(Box<[Literal]>),
    /// One of the two holds.
    Xor(Literal, Literal),
    /// The second one if the first one holds, otherwise the third.
    Mux(Literal, Literal, Literal),
    /// At least two of them hold.
    Majority(Literal, Literal, Literal),
}

/// The circuit needs more gates than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// A circuit.
#[derive(Debug)]
pub(crate) struct Gates {
    /// The gate of each variable, that of [`TRUE`] first.
    gates: Vec<Gate>,
    known: FxHashMap<Gate, Literal>,
    /// The clauses that are asserted.
    asserted: Vec<Box<[Literal]>>,
    /// The greatest number of gates and asserted literals.
    most: usize,
    size: usize,
    /// Quotients and remainders of numbers divided by constants.
    pub(crate) quotients: FxHashMap<(Word, u64), (Word, Word)>,
}

impl Gates {
    /// An empty circuit with a limit on its size.
    pub(crate) fn new(most: usize) -> Gates {
        let gates = vec![Gate::And(Box::default())];
        let (known, quotients) = (FxHashMap::default(), FxHashMap::default());
        Gates { gates, known, asserted: Vec::new(), most, size: 0, quotients }
    }

    /// Whether the limit is exceeded; from then on, nothing that is made has to be right.
    pub(crate) fn fits(&self) -> Result<(), TooLarge> {
        if self.size > self.most { Err(TooLarge) } else { Ok(()) }
    }

    /// A truth value of which nothing is known.
    pub(crate) fn input(&mut self) -> Literal {
        self.make(Gate::Input)
    }

    /// Asserts that one of the literals holds.
    pub(crate) fn assert(&mut self, clause: &[Literal]) {
        if !clause.contains(&TRUE) {
            self.size += clause.len();
            self.asserted.push(clause.iter().copied().filter(|&literal| literal != FALSE).collect());
        }
    }

    pub(crate) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        match (a, b) {
            _ if a == b => a,
            _ if a == -b => FALSE,
            (TRUE, other) | (other, TRUE) => other,
            (FALSE, _) | (_, FALSE) => FALSE,
            _ => self.gate(Gate::And([a.min(b), a.max(b)].into())),
        }
    }

    pub(crate) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        -self.and(-a, -b)
    }

    /// Whether all hold.
    pub(crate) fn all(&mut self, parts: &[Literal]) -> Literal {
        let mut parts: Vec<Literal> = parts.iter().copied().filter(|&part| part != TRUE).collect();
        parts.sort_unstable_by_key(|part| (part.abs(), *part));
        parts.dedup();
        let contradicts = parts.windows(2).any(|pair| pair[0] == -pair[1]);
        match parts[..] {
            _ if contradicts || parts.contains(&FALSE) => FALSE,
            [] => TRUE,
            [a] => a,
            [a, b] => self.and(a, b),
            _ => self.gate(Gate::And(parts.into())),
        }
    }

    /// Whether one of them holds.
    pub(crate) fn any(&mut self, parts: &[Literal]) -> Literal {
        let parts: Vec<Literal> = parts.iter().map(|part| -part).collect();
        -self.all(&parts)
    }

    pub(crate) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let (low, high) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        let made = match low {
            _ if low == high => FALSE,
            TRUE => -high,
            _ => self.gate(Gate::Xor(low, high)),
        };
        if (a < 0) == (b < 0) { made } else { -made }
    }

    /// The second if the first one holds, otherwise the third.
    pub(crate) fn mux(&mut self, c: Literal, a: Literal, b: Literal) -> Literal {
        let (c, a, b) = if c < 0 { (-c, b, a) } else { (c, a, b) };
        match (a, b) {
            _ if c == TRUE || a == b => a,
            _ if a == -b => -self.xor(c, a),
            (TRUE, _) => self.or(c, b),
            (FALSE, _) => self.and(-c, b),
            (_, TRUE) => self.or(-c, a),
            (_, FALSE) => self.and(c, a),
            _ if a == c => self.or(c, b),
            _ if a == -c => self.and(-c, b),
            _ if b == c => self.and(c, a),
            _ if b == -c => self.or(-c, a),
            _ if a < 0 => -self.gate(Gate::Mux(c, -a, -b)),
            _ => self.gate(Gate::Mux(c, a, b)),
        }
    }

    /// Whether at least two hold.
    pub(crate) fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let mut parts = [a, b, c];
        parts.sort_unstable_by_key(|part| part.abs());
        let [a, b, c] = parts;
        match a {
            _ if a == b => a,
            _ if a == -b => c,
            _ if b == c => b,
            _ if b == -c => a,
            TRUE => self.or(b, c),
            FALSE => self.and(b, c),
            _ if a < 0 => -self.gate(Gate::Majority(-a, -b, -c)),
            _ => self.gate(Gate::Majority(a, b, c)),
        }
    }

    fn gate(&mut self, gate: Gate) -> Literal {
        if let Some(&known) = self.known.get(&gate) {
            return known;
        }
        let made = self.make(gate.clone());
        self.known.insert(gate, made);
        made
    }

    fn make(&mut self, gate: Gate) -> Literal {
        if self.fits().is_err() {
            return TRUE;
        }
        self.size += if let Gate::And(parts) = &gate { parts.len() } else { 3 };
        self.gates.push(gate);
        Literal::try_from(self.gates.len()).expect("the size has a limit")
    }

    /// The clauses that have a model exactly if the asserted ones can hold.
    pub(crate) fn cnf(&self) -> Cnf {
        let mut writer = Writer { gates: self, cnf: Cnf::default(), renamed: vec![0; self.gates.len() + 1] };
        for clause in &self.asserted {
            writer.clause(clause);
        }
        writer.cnf
    }
}

/// Writes clauses, and those of the gates that they need.
struct Writer<'g> {
    gates: &'g Gates,
    cnf: Cnf,
    /// The variable of each gate in the clauses, or 0.
    renamed: Vec<Literal>,
}

impl Writer<'_> {
    fn clause(&mut self, clause: &[Literal]) {
        let mut waiting: Vec<Box<[Literal]>> = vec![Box::from(clause)];
        while let Some(clause) = waiting.pop() {
            let renamed: Vec<Literal> =
                clause.iter().map(|&literal| self.literal(literal, &mut waiting)).collect();
            self.cnf.add(&renamed);
        }
    }

    fn literal(&mut self, literal: Literal, waiting: &mut Vec<Box<[Literal]>>) -> Literal {
        let variable = literal.unsigned_abs() as usize;
        if self.renamed[variable] == 0 {
            self.renamed[variable] = self.cnf.fresh();
            self.gates.gates[variable - 1].clauses(literal.abs(), |clause| waiting.push(clause.into()));
        }
        self.renamed[variable] * literal.signum()
    }
}

impl Gate {
    /// The clauses by which a variable has the gate's value.
    fn clauses(&self, g: Literal, mut clause: impl FnMut(&[Literal])) {
        match *self {
            Gate::Input => {}
            Gate::And(ref parts) => {
                parts.iter().for_each(|&part| clause(&[-g, part]));
                let all: Vec<Literal> = parts.iter().map(|&part| -part).chain([g]).collect();
                clause(&all);
            }
            Gate::Xor(a, b) => {
                [[-g, a, b], [-g, -a, -b], [g, -a, b], [g, a, -b]].iter().for_each(|part| clause(part));
            }
            Gate::Mux(c, a, b) => {
                let mux = [[-c, -a, g], [-c, a, -g], [c, -b, g], [c, b, -g], [-a, -b, g], [a, b, -g]];
                mux.iter().for_each(|part| clause(part));
            }
            Gate::Majority(a, b, c) => {
                let two = [[-a, -b, g], [-a, -c, g], [-b, -c, g], [a, b, -g], [a, c, -g], [b, c, -g]];
                two.iter().for_each(|part| clause(part));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a literal where inputs have values.
    fn value(gates: &Gates, inputs: &FxHashMap<Literal, bool>, literal: Literal) -> bool {
        let of = |part: Literal| value(gates, inputs, part);
        let truth = match &gates.gates[literal.unsigned_abs() as usize - 1] {
            Gate::Input => inputs[&literal.abs()],
            Gate::And(parts) => parts.iter().all(|&part| of(part)),
            Gate::Xor(a, b) => of(*a) != of(*b),
            Gate::Mux(c, a, b) => {
                if of(*c) {
                    of(*a)
                } else {
                    of(*b)
                }
            }
            Gate::Majority(a, b, c) => [a, b, c].iter().filter(|&&&part| of(part)).count() >= 2,
        };
        truth == (literal > 0)
    }

    /// What a function of three truth values should be, and what is made for it.
    type Case = (fn(bool, bool, bool) -> bool, fn(&mut Gates, Literal, Literal, Literal) -> Literal);

    const CASES: [Case; 7] = [
        (|a, b, _| a && b, |gates, a, b, _| gates.and(a, b)),
        (|a, b, _| a || b, |gates, a, b, _| gates.or(a, b)),
        (|a, b, _| a != b, |gates, a, b, _| gates.xor(a, b)),
        (|a, b, c| if a { b } else { c }, |gates, a, b, c| gates.mux(a, b, c)),
        (|a, b, c| u8::from(a) + u8::from(b) + u8::from(c) >= 2, |gates, a, b, c| gates.majority(a, b, c)),
        (|a, b, c| a && b && c, |gates, a, b, c| gates.all(&[a, b, c])),
        (|a, b, c| a || b || c, |gates, a, b, c| gates.any(&[a, b, c])),
    ];

    #[test]
    fn gates_and_their_clauses_have_the_values_of_their_functions() {
        let mut gates = Gates::new(10_000);
        let inputs: Vec<Literal> = (0..3).map(|_| gates.input()).collect();
        let some: Vec<Literal> =
            inputs.iter().flat_map(|&input| [input, -input]).chain([TRUE, FALSE]).collect();
        for (function, make) in CASES {
            for &a in &some {
                for &b in &some {
                    for &c in &some {
                        let made = make(&mut gates, a, b, c);
                        for bits in 0..8 {
                            let values: FxHashMap<Literal, bool> =
                                (0..3).map(|index| (inputs[index], bits >> index & 1 == 1)).collect();
                            let of = |literal| value(&gates, &values, literal);
                            assert_eq!(of(made), function(of(a), of(b), of(c)), "{a} {b} {c}: {made}");
                        }
                    }
                }
            }
        }
        every_gate_is_defined_by_its_clauses(&gates, &inputs);
    }

    fn every_gate_is_defined_by_its_clauses(gates: &Gates, inputs: &[Literal]) {
        for bits in 0..8 {
            let values: FxHashMap<Literal, bool> =
                (0..3).map(|index| (inputs[index], bits >> index & 1 == 1)).collect();
            for (variable, gate) in (1..).zip(&gates.gates) {
                let right = value(gates, &values, variable);
                for g in [right, !right] {
                    let of = |literal: Literal| match literal.abs() == variable {
                        true => g == (literal > 0),
                        false => value(gates, &values, literal),
                    };
                    let mut all = true;
                    gate.clauses(variable, |clause| all &= clause.iter().any(|&literal| of(literal)));
                    let is_input = matches!(gate, Gate::Input);
                    assert_eq!(all, is_input || g == right, "{gate:?} in {bits:03b}");
                }
            }
        }
    }

    #[test]
    fn only_gates_that_are_needed_have_clauses() {
        let mut gates = Gates::new(10_000);
        let [a, b, c] = [gates.input(), gates.input(), gates.input()];
        let unused = gates.xor(a, c);
        let used = gates.and(a, b);
        gates.assert(&[used, FALSE]);
        gates.assert(&[unused, TRUE]);
        let cnf = gates.cnf();
        assert_eq!((cnf.variables(), cnf.len()), (3, 4));
    }

    #[test]
    fn a_circuit_that_is_too_large_says_so() {
        let mut gates = Gates::new(10);
        let inputs: Vec<Literal> = (0..5).map(|_| gates.input()).collect();
        assert_eq!(gates.fits(), Err(TooLarge), "{inputs:?}");
    }
}
