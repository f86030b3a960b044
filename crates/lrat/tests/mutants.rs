//! No proof of a formula that has a model is accepted, whatever was done to the proof or to the formula.
//!
//! `MUTANTS=100000 cargo test --release -p beeline-lrat --test mutants` tries more of them.

use beeline_lrat::{Checker, Cnf, Id, Literal, binary, text};
use fastrand::Rng;

/// A step of a proof.
#[derive(Debug, Clone)]
enum Step {
    Add(Id, Vec<Literal>, Vec<Id>),
    Delete(Id),
}

type Clauses = Vec<Vec<Literal>>;

/// Whether one of all assignments makes all clauses true.
fn has_model(clauses: &Clauses, variables: Literal) -> bool {
    let holds =
        |bits: u32, literal: Literal| (bits >> (literal.unsigned_abs() - 1) & 1 == 1) == (literal > 0);
    (0..1_u32 << variables)
        .any(|bits| clauses.iter().all(|clause| clause.iter().any(|&literal| holds(bits, literal))))
}

fn random_formula(rng: &mut Rng, variables: Literal) -> Clauses {
    let literal = |rng: &mut Rng| rng.i32(1..=variables) * if rng.bool() { 1 } else { -1 };
    let count = variables as usize * rng.usize(3..8);
    (0..count).map(|_| (0..rng.usize(1..4)).map(|_| literal(rng)).collect()).collect()
}

/// Leaves out clauses as long as there is no model, so that a model is near.
fn minimal(mut clauses: Clauses, variables: Literal) -> Clauses {
    for index in (0..clauses.len()).rev() {
        let mut fewer = clauses.clone();
        fewer.remove(index);
        if !has_model(&fewer, variables) {
            clauses = fewer;
        }
    }
    clauses
}

fn cnf(clauses: &Clauses, variables: Literal) -> Cnf {
    let mut cnf = Cnf::default();
    while cnf.variables() < variables {
        cnf.fresh();
    }
    clauses.iter().for_each(|clause| cnf.add(clause));
    cnf
}

/// A proof by cases: for each assignment of the first variables, the clause that excludes it.
struct Prover<'c> {
    clauses: &'c Clauses,
    variables: Literal,
    steps: Vec<Step>,
    next: Id,
}

impl Prover<'_> {
    fn excludes(&mut self, assigned: &mut Vec<Literal>) -> Option<Id> {
        let is_false = |clause: &Vec<Literal>| clause.iter().all(|&literal| assigned.contains(&-literal));
        if let Some(index) = self.clauses.iter().position(is_false) {
            return Some(index as Id + 1);
        }
        let variable = assigned.len() as Literal + 1;
        if variable > self.variables {
            return None;
        }
        let mut sides = Vec::new();
        for literal in [variable, -variable] {
            assigned.push(literal);
            let side = self.excludes(assigned);
            assigned.pop();
            sides.push(side?);
        }
        let id = self.next;
        self.next += 1;
        let clause = assigned.iter().map(|literal| -literal).collect();
        // A side may be false already, or the first of them leaves nothing to the second.
        let hints = self.hints(assigned, sides);
        self.steps.push(Step::Add(id, clause, hints));
        Some(id)
    }

    fn literals(&self, id: Id) -> &[Literal] {
        if let Some(clause) = self.clauses.get(id as usize - 1) {
            return clause;
        }
        let found = self.steps.iter().find_map(|step| match step {
            Step::Add(other, clause, _) if *other == id => Some(clause),
            _ => None,
        });
        found.expect("the clause was added")
    }

    fn hints(&self, assigned: &[Literal], sides: Vec<Id>) -> Vec<Id> {
        let is_false = |id: &Id| self.literals(*id).iter().all(|literal| assigned.contains(&-literal));
        match sides.iter().find(|side| is_false(side)) {
            Some(&side) => vec![side],
            None => sides,
        }
    }
}

fn proof(clauses: &Clauses, variables: Literal) -> Option<Vec<Step>> {
    let next = clauses.len() as Id + 1;
    let mut prover = Prover { clauses, variables, steps: Vec::new(), next };
    let last = prover.excludes(&mut Vec::new())?;
    // A clause of the formula that is empty needs no proof.
    (last > clauses.len() as Id).then_some(prover.steps)
}

fn accepts(cnf: &Cnf, steps: &[Step]) -> bool {
    let mut checker = Checker::new(cnf);
    let all = steps.iter().try_for_each(|step| match step {
        Step::Add(id, clause, hints) => checker.add(*id, clause, hints),
        Step::Delete(id) => checker.delete(*id),
    });
    all.is_ok() && checker.is_refuted()
}

fn as_text(steps: &[Step]) -> String {
    let mut out = Vec::new();
    for step in steps {
        match step {
            Step::Add(id, clause, hints) => text::write_added(&mut out, *id, clause, hints),
            Step::Delete(id) => text::write_deleted(&mut out, *id, *id),
        }
        .expect("a vector takes all");
    }
    String::from_utf8(out).expect("a proof is text")
}

