//! Binary decision diagrams over predicates, reduced and ordered by the predicates' numbers.
//!
//! All diagrams share one table, in which equal diagrams are the same entry.

use crate::state::precision::{Literal, PredId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bdd(u32);

impl Bdd {
    /// The diagram that never holds.
    pub const FALSE: Bdd = Bdd(0);
    /// The diagram that always holds.
    pub const TRUE: Bdd = Bdd(1);
}

/// A decision node: one diagram for each truth value of a predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decision {
    /// The predicate, which has a smaller number than those of the diagrams below.
    pub pred: PredId,
    /// The diagram if it does not hold.
    pub no: Bdd,
    /// The diagram if it holds.
    pub yes: Bdd,
}

/// A substitute for a predicate in a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instead {
    /// Another predicate.
    Pred(PredId),
    /// A truth value.
    Known(bool),
    /// Both truth values: the diagram has to hold for each of them (universal quantification).
    Both,
    /// Either truth value: the diagram has to hold for one of them (existential quantification).
    Either,
}

/// The table of all diagrams.
#[derive(Debug, Clone, Default)]
pub struct Bdds {
    decisions: Vec<Decision>,
    ids: FxHashMap<Decision, Bdd>,
    disjunctions: FxHashMap<(Bdd, Bdd), Bdd>,
    implications: FxHashMap<(Bdd, Bdd), bool>,
}

impl Bdds {
    /// The first decision of a diagram, unless it is a constant.
    pub fn decision(&self, bdd: Bdd) -> Option<Decision> {
        let index = bdd.0.checked_sub(2)?;
        Some(self.decisions[index as usize])
    }

    fn decide(&mut self, decision: Decision) -> Bdd {
        if decision.no == decision.yes {
            return decision.no;
        }
        let next = Bdd(self.decisions.len() as u32 + 2);
        let decisions = &mut self.decisions;
        *self.ids.entry(decision).or_insert_with(|| {
            decisions.push(decision);
            next
        })
    }

    /// The conjunction of literals, each about a different predicate.
    pub fn conjunction(&mut self, literals: &[Literal]) -> Bdd {
        let mut literals = literals.to_vec();
        literals.sort_unstable_by(|a, b| b.cmp(a));
        literals.into_iter().fold(Bdd::TRUE, |rest, Literal { pred, holds }| {
            let (no, yes) = if holds { (Bdd::FALSE, rest) } else { (rest, Bdd::FALSE) };
            self.decide(Decision { pred, no, yes })
        })
    }

    /// The smaller of the first predicates of two diagrams, and the pairs of their parts for its two truth
    /// values, false first. At least one of the diagrams is not a constant.
    fn split(&self, a: Bdd, b: Bdd) -> (PredId, [(Bdd, Bdd); 2]) {
        let (x, y) = (self.decision(a), self.decision(b));
        let first = x.iter().chain(&y).map(|decision| decision.pred).min();
        let pred = first.expect("the constants are dealt with before");
        let part = |bdd, decision: Option<Decision>| match decision {
            Some(decision) if decision.pred == pred => (decision.no, decision.yes),
            _ => (bdd, bdd),
        };
        let (a, b) = (part(a, x), part(b, y));
        (pred, [(a.0, b.0), (a.1, b.1)])
    }

