//! Terms that read floats, such as comparisons: truth values and words of their own, until a query needs to know
//! which.
//!
//! Circuits of floats are large, and many queries do not depend on them. A formula that is contradictory whatever
//! these terms are is contradictory. Otherwise Z3 says what the terms are, as formulas of bit-vectors.

use super::goal::{Bounds, Goal, Tactic};
use crate::ast::is_symbol;
use crate::float;
use beeline_ir::FloatKind;
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, BV, Bool, Dynamic};
use z3::{AstKind, SortKind};

/// Replaces floats by the bit-vector operations that implement them.
pub(super) const WITHOUT_FLOATS: &[Tactic] = &[("simplify", &[]), ("fpa2bv", &[])];

/// The terms that read floats.
#[derive(Debug, Default)]
pub(super) struct Floats {
    /// The constant that stands for each term that is not known yet.
    unknown: FxHashMap<Dynamic, Dynamic>,
    /// For each term, what its floats were made of, and a constant that stands for that.
    inputs: FxHashMap<Dynamic, Vec<(Dynamic, Dynamic)>>,
    /// The bits of the floats that are constants.
    constants: FxHashMap<Dynamic, (FloatKind, BV)>,
}

impl Floats {
    /// A constant that stands for a term, if this reads floats.
    pub(super) fn stand_in(&mut self, term: &Dynamic) -> Option<Dynamic> {
        let reads = term.kind() == AstKind::App
            && matches!(term.sort_kind(), SortKind::Bool | SortKind::Bv)
            && term.children().iter().any(|part| part.sort_kind() == SortKind::FloatingPoint);
        let constant = fresh(term).filter(|_| reads)?;
        self.inputs.insert(term.clone(), inputs(term)?);
        self.unknown.insert(term.clone(), constant.clone());
        Some(constant)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Whether it is not known what a term is.
    pub(super) fn is_unknown(&self, term: &Dynamic) -> bool {
        self.unknown.contains_key(term)
    }

    /// What the floats of a term were made of, if it reads floats.
    pub(super) fn inputs(&self, term: &Dynamic) -> Option<&[(Dynamic, Dynamic)]> {
        self.inputs.get(term).map(Vec::as_slice)
    }

    /// What a term is, where constants stand for its inputs; `None` if Z3 does not say so within the limits.
    pub(super) fn know(&mut self, term: &Dynamic, bounds: &Bounds) -> Option<Vec<Bool>> {
        let constant = self.unknown.get(term)?;
        let mut pairs = self.inputs.get(term)?.clone();
        for part in floats(term).filter(is_symbol) {
            let kind = kind_of(&part)?;
            let fresh = || (kind, BV::fresh_const("bits", kind.width()));
            let (_, bits) = self.constants.entry(part.clone()).or_insert_with(fresh);
            pairs.push((part, Dynamic::from_ast(&float::from_bits(kind, bits))));
        }
        let pairs: Vec<(&Dynamic, &Dynamic)> = pairs.iter().map(|(from, to)| (from, to)).collect();
        let is = constant.eq(term.substitute(&pairs));
        let known = Goal::new(&[is])?.apply(WITHOUT_FLOATS, bounds)?.formulas();
        self.unknown.remove(term);
        Some(known)
    }

    /// The floats that are constants, with their kinds and bits.
    pub(super) fn constants(&self) -> impl Iterator<Item = (&Dynamic, &(FloatKind, BV))> {
        self.constants.iter()
    }
}

/// Whether a part is a float, or says how floats are rounded.
fn is_of_floats(part: &Dynamic) -> bool {
    matches!(part.sort_kind(), SortKind::FloatingPoint | SortKind::RoundingMode)
}

/// The floats that a term reads, each once.
fn floats(term: &Dynamic) -> impl Iterator<Item = Dynamic> {
    let mut seen = FxHashSet::default();
    let mut stack = term.children();
    std::iter::from_fn(move || {
        while let Some(part) = stack.pop() {
            if is_of_floats(&part) && seen.insert(part.clone()) {
                stack.extend(part.children());
                return Some(part);
            }
        }
        None
    })
}

/// What the floats of a term were made of, each with a constant of its sort.
fn inputs(term: &Dynamic) -> Option<Vec<(Dynamic, Dynamic)>> {
    let mut found = FxHashMap::default();
    for input in floats(term).chain([term.clone()]).flat_map(|part| part.children()) {
        if !is_of_floats(&input) && input.kind() == AstKind::App && !is_symbol(&input) {
            let constant = fresh(&input)?;
            found.entry(input).or_insert(constant);
        }
    }
    Some(found.into_iter().collect())
}

/// A new constant of a term's sort.
fn fresh(term: &Dynamic) -> Option<Dynamic> {
    match term.sort_kind() {
        SortKind::Bool => Some(Dynamic::from_ast(&Bool::fresh_const("float"))),
        SortKind::Bv => Some(Dynamic::from_ast(&BV::fresh_const("float", term.as_bv()?.get_size()))),
        _ => None,
    }
}

/// The kind of a float.
fn kind_of(term: &Dynamic) -> Option<FloatKind> {
    let sort = term.get_sort();
    let sizes = (sort.float_exponent_size()?, sort.float_significand_size()?);
    FloatKind::ALL.into_iter().find(|kind| (kind.exponent_bits(), kind.precision()) == sizes)
}
