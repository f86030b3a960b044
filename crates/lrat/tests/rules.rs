//! Each rule of a proof, and the sentence where it is broken.

use beeline_lrat::{Checker, Cnf, Refused, binary, text};

const FORMULA: &str = "c two variables, all four clauses\np cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";

fn refused(formula: &str, proof: &str) -> String {
    let cnf = Cnf::read(formula).expect("the formula is right");
    match text::check(&cnf, proof) {
        Ok(()) => "accepted".into(),
        Err(Refused(why)) => why,
    }
}

#[test]
fn a_proof_is_accepted() {
    assert_eq!(refused(FORMULA, "5 1 0 1 2 0\n5 d 1 2 0\nc done soon\n6 0 5 3 4 0\n"), "accepted");
    assert_eq!(refused("p cnf 0 1\n0\n", ""), "accepted", "the formula has an empty clause");
}

#[test]
fn each_rule_has_a_sentence() {
    for (proof, expected) in [
        ("", "the proof does not come to the empty clause"),
        ("5 1 0 1 2 0\n", "the proof does not come to the empty clause"),
        ("5 1 0 1 0\n", "clause 5 does not follow from its hints"),
        ("5 0 1 2 0\n", "clause 5 does not follow from its hints"),
        ("5 1 0 4 2 0\n", "clause 5 does not follow from its hints"),
        ("5 1 0 9 2 0\n", "clause 5 rests on clause 9, and there is none"),
        ("5 1 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", "clause 6 rests on clause 3, and there is none"),
        ("5 1 0 1 2 0\n5 d 3 3 0\n", "clause 3 is deleted, but there is none"),
        ("0 1 0 1 2 0\n", "a clause has the number 0"),
        ("4 1 0 1 2 0\n", "there are two clauses 4"),
        ("5 3 0 1 2 0\n", "clause 5 has the literal 3, which the formula has not"),
        ("5 1 -1 0 1 2 0\n", "clause 5 has -1 and its negation"),
        ("5 1 0 1 -2 3 0\n", "step 5 is justified by resolution with all clauses (RAT)"),
        ("5 1 0\n", "step 5 has no hints"),
        ("5 1 0 1 2\n", "a step does not end: 5 1 0 1 2"),
        ("x 1 0 1 2 0\n", "x is no number that can be meant here"),
        ("5 1 0 1 99999999999999999999 0\n", "99999999999999999999 is no number that can be meant here"),
    ] {
        assert_eq!(refused(FORMULA, proof), expected, "{proof}");
    }
}

#[test]
fn a_satisfied_hint_says_nothing() {
    // Clause 1 is true where 2 is false: to count its other literal as forced would be wrong.
    let formula = "p cnf 3 2\n-2 1 0\n3 0\n";
    assert_eq!(refused(formula, "3 1 2 0 1 0\n"), "clause 3 does not follow from its hints");
}

#[test]
fn a_formula_is_read_or_refused() {
    for (formula, expected) in [
        ("", "the formula does not begin with p cnf"),
        ("p cnf 2 1\n1 3 0\n", "the formula has no literal 3"),
        ("p cnf 2 2\n1 2 0\n", "the formula has 1 of 2 clauses"),
        ("p cnf 2 1\n1 2\n", "the formula has 0 of 1 clauses"),
        ("p cnf -1 0\n", "-1 is no number of variables"),
    ] {
        assert_eq!(Cnf::read(formula), Err(Refused(expected.into())), "{formula}");
    }
    let cnf = Cnf::read(FORMULA).expect("it is right");
    let mut written = Vec::new();
    cnf.write(&mut written).expect("a vector takes all");
    assert_eq!(Cnf::read(std::str::from_utf8(&written).expect("it is text")), Ok(cnf));
}

#[test]
fn bytes_of_binary_proofs() {
    let cnf = Cnf::read(FORMULA).expect("it is right");
    let first = [b'a', 10, 2, 0, 2, 4, 0];
    let last = [b'a', 12, 0, 10, 6, 8, 0];
    let check = |parts: &[&[u8]]| binary::check(&cnf, &parts.concat()).map_err(|Refused(why)| why);
    assert_eq!(check(&[&first, &[b'd', 2, 4, 0], &last]), Ok(()));
    for (parts, expected) in [
        (&[&first[..]][..], "the proof does not come to the empty clause"),
        (&[&first[..6]], "the proof ends within a step"),
        (&[b"x"], "there is no step of kind 120"),
        (&[&[b'a', 0]], "a step has no number"),
        (&[&[b'a', 10, 2, 0, 3, 0]], "clause -1: a step is justified by resolution with all clauses (RAT)"),
        (&[&[b'a', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]], "a number is too large"),
        (&[&[b'a', 10, 0xfe, 0xff, 0xff, 0xff, 0xff, 1, 0, 0]], "34359738367 is no literal"),
    ] {
        assert_eq!(check(parts), Err(expected.to_string()));
    }
}

#[test]
fn a_checker_forgets_what_it_assumed() {
    let cnf = Cnf::read("p cnf 2 2\n1 2 0\n1 -2 0\n").expect("it is right");
    let mut checker = Checker::new(&cnf);
    assert!(checker.add(3, &[2], &[1]).is_err());
    // A literal that is left from the refused step would make this one follow.
    assert!(checker.add(4, &[], &[1, 2]).is_err());
    assert_eq!(checker.add(5, &[1], &[1, 1, 2]), Ok(()));
    assert_eq!(checker.used(), [1, 2]);
    assert!(!checker.is_refuted());
}
