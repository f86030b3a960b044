//! Terms and formulas, constants and values.

use crate::ast::{is_symbol, numeral, parts};
use crate::float;
use beeline_ir::{FloatKind, Type, Value};
use rustc_hash::FxHashSet;
use z3::ast::{Ast, BV, Bool, Dynamic, Float};

/// Something without an exact encoding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the solver cannot express {0}")]
pub struct Unsupported(pub String);

/// The greatest width of a bit-vector for the solver.
const MAX_WIDTH: u32 = 1 << 14;

/// A formula. A known truth value is not a Z3 term, so many programs do not need Z3 at all.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Formula(Shape);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape {
    Known(bool),
    Term(Bool),
}

impl From<Bool> for Formula {
    fn from(term: Bool) -> Formula {
        Formula(term.as_bool().map_or(Shape::Term(term), Shape::Known))
    }
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Shape::Known(truth) => write!(f, "{truth}"),
            Shape::Term(term) => write!(f, "{term}"),
        }
    }
}

impl Formula {
    /// The formula that always or never holds.
    pub fn constant(truth: bool) -> Formula {
        Formula(Shape::Known(truth))
    }

    /// A new truth value that nothing else mentions.
    pub fn fresh(name: &str) -> Formula {
        Formula(Shape::Term(Bool::fresh_const(name)))
    }

    /// The Z3 term of the formula.
    pub(crate) fn z3(&self) -> Bool {
        match &self.0 {
            Shape::Known(truth) => Bool::from_bool(*truth),
            Shape::Term(term) => term.clone(),
        }
    }

    pub(crate) fn dynamic(&self) -> Dynamic {
        Dynamic::from_ast(&self.z3())
    }

    /// Its truth value, if it is literally a constant.
    pub fn known(&self) -> Option<bool> {
        if let Shape::Known(truth) = self.0 { Some(truth) } else { None }
    }

    /// Whether it is literally this constant.
    pub fn is_constant(&self, truth: bool) -> bool {
        self.known() == Some(truth)
    }

    /// Whether the formula mentions a constant.
    pub fn mentions(&self, constant: &Term) -> bool {
        let constant = constant.dynamic();
        self.known().is_none() && parts(&self.dynamic()).any(|part| part == constant)
    }

    /// The parts of a conjunction, those of its parts too; itself if it is none.
    pub fn conjuncts(&self) -> Vec<Formula> {
        let Shape::Term(term) = &self.0 else { return vec![self.clone()] };
        let mut parts = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![Dynamic::from_ast(term)];
        while let Some(term) = stack.pop() {
            if term.is_app() && term.decl().kind() == z3::DeclKind::And {
                if seen.insert(term.clone()) {
                    stack.extend(term.children());
                }
            } else if let Some(part) = term.as_bool() {
                parts.push(Formula::from(part));
            }
        }
        parts
    }

    /// Equivalence.
    pub fn same(&self, other: &Formula) -> Formula {
        match (&self.0, &other.0) {
            (Shape::Known(true), _) => other.clone(),
            (_, Shape::Known(true)) => self.clone(),
            (Shape::Known(false), _) => other.not(),
            (_, Shape::Known(false)) => self.not(),
            (Shape::Term(a), Shape::Term(b)) => Formula::from(a.iff(b)),
        }
    }

    /// Negation.
    pub fn not(&self) -> Formula {
        match &self.0 {
            Shape::Known(truth) => Formula::constant(!truth),
            Shape::Term(term) => Formula::from(term.not()),
        }
    }

    /// Conjunction of two.
    pub fn and(&self, other: &Formula) -> Formula {
        Formula::all([self.clone(), other.clone()])
    }

    /// Disjunction of two.
    pub fn or(&self, other: &Formula) -> Formula {
        Formula::any([self.clone(), other.clone()])
    }

    /// Implication.
    pub fn implies(&self, other: &Formula) -> Formula {
        self.not().or(other)
    }

    /// Conjunction of all.
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::junction(parts, true, Bool::and)
    }

    /// Disjunction of all.
    pub fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::junction(parts, false, Bool::or)
    }

    /// Joins the parts without neutral ones. A part with the other truth value decides.
    fn junction(
        parts: impl IntoIterator<Item = Formula>,
        neutral: bool,
        join: impl FnOnce(&[Bool]) -> Bool,
    ) -> Formula {
        let mut kept: Vec<Bool> = Vec::new();
        for part in parts {
            match part.0 {
                Shape::Known(truth) if truth == neutral => {}
                Shape::Known(truth) => return Formula::constant(truth),
                Shape::Term(term) => kept.push(term),
            }
        }
        match kept.len() {
            0 => Formula::constant(neutral),
            1 => Formula(Shape::Term(kept.swap_remove(0))),
            _ => Formula::from(join(&kept)),
        }
    }

    /// A choice between two formulas.
    pub fn ite(&self, then: &Formula, otherwise: &Formula) -> Formula {
        match &self.0 {
            Shape::Known(true) => then.clone(),
            Shape::Known(false) => otherwise.clone(),
            Shape::Term(_) if then == otherwise => then.clone(),
            Shape::Term(term) => Formula::from(term.ite(&then.z3(), &otherwise.z3())),
        }
    }
}

/// A term of some type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Term(pub(crate) Kind);

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Bool(Formula),
    Bv(BV),
    Float(FloatKind, Float),
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.dynamic())
    }
}

/// Refuses bit-vectors that are too wide for the solver.
pub(crate) fn check_type(ty: Type) -> Result<(), Unsupported> {
    match ty {
        Type::Bv(width) if width > MAX_WIDTH => Err(Unsupported(format!("integers of {width} bits"))),
        _ => Ok(()),
    }
}