    /// The disjunction of two diagrams.
    pub fn or(&mut self, a: Bdd, b: Bdd) -> Bdd {
        match (a, b) {
            (Bdd::TRUE, _) | (_, Bdd::TRUE) => return Bdd::TRUE,
            (Bdd::FALSE, other) | (other, Bdd::FALSE) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.disjunctions.get(&key) {
            return known;
        }
        let (pred, [no, yes]) = self.split(a, b);
        let (no, yes) = (self.or(no.0, no.1), self.or(yes.0, yes.1));
        let result = self.decide(Decision { pred, no, yes });
        self.disjunctions.insert(key, result);
        result
    }

    /// The diagram after substitution of predicates.
    pub(crate) fn replace(
        &mut self,
        bdd: Bdd,
        by: &impl Fn(PredId) -> Instead,
        done: &mut FxHashMap<Bdd, Bdd>,
    ) -> Bdd {
        let Some(Decision { pred, no, yes }) = self.decision(bdd) else { return bdd };
        if let Some(&known) = done.get(&bdd) {
            return known;
        }
        let (no, yes) = (self.replace(no, by, done), self.replace(yes, by, done));
        let replaced = match by(pred) {
            Instead::Both => self.and(no, yes),
            Instead::Either => self.or(no, yes),
            Instead::Known(holds) => [no, yes][usize::from(holds)],
            Instead::Pred(pred) => {
                let held = self.conjunction(&[Literal { pred, holds: true }]);
                let not = self.conjunction(&[Literal { pred, holds: false }]);
                let (yes, no) = (self.and(held, yes), self.and(not, no));
                self.or(yes, no)
            }
        };
        done.insert(bdd, replaced);
        replaced
    }

    /// The predicates of a diagram.
    pub(crate) fn support(&self, bdd: Bdd) -> BTreeSet<PredId> {
        let (mut found, mut met, mut work) = (BTreeSet::new(), FxHashSet::default(), vec![bdd]);
        while let Some(bdd) = work.pop() {
            if let Some(decision) = self.decision(bdd).filter(|_| met.insert(bdd)) {
                found.insert(decision.pred);
                work.extend([decision.no, decision.yes]);
            }
        }
        found
    }

    /// The conjunction of two diagrams.
    pub fn and(&mut self, a: Bdd, b: Bdd) -> Bdd {
        match (a, b) {
            (Bdd::FALSE, _) | (_, Bdd::FALSE) => return Bdd::FALSE,
            (Bdd::TRUE, other) | (other, Bdd::TRUE) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let (pred, [no, yes]) = self.split(a, b);
        let (no, yes) = (self.and(no.0, no.1), self.and(yes.0, yes.1));
        self.decide(Decision { pred, no, yes })
    }

    /// Whether the second diagram holds wherever the first one does.
    pub fn implies(&mut self, a: Bdd, b: Bdd) -> bool {
        match (a, b) {
            (Bdd::FALSE, _) | (_, Bdd::TRUE) => return true,
            (Bdd::TRUE, _) | (_, Bdd::FALSE) => return false,
            _ if a == b => return true,
            _ => {}
        }
        if let Some(&known) = self.implications.get(&(a, b)) {
            return known;
        }
        let (_, [no, yes]) = self.split(a, b);
        let result = self.implies(no.0, no.1) && self.implies(yes.0, yes.1);
        self.implications.insert((a, b), result);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    const PREDS: usize = 4;

    /// The truth table of a diagram.
    fn table(bdds: &Bdds, bdd: Bdd) -> u16 {
        let value = |valuation: usize| {
            let mut at = bdd;
            while let Some(decision) = bdds.decision(at) {
                let holds = valuation >> decision.pred.index() & 1 == 1;
                at = if holds { decision.yes } else { decision.no };
            }
            u16::from(at == Bdd::TRUE) << valuation
        };
        (0..1 << PREDS).map(value).sum()
    }

    #[test]
    fn diagrams_agree_with_truth_tables() {
        let mut rng = fastrand::Rng::with_seed(5);
        let mut bdds = Bdds::default();
        let mut known = vec![(Bdd::FALSE, 0u16), (Bdd::TRUE, u16::MAX)];
        for _ in 0..400 {
            let mut literals = Vec::new();
            for index in 0..PREDS {
                if rng.bool() {
                    literals.push(Literal { pred: PredId::new(index), holds: rng.bool() });
                }
            }
            rng.shuffle(&mut literals);
            let cube = bdds.conjunction(&literals);
            let holds =
                |valuation: usize| literals.iter().all(|l| (valuation >> l.pred.index() & 1 == 1) == l.holds);
            let expected = (0..1 << PREDS).map(|v| u16::from(holds(v)) << v).sum();
            assert_eq!(table(&bdds, cube), expected);
            let &(other, truth) = &known[rng.usize(..known.len())];
            let either = bdds.or(cube, other);
            assert_eq!(table(&bdds, either), expected | truth);
            assert_eq!(bdds.implies(cube, other), expected & !truth == 0);
            assert!(bdds.implies(other, either));
            let both = bdds.and(cube, other);
            assert_eq!(table(&bdds, both), expected & truth);
            // The predicates in reverse order, except for the last one.
            let turned = |valuation: u16, last: u16| {
                let bits = (0..PREDS - 1).map(|index| (valuation >> index & 1) << (PREDS - 2 - index));
                bits.sum::<u16>() | last << (PREDS - 1)
            };
            for (last, least) in [(Instead::Both, 2), (Instead::Either, 1), (Instead::Known(true), 1)] {
                let by = |pred: PredId| match PREDS - 1 - pred.index() {
                    0 => last,
                    from_end => Instead::Pred(PredId::new(from_end - 1)),
                };
                let replaced = bdds.replace(either, &by, &mut FxHashMap::default());
                let from = if last == Instead::Known(true) { 1 } else { 0 };
                let at = |v: u16| {
                    (from..2).filter(|&last| (expected | truth) >> turned(v, last) & 1 == 1).count() >= least
                };
                let wanted = (0..1u16 << PREDS).map(|v| u16::from(at(v)) << v).sum();
                assert_eq!(table(&bdds, replaced), wanted);
            }
            // Equal functions are one diagram.
            for &(bdd, table) in &known {
                assert_eq!(bdd == either, table == expected | truth);
            }
            known.push((either, expected | truth));
        }
    }
}
