//! Who decides what a proof leaves to decide: Z3, or a solver whose proof is checked.

use beeline_certify::{Keeper, Limits, Refutation, refute};
use beeline_smt::{Answer, Formula, QueryLimits, solver};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// The solver's conflicts for a number of ticks.
const TICKS_PER_CONFLICT: u64 = 300;

/// How much work a certificate may take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Effort {
    /// About what Z3's answer takes. After an obligation that takes more, Z3 alone is asked about the others: the proof is not
    /// certified as a whole any more.
    Little,
    /// What the limits allow.
    #[default]
    Full,
}

impl Effort {
    /// The greatest number of gates and literals of an obligation's circuit: the larger one takes some 2 GB.
    fn gates(self) -> usize {
        match self {
            Effort::Little => 1_000_000,
            Effort::Full => 8_000_000,
        }
    }

    /// The solver's conflicts for one obligation, of what its limit allows.
    fn conflicts(self, allowed: u64) -> u64 {
        match self {
            Effort::Little => allowed.min(20_000),
            Effort::Full => allowed,
        }
    }
}

/// How certificates are made.
#[derive(Debug, Clone, Default)]
pub struct Certify {
    /// How much work one may take.
    pub effort: Effort,
    /// The folder that keeps them.
    pub folder: Option<PathBuf>,
    /// The number of certificates that are there already.
    pub kept: u64,
}

/// What of a proof was certified. An obligation is a question whose answer has to be that there is no valuation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Certified {
    /// The number of obligations.
    pub obligations: u64,
    /// How many of them were refuted with a proof that was checked.
    pub certified: u64,
    /// Why the others were not, and how many of them.
    pub open: BTreeMap<String, u64>,
}

impl Certified {
    /// Whether no solver has to be believed.
    pub fn is_complete(&self) -> bool {
        self.certified == self.obligations
    }

    /// Adds what of another proof was certified.
    pub(crate) fn add(&mut self, other: Certified) {
        self.obligations += other.obligations;
        self.certified += other.certified;
        for (why, count) in other.open {
            *self.open.entry(why).or_default() += count;
        }
    }
}

/// Decides questions.
pub(crate) struct Judge {
    /// The limits of Z3.
    pub limits: QueryLimits,
    deadline: Option<Instant>,
    certifying: Option<RefCell<Certifying>>,
}

struct Certifying {
    effort: Effort,
    keeper: Option<Keeper>,
    certified: Certified,
}

impl Certifying {
    /// Whether obligations are still certified.
    fn goes_on(&self) -> bool {
        self.effort == Effort::Full || self.certified.is_complete()
    }
}

impl Judge {
    /// A judge that asks Z3, and believes no solver if certificates are wanted.
    pub(crate) fn new(
        limits: QueryLimits,
        deadline: Option<Instant>,
        certify: Option<&Certify>,
    ) -> Result<Judge, String> {
        let keep = |certify: &Certify| {
            let keeper = certify.folder.as_ref().map(|folder| Keeper::new(folder, certify.kept)).transpose();
            let (effort, certified) = (certify.effort, Certified::default());
            keeper.map(|keeper| RefCell::new(Certifying { effort, keeper, certified }))
        };
        match certify.map(keep).transpose() {
            Ok(certifying) => Ok(Judge { limits, deadline, certifying }),
            Err(error) => Err(format!("the folder of certificates cannot be made: {error}")),
        }
    }

    /// What was certified, if that was wanted.
    pub(crate) fn certified(self) -> Option<Certified> {
        self.certifying.map(|certifying| certifying.into_inner().certified)
    }

    /// The truth value of a formula if Z3's simplification determines it and is believed, otherwise the same formula.
    pub(crate) fn fold(&self, formula: &Formula) -> Formula {
        match &self.certifying {
            Some(certifying) if certifying.borrow().goes_on() => formula.clone(),
            _ => solver::fold(formula),
        }
    }

    /// Decides whether formulas have a model. `ask` asks Z3, also where they are not refuted otherwise.
    pub(crate) fn decide(&self, formulas: &[Formula], ask: impl FnOnce() -> Answer) -> Answer {
        let Some(certifying) = &self.certifying else { return ask() };
        let certifying = &mut *certifying.borrow_mut();
        let refutation = match certifying.goes_on() {
            true => refute(formulas, &self.limits_now(certifying.effort), certifying.keeper.as_mut()),
            false => Refutation::Open("an earlier one that took too much effort".into()),
        };
        if refutation == Refutation::Certified {
            certifying.certified.obligations += 1;
            certifying.certified.certified += 1;
            return Answer::Unsat;
        }
        let answer = ask();
        let why = match (refutation, &answer) {
            (_, Answer::Sat(_) | Answer::Unknown(_)) => return answer,
            (Refutation::Model { exact: true }, Answer::Unsat) => {
                return Answer::Unknown("Z3 finds no model, but there is one".into());
            }
            (Refutation::Open(why), Answer::Unsat) => why,
            (_, Answer::Unsat) => "facts about all addresses".into(),
        };
        certifying.certified.obligations += 1;
        *certifying.certified.open.entry(why).or_default() += 1;
        answer
    }

