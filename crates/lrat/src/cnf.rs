//! Formulas in conjunctive normal form, and the DIMACS format.

use crate::number::number;
use crate::refused::Refused;
use std::io::{self, Write};

/// A literal: a variable, negative if negated. Variables count from 1.
pub type Literal = i32;

/// A conjunction of clauses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cnf {
    variables: Literal,
    literals: Vec<Literal>,
    /// The end of each clause.
    ends: Vec<usize>,
}

impl Cnf {
    /// A new variable.
    pub fn fresh(&mut self) -> Literal {
        self.variables = self.variables.checked_add(1).expect("fewer variables than fill the memory");
        self.variables
    }

    /// Adds a clause of variables that exist.
    ///
    /// # Panics
    /// If a variable does not exist, which is a bug of the caller.
    pub fn add(&mut self, clause: &[Literal]) {
        assert!(clause.iter().all(|&literal| self.has(literal)), "a variable does not exist");
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }

    /// The greatest variable.
    pub fn variables(&self) -> Literal {
        self.variables
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of literals in all clauses.
    pub fn literals(&self) -> usize {
        self.literals.len()
    }

    /// A clause, counted from 0.
    pub fn clause(&self, index: usize) -> Option<&[Literal]> {
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.literals[start..end])
    }

    /// The clauses in order.
    pub fn clauses(&self) -> impl Iterator<Item = &[Literal]> {
        (0..self.len()).filter_map(|index| self.clause(index))
    }

    /// Whether a literal is one of the formula's variables or its negation.
    pub fn has(&self, literal: Literal) -> bool {
        literal != 0 && literal.unsigned_abs() <= self.variables.unsigned_abs()
    }

    /// Reads the DIMACS format.
    pub fn read(text: &str) -> Result<Cnf, Refused> {
        let mut lines = text.lines().filter(|line| !line.trim_start().starts_with('c'));
        let header: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
        let ["p", "cnf", variables, clauses] = header[..] else {
            return Err(Refused("the formula does not begin with p cnf".into()));
        };
        let (variables, clauses): (Literal, usize) = (number(variables)?, number(clauses)?);
        let mut cnf = Cnf { variables, ..Cnf::default() };
        if variables < 0 {
            return Err(Refused(format!("{variables} is no number of variables")));
        }
        let mut clause = Vec::new();
        for word in lines.flat_map(str::split_whitespace) {
            match number(word)? {
                0 => cnf.add(&std::mem::take(&mut clause)),
                literal if cnf.has(literal) => clause.push(literal),
                literal => return Err(Refused(format!("the formula has no literal {literal}"))),
            }
        }
        if !clause.is_empty() || cnf.len() != clauses {
            return Err(Refused(format!("the formula has {} of {clauses} clauses", cnf.len())));
        }
        Ok(cnf)
    }

    /// Writes the DIMACS format.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "p cnf {} {}", self.variables, self.len())?;
        for clause in self.clauses() {
            clause.iter().try_for_each(|literal| write!(out, "{literal} "))?;
            writeln!(out, "0")?;
        }
        Ok(())
    }
}