fn as_bytes(steps: &[Step]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for step in steps {
        match step {
            Step::Add(id, clause, hints) => {
                bytes.push(b'a');
                bytes.extend(encoded(*id as i64));
                clause.iter().for_each(|&literal| bytes.extend(encoded(literal.into())));
                bytes.push(0);
                hints.iter().for_each(|&hint| bytes.extend(encoded(hint as i64)));
            }
            Step::Delete(id) => {
                bytes.push(b'd');
                bytes.extend(encoded(*id as i64));
            }
        }
        bytes.push(0);
    }
    bytes
}

fn encoded(value: i64) -> Vec<u8> {
    let mut number = 2 * value.unsigned_abs() + u64::from(value < 0);
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number as u8 & 0x7f | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Changes something in a proof or a formula.
fn mutate(rng: &mut Rng, clauses: &mut Clauses, steps: &mut Vec<Step>, variables: Literal) {
    let at = rng.usize(..steps.len());
    let other = steps[rng.usize(..steps.len())].clone();
    match rng.u8(..10) {
        0 => drop(steps.remove(at)),
        1 => steps.insert(at, other),
        2 => steps.swap(at, rng.usize(..at + 1)),
        3 => {
            let dropped = rng.usize(..clauses.len());
            clauses[dropped] = vec![1, 2];
        }
        4 => {
            let changed = rng.usize(..clauses.len());
            let literal = rng.usize(..clauses[changed].len());
            clauses[changed][literal] *= -1;
        }
        5 => steps.insert(at, Step::Delete(rng.u64(1..clauses.len() as Id + 8))),
        _ => {
            let Step::Add(id, clause, hints) = &mut steps[at] else { return };
            match rng.u8(..6) {
                0 if !clause.is_empty() => drop(clause.remove(rng.usize(..clause.len()))),
                1 => clause.push(rng.i32(1..variables + 2) * if rng.bool() { 1 } else { -1 }),
                2 if !hints.is_empty() => drop(hints.remove(rng.usize(..hints.len()))),
                3 => hints.insert(rng.usize(..hints.len() + 1), rng.u64(1..clauses.len() as Id + 8)),
                4 => hints.reverse(),
                _ => *id = rng.u64(1..clauses.len() as Id + 8),
            }
        }
    }
}

#[test]
fn mutants_of_proofs_are_refused_unless_the_formula_has_no_model() {
    let mutants = std::env::var("MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let mut rng = Rng::with_seed(47);
    let (mut refused, mut refused_of_models, mut accepted) = (0, 0, 0);
    while refused + accepted < mutants {
        let variables = rng.i32(2..6);
        let clauses = minimal(random_formula(&mut rng, variables), variables);
        let Some(steps) = proof(&clauses, variables) else { continue };
        assert!(accepts(&cnf(&clauses, variables), &steps), "{clauses:?}: {steps:?}");
        for _ in 0..20 {
            let (mut clauses, mut steps) = (clauses.clone(), steps.clone());
            for _ in 0..rng.usize(1..4) {
                if !steps.is_empty() {
                    mutate(&mut rng, &mut clauses, &mut steps, variables);
                }
            }
            let formula = cnf(&clauses, variables);
            let found = accepts(&formula, &steps);
            assert_eq!(text::check(&formula, &as_text(&steps)).is_ok(), found, "{clauses:?}: {steps:?}");
            assert_eq!(binary::check(&formula, &as_bytes(&steps)).is_ok(), found, "{clauses:?}: {steps:?}");
            let has_model = has_model(&clauses, variables);
            assert!(!(found && has_model), "{clauses:?} has a model, accepted: {steps:?}");
            accepted += usize::from(found);
            refused += usize::from(!found);
            refused_of_models += usize::from(has_model);
        }
    }
    eprintln!(
        "{refused} refused, {refused_of_models} of formulas with models, {accepted} valid ones accepted"
    );
    assert!(refused_of_models * 20 > mutants && accepted * 20 > mutants);
}

#[test]
fn bytes_are_refused_without_a_panic() {
    let mut rng = Rng::with_seed(48);
    for _ in 0..2_000 {
        let variables = rng.i32(2..6);
        let clauses = random_formula(&mut rng, variables);
        let Some(steps) = proof(&clauses, variables) else { continue };
        let formula = cnf(&clauses, variables);
        let mut bytes = if rng.bool() { as_bytes(&steps) } else { as_text(&steps).into_bytes() };
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..bytes.len());
            bytes[at] = rng.u8(..);
        }
        bytes.truncate(rng.usize(bytes.len() / 2..bytes.len() + 1));
        let accepted = binary::check(&formula, &bytes).is_ok()
            || text::check(&formula, &String::from_utf8_lossy(&bytes)).is_ok();
        assert!(!accepted || !has_model(&clauses, variables), "{clauses:?}: {bytes:?}");
    }
}
