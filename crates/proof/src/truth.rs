//! Truth values: known, given by a formula, or open.

use beeline_smt::Formula;

/// A truth value.
#[derive(Debug, Clone)]
pub(crate) enum Truth {
    /// Known without the solver.
    Known(bool),
    /// The truth value of a formula.
    If(Formula),
    /// Open: only known values are tracked, and they do not decide.
    Open,
}

impl From<Formula> for Truth {
    fn from(formula: Formula) -> Truth {
        match formula.known() {
            Some(truth) => Truth::Known(truth),
            None => Truth::If(formula),
        }
    }
}

impl Truth {
    /// Whether it is known to be this.
    pub(crate) fn is(&self, truth: bool) -> bool {
        matches!(self, Truth::Known(known) if *known == truth)
    }

    /// The formula, unless it is open.
    pub(crate) fn formula(&self) -> Option<Formula> {
        match self {
            Truth::Known(truth) => Some(Formula::constant(*truth)),
            Truth::If(formula) => Some(formula.clone()),
            Truth::Open => None,
        }
    }

    /// Whether both are visibly the same.
    pub(crate) fn is_same(&self, other: &Truth) -> bool {
        match (self, other) {
            (Truth::Known(a), Truth::Known(b)) => a == b,
            (Truth::If(a), Truth::If(b)) => a == b,
            _ => false,
        }
    }

    /// Negation.
    pub(crate) fn not(&self) -> Truth {
        match self {
            Truth::Known(truth) => Truth::Known(!truth),
            Truth::If(formula) => Truth::If(formula.not()),
            Truth::Open => Truth::Open,
        }
    }

    /// Conjunction of two.
    pub(crate) fn and(&self, other: &Truth) -> Truth {
        match (self, other) {
            (Truth::Known(true), rest) | (rest, Truth::Known(true)) => rest.clone(),
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (Truth::If(a), Truth::If(b)) => a.and(b).into(),
            _ => Truth::Open,
        }
    }

    /// Disjunction of two.
    pub(crate) fn or(&self, other: &Truth) -> Truth {
        match (self, other) {
            (Truth::Known(false), rest) | (rest, Truth::Known(false)) => rest.clone(),
            (Truth::Known(true), _) | (_, Truth::Known(true)) => Truth::Known(true),
            (Truth::If(a), Truth::If(b)) => a.or(b).into(),
            _ => Truth::Open,
        }
    }

    /// Conjunction of all.
    pub(crate) fn all(parts: impl IntoIterator<Item = Truth>) -> Truth {
        let (mut formulas, mut open) = (Vec::new(), false);
        for part in parts {
            match part {
                Truth::Known(true) => {}
                Truth::Known(false) => return part,
                Truth::If(formula) => formulas.push(formula),
                Truth::Open => open = true,
            }
        }
        match (open, formulas.is_empty()) {
            (true, _) => Truth::Open,
            (false, true) => Truth::Known(true),
            (false, false) => Formula::all(formulas).into(),
        }
    }

    /// A choice between two.
    pub(crate) fn ite(&self, then: &Truth, otherwise: &Truth) -> Truth {
        match self {
            Truth::Known(true) => then.clone(),
            Truth::Known(false) => otherwise.clone(),
            _ if then.is_same(otherwise) => then.clone(),
            _ => match (self.formula(), then.formula(), otherwise.formula()) {
                (Some(cond), Some(then), Some(otherwise)) => cond.ite(&then, &otherwise).into(),
                _ => Truth::Open,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_decides_nothing() {
        let (yes, no, open) = (Truth::Known(true), Truth::Known(false), Truth::Open);
        assert!(!open.is(true) && !open.is(false) && !open.is_same(&open));
        assert!(matches!(open.not(), Truth::Open));
        for (truth, expected) in [
            (open.and(&yes), None),
            (yes.and(&open), None),
            (open.and(&no), Some(false)),
            (no.and(&open), Some(false)),
            (open.or(&no), None),
            (no.or(&open), None),
            (open.or(&yes), Some(true)),
            (yes.or(&open), Some(true)),
            (open.and(&open), None),
            (open.or(&open), None),
            (open.ite(&yes, &yes), Some(true)),
            (open.ite(&yes, &no), None),
            (yes.ite(&no, &open), Some(false)),
            (no.ite(&yes, &open), None),
            (Truth::all([yes.clone(), open.clone()]), None),
            (Truth::all([open.clone(), no.clone()]), Some(false)),
            (Truth::all([yes.clone(), yes.clone()]), Some(true)),
        ] {
            assert_eq!((truth.is(true), truth.is(false)), (expected == Some(true), expected == Some(false)));
        }
    }

    #[test]
    fn constant_formulas_are_known() {
        let some = Truth::from(Formula::fresh("some"));
        assert!(some.formula().is_some() && !some.is(true) && !some.is(false) && some.is_same(&some));
        assert!(Truth::from(Formula::constant(true)).is(true));
        assert!(some.and(&Truth::from(Formula::constant(false))).is(false));
        assert!(
            matches!(some.and(&Truth::Open), Truth::Open) && matches!(some.or(&Truth::Open), Truth::Open)
        );
    }
}
