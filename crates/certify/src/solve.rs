//! CaDiCaL, which is not believed: each step of its proof is checked as it is written.

use beeline_lrat::{Checker, Cnf, Id, Literal, Refused, text};
use rustc_hash::FxHashMap;
use rustsat::solvers::{ControlSignal, Solve, SolverResult, Terminate};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::{CaDiCaL, CaDiCaLClause, ClauseId, Limit, TraceProof};
use std::io::Write;
use std::rc::Rc;
use std::time::Instant;

/// The limits of a refutation.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The greatest number of gates and literals of a circuit.
    pub gates: usize,
    /// The greatest number of conflicts of the solver.
    pub conflicts: u64,
    /// When the solver has to end.
    pub deadline: Option<Instant>,
}

/// What was found out about a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// A proof that the checker accepted shows that it has no model.
    Refuted,
    /// It has a model, in which all clauses were evaluated.
    Model,
    /// The solver says that there is no model, and its proof is refused.
    Refused(String),
    /// The allowed work did not suffice.
    GaveUp,
}

/// Decides whether a formula has a model, with an accepted proof if it has none. The proof is also written.
pub(crate) fn solve(cnf: &Rc<Cnf>, limits: &Limits, proof: Option<Box<dyn Write>>) -> Found {
    let checking = Checking::new(Rc::clone(cnf), proof);
    if checking.checker.is_refuted() {
        return Found::Refuted;
    }
    let mut solver = CaDiCaL::default();
    let handle = solver.connect_proof_tracer(checking, true);
    let deadline = limits.deadline;
    solver.attach_terminator(move || match deadline {
        Some(deadline) if Instant::now() >= deadline => ControlSignal::Terminate,
        _ => ControlSignal::Continue,
    });
    let conflicts = limits.conflicts.try_into().unwrap_or(i32::MAX);
    let given = solver.set_limit(Limit::Conflicts(conflicts)).is_ok() && give(cnf, &mut solver);
    let result = given.then(|| solver.solve().ok()).flatten();
    let has_model = result == Some(SolverResult::Sat) && is_model(cnf, &solver);
    let Ok(checking) = solver.disconnect_proof_tracer(handle) else { return Found::GaveUp };
    match result {
        Some(SolverResult::Sat) if has_model => Found::Model,
        Some(SolverResult::Sat) => Found::Refused("what the solver calls a model is none".into()),
        Some(SolverResult::Unsat) => checking.found(),
        Some(SolverResult::Interrupted) | None => Found::GaveUp,
    }
}

fn give(cnf: &Cnf, solver: &mut CaDiCaL<'_, '_>) -> bool {
    cnf.clauses().all(|clause| {
        let clause: Result<Vec<Lit>, _> = clause.iter().map(|&literal| Lit::from_ipasir(literal)).collect();
        clause.is_ok_and(|clause| solver.add_clause_ref(&clause[..]).is_ok())
    })
}

/// Whether all clauses hold in the solver's assignment.
fn is_model(cnf: &Cnf, solver: &CaDiCaL<'_, '_>) -> bool {
    let truth = |variable: Literal| {
        let value = Lit::from_ipasir(variable).ok().and_then(|literal| solver.lit_val(literal).ok());
        value == Some(TernaryVal::True)
    };
    let holds = |&literal: &Literal| truth(literal.abs()) == (literal > 0);
    cnf.clauses().all(|clause| clause.iter().any(holds))
}

/// The check of a proof while it is written.
struct Checking {
    cnf: Rc<Cnf>,
    checker: Checker,
    /// How many clauses of the formula the solver has.
    given: usize,
    /// Our numbers of the solver's clauses.
    ids: FxHashMap<i64, Id>,
    next: Id,
    refused: Option<String>,
    proof: Option<Box<dyn Write>>,
}

impl Checking {
    fn new(cnf: Rc<Cnf>, proof: Option<Box<dyn Write>>) -> Checking {
        let (checker, next) = (Checker::new(&cnf), cnf.len() as Id + 1);
        Checking { cnf, checker, given: 0, ids: FxHashMap::default(), next, refused: None, proof }
    }

    /// The outcome where the solver says that there is no model.
    fn found(mut self) -> Found {
        let written = self.proof.as_mut().map_or(Ok(()), |proof| proof.flush());
        match (self.refused, written) {
            (Some(why), _) => Found::Refused(why),
            (None, Err(error)) => Found::Refused(format!("the proof cannot be written: {error}")),
            (None, Ok(())) if self.checker.is_refuted() => Found::Refuted,
            (None, Ok(())) => Found::Refused("the proof does not come to the empty clause".into()),
        }
    }

    /// Does a step, unless one was refused.
    fn step(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Refused>) {
        if self.refused.is_none()
            && let Err(Refused(why)) = step(self)
        {
            self.refused = Some(why);
        }
    }

    fn id(&self, id: i64) -> Result<Id, Refused> {
        self.ids.get(&id).copied().ok_or_else(|| Refused(format!("the solver has no clause {id}")))
    }

    /// The solver has the next clause of the formula.
    fn original(&mut self, id: i64, mut clause: Vec<Literal>) -> Result<(), Refused> {
        let expected = self.cnf.clause(self.given).map(<[Literal]>::to_vec);
        let mut expected = expected.ok_or_else(|| Refused("the solver has a clause too many".into()))?;
        clause.sort_unstable();
        expected.sort_unstable();
        if clause != expected {
            return Err(Refused(format!(
                "the solver has another clause {} than the formula",
                self.given + 1
            )));
        }
        self.given += 1;
        self.ids.insert(id, self.given as Id);
        Ok(())
    }

    fn derived(&mut self, id: i64, clause: &[Literal], hints: &[i64]) -> Result<(), Refused> {
        let hints: Vec<Id> = hints.iter().map(|&hint| self.id(hint)).collect::<Result<_, _>>()?;
        let own = self.next;
        self.checker.add(own, clause, &hints)?;
        self.next += 1;
        self.ids.insert(id, own);
        // Hints without use are refused by stricter checkers.
        match &mut self.proof {
            None => Ok(()),
            Some(proof) => written(text::write_added(proof, own, clause, self.checker.used())),
        }
    }

    fn deleted(&mut self, id: i64) -> Result<(), Refused> {
        let own = self.id(id)?;
        self.ids.remove(&id);
        self.checker.delete(own)?;
        match &mut self.proof {
            None => Ok(()),
            Some(proof) => written(text::write_deleted(proof, self.next - 1, own)),
        }
    }
}

fn written(written: std::io::Result<()>) -> Result<(), Refused> {
    written.map_err(|error| Refused(format!("the proof cannot be written: {error}")))
}

fn literals(clause: &CaDiCaLClause<'_>) -> Vec<Literal> {
    clause.iter().map(Lit::to_ipasir).collect()
}

impl TraceProof for Checking {
    fn add_original_clause(&mut self, id: ClauseId, _: bool, clause: &CaDiCaLClause<'_>, _: bool) {
        self.step(|checking| checking.original(id.0, literals(clause)));
    }

    fn add_derived_clause(&mut self, id: ClauseId, _: bool, clause: &CaDiCaLClause<'_>, hints: &[ClauseId]) {
        let hints: Vec<i64> = hints.iter().map(|hint| hint.0).collect();
        self.step(|checking| checking.derived(id.0, &literals(clause), &hints));
    }

    fn delete_clause(&mut self, id: ClauseId, _: bool, _: &CaDiCaLClause<'_>) {
        self.step(|checking| checking.deleted(id.0));
    }
}

#[cfg(test)]
mod tests;