    /// The limits of a refutation: half of what is left, so that Z3 can still be asked.
    fn limits_now(&self, effort: Effort) -> Limits {
        let now = Instant::now();
        let deadline = self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 2);
        let conflicts = effort.conflicts(self.limits.query_ticks / TICKS_PER_CONFLICT);
        Limits { gates: effort.gates(), conflicts, deadline }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_ir::{Type, Value};
    use beeline_smt::Term;

    fn judge(certify: Option<&Certify>) -> Judge {
        let limits = QueryLimits::new(30_000_000, None);
        Judge::new(limits, None, certify).unwrap_or_else(|why| panic!("{why}"))
    }

    fn is(name: &str, value: u64) -> Formula {
        let term = Term::named(name, Type::Bv(8)).expect("it is small");
        term.same(&Term::value(&Value::bv(8, value)).expect("it is small"))
    }

    #[test]
    fn a_contradiction_is_certified_and_nobody_is_asked() {
        let judge = judge(Some(&Certify::default()));
        let answer = judge.decide(&[is("x", 1), is("x", 2)], || unreachable!("it is certified"));
        assert!(answer.is_unsat());
        let certified = judge.certified().expect("it was wanted");
        assert!(certified.is_complete() && certified.obligations == 1);
    }

    #[test]
    fn a_wrong_answer_of_z3_is_noticed() {
        let judge = judge(Some(&Certify::default()));
        match judge.decide(&[is("x", 1), is("y", 2)], || Answer::Unsat) {
            Answer::Unknown(why) => assert_eq!(why, "Z3 finds no model, but there is one"),
            other => panic!("{other:?}"),
        }
        assert_eq!(judge.certified(), Some(Certified::default()), "it is no answer");
    }

    /// Five pigeons do not fit into four holes, but that takes a search.
    fn pigeons() -> Vec<Formula> {
        let sits: Vec<Vec<Formula>> =
            (0..5).map(|_| (0..4).map(|_| Formula::fresh("sits")).collect()).collect();
        let mut formulas: Vec<Formula> = sits.iter().map(|holes| Formula::any(holes.clone())).collect();
        for (index, one) in sits.iter().enumerate() {
            for other in &sits[..index] {
                formulas.extend(one.iter().zip(other).map(|(a, b)| a.and(b).not()));
            }
        }
        formulas
    }

    /// A judge whose solver may have no conflict.
    fn without_search(effort: Effort) -> Judge {
        let certify = Certify { effort, ..Certify::default() };
        Judge::new(QueryLimits::new(0, None), None, Some(&certify)).unwrap_or_else(|why| panic!("{why}"))
    }

    #[test]
    fn what_is_not_certified_is_asked_and_counted() {
        let judge = without_search(Effort::Full);
        assert!(judge.decide(&pigeons(), || Answer::Unsat).is_unsat());
        let certified = judge.certified().expect("it was wanted");
        assert_eq!(certified.obligations, 1);
        assert_eq!(certified.open, BTreeMap::from([("the solver found no proof in time".to_string(), 1)]));
        assert!(!certified.is_complete());
    }

    #[test]
    fn little_effort_ends_with_the_first_that_is_not_certified_and_full_effort_does_not() {
        for (effort, expected) in [(Effort::Little, 1), (Effort::Full, 2)] {
            let judge = without_search(effort);
            let mut asked = 0;
            let mut ask = || {
                asked += 1;
                Answer::Unsat
            };
            assert!(judge.decide(&[is("x", 1), is("x", 2)], &mut ask).is_unsat());
            assert!(judge.decide(&pigeons(), &mut ask).is_unsat());
            assert!(judge.decide(&[is("x", 1), is("x", 2)], &mut ask).is_unsat());
            let certified = judge.certified().expect("it was wanted");
            assert_eq!((certified.obligations, certified.certified), (3, expected), "{effort:?}");
            assert_eq!(asked, 3 - expected, "{effort:?}");
        }
    }

    #[test]
    fn z3_is_believed_where_nothing_else_is_wanted() {
        let judge = judge(None);
        assert!(judge.decide(&[is("x", 1)], || Answer::Unsat).is_unsat());
        assert_eq!(judge.certified(), None);
    }
}
