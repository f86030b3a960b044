//! Terms and formulas, constants and values.

use crate::Unsupported;
use crate::float;
use beeline_ir::{Bits, FloatKind, Type, Value};
use rustc_hash::FxHashSet;
use z3::ast::{Ast, BV, Bool, Dynamic, Float};

/// The widest bit-vector that is handed to the solver.
const MAX_WIDTH: u32 = 1 << 14;

/// A formula.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Formula(pub(crate) Bool);

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Formula {
    /// The formula that always or never holds.
    pub fn constant(truth: bool) -> Formula {
        Formula(Bool::from_bool(truth))
    }

    /// A new truth value that nothing else mentions.
    pub fn fresh(name: &str) -> Formula {
        Formula(Bool::fresh_const(name))
    }

    /// Is it literally the constant?
    pub fn is_constant(&self, truth: bool) -> bool {
        self.0.as_bool() == Some(truth)
    }

    /// Does the formula mention a constant?
    pub fn mentions(&self, constant: &Term) -> bool {
        contains(&Dynamic::from_ast(&self.0), &constant.dynamic())
    }

    /// Does the formula mention a region's content?
    pub fn mentions_memory(&self, memory: &crate::Memory) -> bool {
        contains(&Dynamic::from_ast(&self.0), &Dynamic::from_ast(&memory.0))
    }

    /// The parts of a conjunction, those of its parts too; itself if it is none.
    pub fn conjuncts(&self) -> Vec<Formula> {
        let mut parts = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![Dynamic::from_ast(&self.0)];
        while let Some(term) = stack.pop() {
            if term.is_app() && term.decl().kind() == z3::DeclKind::And {
                if seen.insert(term.clone()) {
                    stack.extend(term.children());
                }
            } else if let Some(part) = term.as_bool() {
                parts.push(Formula(part));
            }
        }
        parts
    }

    /// Equivalence.
    pub fn same(&self, other: &Formula) -> Formula {
        Formula(self.0.iff(&other.0))
    }

    /// Negation.
    pub fn not(&self) -> Formula {
        match self.0.as_bool() {
            Some(truth) => Formula::constant(!truth),
            None => Formula(self.0.not()),
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
        let mut kept: Vec<Bool> = Vec::new();
        for part in parts {
            match part.0.as_bool() {
                Some(true) => {}
                Some(false) => return part,
                None => kept.push(part.0),
            }
        }
        match kept.len() {
            0 => Formula::constant(true),
            1 => Formula(kept.swap_remove(0)),
            _ => Formula(Bool::and(&kept)),
        }
    }

    /// Disjunction of all.
    pub fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut kept: Vec<Bool> = Vec::new();
        for part in parts {
            match part.0.as_bool() {
                Some(false) => {}
                Some(true) => return part,
                None => kept.push(part.0),
            }
        }
        match kept.len() {
            0 => Formula::constant(false),
            1 => Formula(kept.swap_remove(0)),
            _ => Formula(Bool::or(&kept)),
        }
    }

    /// One of two formulas.
    pub fn ite(&self, then: &Formula, otherwise: &Formula) -> Formula {
        match self.0.as_bool() {
            Some(true) => then.clone(),
            Some(false) => otherwise.clone(),
            None if then == otherwise => then.clone(),
            None => Formula(self.0.ite(&then.0, &otherwise.0)),
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
            Type::Bool => Kind::Bool(Formula(Bool::new_const(name))),
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

    /// Is it an uninterpreted constant?
    pub fn is_symbol(&self) -> bool {
        is_symbol(&self.dynamic())
    }

    /// Are the two the same value? For floats: NaN is NaN, and the zeros differ.
    ///
    /// # Panics
    /// If the types differ, a bug of the caller.
    pub fn same(&self, other: &Term) -> Formula {
        if self == other {
            return Formula::constant(true);
        }
        Formula(match (&self.0, &other.0) {
            (Kind::Bool(a), Kind::Bool(b)) => a.0.iff(&b.0),
            (Kind::Bv(a), Kind::Bv(b)) => a.eq(b),
            (Kind::Float(_, a), Kind::Float(_, b)) => a.eq(b),
            _ => panic!("terms of different types are compared"),
        })
    }

    /// One of two terms.
    ///
    /// # Panics
    /// If the types differ, a bug of the caller.
    pub fn ite(cond: &Formula, then: &Term, otherwise: &Term) -> Term {
        match cond.0.as_bool() {
            Some(true) => return then.clone(),
            Some(false) => return otherwise.clone(),
            None if then == otherwise => return then.clone(),
            None => {}
        }
        Term(match (&then.0, &otherwise.0) {
            (Kind::Bool(a), Kind::Bool(b)) => Kind::Bool(cond.ite(a, b)),
            (Kind::Bv(a), Kind::Bv(b)) => Kind::Bv(cond.0.ite(a, b)),
            (Kind::Float(kind, a), Kind::Float(_, b)) => Kind::Float(*kind, cond.0.ite(a, b)),
            _ => panic!("terms of different types are chosen from"),
        })
    }

    pub(crate) fn dynamic(&self) -> Dynamic {
        match &self.0 {
            Kind::Bool(term) => Dynamic::from_ast(&term.0),
            Kind::Bv(term) => Dynamic::from_ast(term),
            Kind::Float(_, term) => Dynamic::from_ast(term),
        }
    }

    /// The term of a type inside a dynamic one.
    pub(crate) fn from_dynamic(ty: Type, term: &Dynamic) -> Option<Term> {
        Some(Term(match ty {
            Type::Bool => Kind::Bool(Formula(term.as_bool()?)),
            Type::Bv(_) => Kind::Bv(term.as_bv()?),
            Type::Float(kind) => Kind::Float(kind, term.as_float()?),
        }))
    }
}

/// Is a term part of another one? What is under quantifiers is not looked at.
fn contains(whole: &Dynamic, part: &Dynamic) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![whole.clone()];
    while let Some(term) = stack.pop() {
        if term == *part {
            return true;
        }
        if term.is_app() && seen.insert(term.clone()) {
            stack.extend(term.children());
        }
    }
    false
}

pub(crate) fn is_symbol(term: &Dynamic) -> bool {
    term.is_const() && term.decl().kind() == z3::DeclKind::Uninterpreted
}

/// A bit-vector value as a term.
pub(crate) fn numeral(bits: &Bits) -> BV {
    match bits.to_u64() {
        Some(value) => BV::from_u64(value, bits.width()),
        None => BV::from_str(bits.width(), &bits.to_biguint().to_string())
            .expect("a decimal numeral is a bit-vector"),
    }
}

/// The bits of a numeral.
pub(crate) fn numeral_bits(term: &BV) -> Option<Bits> {
    let width = term.get_size();
    if let Some(value) = term.as_u64() {
        return Some(Bits::new(width, value));
    }
    let text = Ast::simplify(term).to_string();
    let (digits, radix) = match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => return None,
    };
    Some(Bits::from_big(width, num_bigint::BigUint::parse_bytes(digits.as_bytes(), radix)?))
}