impl Term {
    /// The constant with a name; equal names and types give equal constants.
    pub fn named(name: &str, ty: Type) -> Result<Term, Unsupported> {
        check_type(ty)?;
        Ok(Term(match ty {
            Type::Bool => Kind::Bool(Bool::new_const(name).into()),
            Type::Bv(width) => Kind::Bv(BV::new_const(name, width)),
            Type::Float(kind) => {
                Kind::Float(kind, Float::new_const(name, kind.exponent_bits(), kind.precision()))
            }
        }))
    }

    /// A constant that nothing else mentions.
    pub fn fresh(name: &str, ty: Type) -> Result<Term, Unsupported> {
        check_type(ty)?;
        Ok(Term(match ty {
            Type::Bool => Kind::Bool(Formula::fresh(name)),
            Type::Bv(width) => Kind::Bv(BV::fresh_const(name, width)),
            Type::Float(kind) => {
                Kind::Float(kind, Float::fresh_const(name, kind.exponent_bits(), kind.precision()))
            }
        }))
    }

    /// A value as a term.
    pub fn value(value: &Value) -> Result<Term, Unsupported> {
        check_type(value.ty())?;
        Ok(Term(match value {
            Value::Bool(truth) => Kind::Bool(Formula::constant(*truth)),
            Value::Bv(bits) => Kind::Bv(numeral(bits)),
            Value::Float(kind, bits) => Kind::Float(*kind, float::from_bits(*kind, &numeral(bits))),
        }))
    }

    /// A formula as a term.
    pub fn truth(formula: Formula) -> Term {
        Term(Kind::Bool(formula))
    }

    /// The type of the term.
    pub fn ty(&self) -> Type {
        match &self.0 {
            Kind::Bool(_) => Type::Bool,
            Kind::Bv(term) => Type::Bv(term.get_size()),
            Kind::Float(kind, _) => Type::Float(*kind),
        }
    }

    /// The formula, if the term is a truth value.
    pub fn as_formula(&self) -> Option<&Formula> {
        if let Kind::Bool(formula) = &self.0 { Some(formula) } else { None }
    }

    /// Whether it is an uninterpreted constant.
    pub fn is_symbol(&self) -> bool {
        is_symbol(&self.dynamic())
    }

    /// The formula that two terms have the same value. For floats, NaN equals NaN, and the zeros differ.
    ///
    /// # Panics
    /// If the types differ, which is a bug of the caller.
    pub fn same(&self, other: &Term) -> Formula {
        if self == other {
            return Formula::constant(true);
        }
        match (&self.0, &other.0) {
            (Kind::Bool(a), Kind::Bool(b)) => a.same(b),
            (Kind::Bv(a), Kind::Bv(b)) => a.eq(b).into(),
            (Kind::Float(_, a), Kind::Float(_, b)) => a.eq(b).into(),
            _ => panic!("terms of different types are compared"),
        }
    }

    /// A sum of bit-vectors, each times a factor, plus a number, all of one width.
    ///
    /// # Panics
    /// If a part has another type, which is a bug of the caller.
    pub fn linear(width: u32, parts: impl IntoIterator<Item = (u64, Term)>, number: u64) -> Term {
        let sum = parts.into_iter().fold(None, |sum: Option<BV>, (factor, term)| {
            let Kind::Bv(term) = term.0 else { panic!("a part of a sum is no number") };
            let part = if factor == 1 { term } else { BV::from_u64(factor, width).bvmul(&term) };
            Some(sum.map_or(part.clone(), |sum| sum.bvadd(&part)))
        });
        let number = (number != 0 || sum.is_none()).then(|| BV::from_u64(number, width));
        Term(Kind::Bv(match (sum, number) {
            (Some(sum), Some(number)) => sum.bvadd(&number),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => unreachable!("a sum without parts is a number"),
        }))
    }

    /// The formula that a bit-vector is below a number without a sign.
    ///
    /// # Panics
    /// If the term is no bit-vector, which is a bug of the caller.
    pub fn is_below(&self, number: u64) -> Formula {
        let Kind::Bv(term) = &self.0 else { panic!("a term that is no number is compared") };
        term.bvult(BV::from_u64(number, term.get_size())).into()
    }

    /// A choice between two terms.
    ///
    /// # Panics
    /// If the types differ, which is a bug of the caller.
    pub fn ite(cond: &Formula, then: &Term, otherwise: &Term) -> Term {
        let test = match &cond.0 {
            Shape::Known(true) => return then.clone(),
            Shape::Known(false) => return otherwise.clone(),
            Shape::Term(_) if then == otherwise => return then.clone(),
            Shape::Term(test) => test,
        };
        Term(match (&then.0, &otherwise.0) {
            (Kind::Bool(a), Kind::Bool(b)) => Kind::Bool(cond.ite(a, b)),
            (Kind::Bv(a), Kind::Bv(b)) => Kind::Bv(test.ite(a, b)),
            (Kind::Float(kind, a), Kind::Float(_, b)) => Kind::Float(*kind, test.ite(a, b)),
            _ => panic!("terms of different types are chosen from"),
        })
    }

    pub(crate) fn dynamic(&self) -> Dynamic {
        match &self.0 {
            Kind::Bool(formula) => formula.dynamic(),
            Kind::Bv(term) => Dynamic::from_ast(term),
            Kind::Float(_, term) => Dynamic::from_ast(term),
        }
    }

    /// The term of a type, from a dynamic one.
    pub(crate) fn from_dynamic(ty: Type, term: &Dynamic) -> Option<Term> {
        Some(Term(match ty {
            Type::Bool => Kind::Bool(term.as_bool()?.into()),
            Type::Bv(_) => Kind::Bv(term.as_bv()?),
            Type::Float(kind) => Kind::Float(kind, term.as_float()?),
        }))
    }
}
