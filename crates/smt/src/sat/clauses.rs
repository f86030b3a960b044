//! Clauses before a solver has them, and the results of solvers.

use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Lit, TernaryVal};

/// A literal: a variable, negative if negated. Variables count from 1.
pub(super) type Literal = i32;

/// A set of clauses.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    variables: Literal,
    literals: Vec<Literal>,
    /// The end of each clause.
    ends: Vec<u32>,
    /// The number of literals in clauses that were taken.
    taken: u64,
}

impl Clauses {
    /// A new variable.
    pub(super) fn fresh(&mut self) -> Literal {
        self.variables += 1;
        self.variables
    }

    /// Adds a clause.
    pub(super) fn add(&mut self, clause: &[Literal]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(u32::try_from(self.literals.len()).expect("fewer literals than fill the memory"));
    }

    /// The clauses since the last call, which are forgotten.
    pub(super) fn take(&mut self) -> Clauses {
        let left = Clauses { variables: self.variables, taken: self.literals(), ..Clauses::default() };
        std::mem::replace(self, left)
    }

    /// The number of variables.
    pub(super) fn variables(&self) -> u64 {
        self.variables.unsigned_abs().into()
    }

    /// The number of literals in all clauses.
    pub(super) fn literals(&self) -> u64 {
        self.taken + self.literals.len() as u64
    }

    /// The clauses in order.
    fn iter(&self) -> impl Iterator<Item = &[Literal]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.literals[from as usize..end as usize];
            from = end;
            clause
        })
    }

    /// Adds them to a solver. Returns false if it cannot take them.
    pub(super) fn give(&self, solver: &mut impl Solve) -> bool {
        self.iter().all(|clause| {
            let clause: Result<Vec<Lit>, _> =
                clause.iter().map(|&literal| Lit::from_ipasir(literal)).collect();
            clause.is_ok_and(|clause| solver.add_clause_ref(&clause[..]).is_ok())
        })
    }

    /// The result of a solver that has these clauses. Variables that an assignment leaves open are false.
    pub(super) fn found(&self, result: SolverResult, solver: &impl Solve) -> Found {
        let holds = |variable| {
            let value = Lit::from_ipasir(variable).ok().and_then(|literal| solver.lit_val(literal).ok());
            value == Some(TernaryVal::True)
        };
        match result {
            SolverResult::Sat => Found::Sat(Assignment((1..=self.variables).map(holds).collect())),
            SolverResult::Unsat => Found::Unsat,
            SolverResult::Interrupted => Found::GaveUp,
        }
    }
}

/// A value for each variable.
#[derive(Debug)]
pub(super) struct Assignment(Vec<bool>);

impl Assignment {
    /// Whether a literal holds.
    pub(super) fn holds(&self, literal: Literal) -> bool {
        let variable = self.0.get(literal.unsigned_abs() as usize - 1).copied().unwrap_or_default();
        variable == (literal > 0)
    }
}

/// The result of a solver.
#[derive(Debug)]
pub(super) enum Found {
    /// A satisfying assignment.
    Sat(Assignment),
    /// There is no assignment.
    Unsat,
    /// The allowed work did not suffice, or the run is over.
    GaveUp,
}
