//! A solver that errs or lies is not believed.

use super::*;
use beeline_lrat::text;
use fastrand::Rng;
use std::cell::RefCell;

const LIMITS: Limits = Limits { gates: 0, conflicts: 100_000, deadline: None };

/// What is written, for a look at it afterwards.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn random_formula(rng: &mut Rng, variables: i32) -> Cnf {
    let mut cnf = Cnf::default();
    while cnf.variables() < variables {
        cnf.fresh();
    }
    for _ in 0..variables * rng.i32(38..50) / 10 {
        let mut chosen: Vec<i32> = Vec::new();
        while chosen.len() < 3 {
            let variable = rng.i32(1..=variables);
            if !chosen.iter().any(|literal| literal.abs() == variable) {
                chosen.push(if rng.bool() { variable } else { -variable });
            }
        }
        cnf.add(&chosen);
    }
    cnf
}

/// A formula without a model, and the accepted proof of that.
fn refuted(rng: &mut Rng, variables: i32) -> (Rc<Cnf>, String) {
    loop {
        let cnf = Rc::new(random_formula(rng, variables));
        let proof = Shared::default();
        match solve(&cnf, &LIMITS, Some(Box::new(proof.clone()))) {
            Found::Refuted => {
                let text = String::from_utf8(proof.0.take()).expect("a proof is text");
                return (cnf, text);
            }
            Found::Model => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn proofs_are_accepted_as_files_too() {
    let mut rng = Rng::with_seed(1);
    for variables in [5, 20, 60, 100, 150] {
        for _ in 0..10 {
            let (cnf, proof) = refuted(&mut rng, variables);
            assert_eq!(text::check(&cnf, &proof), Ok(()));
        }
    }
}

/// Changes a proof: a number, a step, or the order of steps.
fn mutated(rng: &mut Rng, proof: &str) -> String {
    let mut lines: Vec<String> = proof.lines().map(str::to_string).collect();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(..lines.len());
        match rng.u8(..5) {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, rng.usize(..at + 1)),
            2 => lines.truncate(at + 1),
            _ => {
                let mut words: Vec<String> = lines[at].split(' ').map(str::to_string).collect();
                let word = rng.usize(..words.len());
                match words[word].parse::<i64>() {
                    Ok(number) if rng.bool() => words[word] = (-number).to_string(),
                    Ok(number) => words[word] = (number + rng.i64(-3..4)).to_string(),
                    Err(_) => drop(words.remove(word)),
                }
                lines[at] = words.join(" ");
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.join("\n")
}

/// The formula without one of its clauses that still has a model then, if there is one.
fn weakened(rng: &mut Rng, cnf: &Cnf) -> Option<Cnf> {
    for _ in 0..20 {
        let dropped = rng.usize(..cnf.len());
        let mut weaker = Cnf::default();
        while weaker.variables() < cnf.variables() {
            weaker.fresh();
        }
        for (index, clause) in cnf.clauses().enumerate() {
            // A clause that holds anyway stands in its place, so that the others keep their numbers.
            if index == dropped { weaker.add(&[1, -1]) } else { weaker.add(clause) }
        }
        if solve(&Rc::new(weaker.clone()), &LIMITS, None) == Found::Model {
            return Some(weaker);
        }
    }
    None
}

/// `MUTANTS=100000 cargo test --release -p beeline-certify mutated` tries more of them.
#[test]
fn no_mutated_certificate_of_a_formula_with_a_model_is_accepted() {
    let mutants = std::env::var("MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000);
    let mut rng = Rng::with_seed(2);
    let (mut tried, mut valid) = (0, 0);
    while tried < mutants {
        let variables = rng.i32(4..14);
        let (cnf, proof) = refuted(&mut rng, variables);
        let Some(weaker) = weakened(&mut rng, &cnf) else { continue };
        for _ in 0..50 {
            let mutant = mutated(&mut rng, &proof);
            assert!(text::check(&weaker, &mutant).is_err(), "{weaker:?}\n{mutant}");
            valid += usize::from(text::check(&cnf, &mutant).is_ok());
            tried += 1;
        }
    }
    eprintln!("{tried} mutants, {valid} of them still proofs of the whole formula");
    assert!(valid * 2 < tried);
}

/// The steps of the check without a solver: the formula is `a`, `-a or b`, `-b`.
fn checking() -> Checking {
    let cnf = Cnf::read("p cnf 2 3\n1 0\n-1 2 0\n-2 0\n").expect("it is right");
    let mut checking = Checking::new(Rc::new(cnf), None);
    for (id, clause) in [(1, vec![1]), (2, vec![-1, 2]), (3, vec![-2])] {
        checking.step(|checking| checking.original(id, clause));
    }
    checking
}

fn refused(why: &str) -> Found {
    Found::Refused(why.into())
}

#[test]
fn a_wrong_answer_is_refused_with_a_sentence() {
    let mut right = checking();
    right.step(|checking| checking.derived(7, &[2], &[1, 2]));
    right.step(|checking| checking.deleted(2));
    right.step(|checking| checking.derived(8, &[], &[7, 3]));
    assert_eq!(right.found(), Found::Refuted);

    assert_eq!(checking().found(), refused("the proof does not come to the empty clause"));

    let mut unfounded = checking();
    unfounded.step(|checking| checking.derived(7, &[], &[1, 3]));
    assert_eq!(unfounded.found(), refused("clause 4 does not follow from its hints"));

    let mut unknown = checking();
    unknown.step(|checking| checking.derived(7, &[2], &[1, 9]));
    unknown.step(|checking| checking.derived(8, &[], &[1, 2, 3]));
    assert_eq!(unknown.found(), refused("the solver has no clause 9"), "what comes later repairs nothing");

    let mut changed = Checking::new(Rc::clone(&checking().cnf), None);
    changed.step(|checking| checking.original(1, vec![-1]));
    assert_eq!(changed.found(), refused("the solver has another clause 1 than the formula"));

    let mut more = checking();
    more.step(|checking| checking.original(4, vec![]));
    assert_eq!(more.found(), refused("the solver has a clause too many"));

    let mut deleted = checking();
    deleted.step(|checking| checking.deleted(2));
    deleted.step(|checking| checking.derived(7, &[], &[1, 2, 3]));
    assert_eq!(deleted.found(), refused("the solver has no clause 2"));
}

#[test]
fn a_proof_that_cannot_be_written_is_no_certificate() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no room"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let cnf = Rc::new(Cnf::read("p cnf 2 3\n1 0\n-1 2 0\n-2 0\n").expect("it is right"));
    assert_eq!(solve(&cnf, &LIMITS, Some(Box::new(Full))), refused("the proof cannot be written: no room"));
}

#[test]
fn a_search_without_end_is_given_up() {
    let mut rng = Rng::with_seed(3);
    let (cnf, _) = refuted(&mut rng, 100);
    assert_eq!(solve(&cnf, &Limits { conflicts: 1, ..LIMITS }, None), Found::GaveUp);
    let ended = Limits { deadline: Some(Instant::now()), ..LIMITS };
    let hard = Rc::new(random_formula(&mut rng, 400));
    assert_eq!(solve(&hard, &ended, None), Found::GaveUp);
}
