//! Bit blasting: from a query to formulas of truth values, and from their values to a model of the query.

use super::goal::{Bounds, Goal, Setting, Tactic};
use crate::ast::{is_symbol, numeral, parts};
use beeline_ir::Bits;
use num_bigint::BigUint;
use z3::ast::{Ast, BV, Bool, Dynamic};
use z3::{AstKind, DeclKind, SortKind};

/// The sorts of formulas besides truth values and bit-vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sorts {
    /// None.
    BitVectors,
    /// Memory.
    Memory,
    /// Memory and floats, as far as is known.
    Any,
}

/// Replaces floats by the bit-vector operations that implement them.
const WITHOUT_FLOATS: &[Tactic] = &[("simplify", &[]), ("fpa2bv", &[])];
/// Simplifies queries: solves equations and propagates values.
const SIMPLER: &[Tactic] =
    &[("simplify", &[]), ("propagate-values", &[]), ("solve-eqs", &[]), ("simplify", &[])];
/// The same for memory. A read becomes a choice between the written values and the initial content. The
/// initial content is a constant for each address that is read, where equal addresses have equal constants.
const WITHOUT_MEMORY: &[Tactic] = &[
    ("simplify", READS),
    ("propagate-values", &[]),
    ("solve-eqs", &[]),
    ("simplify", READS),
    ("solve-eqs", &[]),
    ("simplify", READS),
    ("bvarray2uf", &[]),
    ("ackermannize_bv", MANY_READS),
];
const READS: &[(&str, Setting)] =
    &[("blast_select_store", Setting::Bool(true)), ("expand_select_ite", Setting::Bool(true))];
/// The greatest number of pairs of addresses that are compared.
const MANY_READS: &[(&str, Setting)] = &[("div0_ackermann_limit", Setting::Number(100_000))];
/// Blasts bit-vectors to truth values.
const BLAST: &[Tactic] = &[("simplify", &[]), ("bit-blast", &[])];

/// A simplified query.
pub(super) struct Simple {
    query: Vec<Bool>,
    goal: Goal,
    constants: Vec<Constant>,
}

/// A constant of a simplified query, and the truth values that stand for it.
struct Constant {
    term: Dynamic,
    /// The bits, lowest first.
    bits: Vec<Bool>,
}

impl Simple {
    /// Simplifies a query; `None` if the result is not of bit-vectors alone.
    pub(super) fn new(query: Vec<Bool>, sorts: Sorts, bounds: &Bounds) -> Option<Simple> {
        let tactics = match sorts {
            Sorts::BitVectors => SIMPLER.to_vec(),
            Sorts::Memory => WITHOUT_MEMORY.to_vec(),
            Sorts::Any => [WITHOUT_FLOATS, WITHOUT_MEMORY].concat(),
        };
        let goal = Goal::new(&query)?.apply(&tactics, bounds)?;
        let mut simple = Simple { query, goal, constants: Vec::new() };
        for part in all_parts(&simple.goal.formulas()) {
            let fits = matches!(part.kind(), AstKind::App | AstKind::Numeral)
                && matches!(part.sort_kind(), SortKind::Bool | SortKind::Bv);
            if !fits || (part.is_app() && !part.is_const() && part.decl().kind() == DeclKind::Uninterpreted) {
                return None;
            }
            if is_symbol(&part) {
                let width = part.as_bv().map_or(1, |term| term.get_size());
                let bits = (0..width).map(|_| Bool::fresh_const("bit")).collect();
                simple.constants.push(Constant { term: part, bits });
            }
        }
        Some(simple)
    }

    /// The approximate number of gates of the query.
    pub(super) fn gates(&self) -> u64 {
        gates(&self.goal.formulas())
    }

    /// The formulas of truth values.
    pub(super) fn blast(&self, bounds: &Bounds) -> Option<Vec<Bool>> {
        let replaced: Vec<Dynamic> = self.constants.iter().map(Constant::as_bits).collect();
        let pairs: Vec<(&Dynamic, &Dynamic)> =
            self.constants.iter().map(|constant| &constant.term).zip(&replaced).collect();
        let formulas: Vec<Bool> =
            self.goal.formulas().iter().map(|formula| formula.substitute(&pairs)).collect();
        Some(Goal::new(&formulas)?.apply(BLAST, bounds)?.formulas())
    }

    /// The model of the query in which bits have some values; `None` if Z3 does not find that the query holds
    /// in it.
    pub(super) fn model(&self, bit: impl Fn(&Bool) -> bool) -> Option<z3::Model> {
        let values: Vec<(Dynamic, Dynamic)> =
            self.constants.iter().map(|constant| (constant.term.clone(), constant.value(&bit))).collect();
        let model = self.goal.convert_model(&values, &symbols(&self.query))?;
        let holds =
            |formula: &Bool| model.eval(formula, true).and_then(|truth| truth.as_bool()) == Some(true);
        self.query.iter().all(holds).then_some(model)
    }
}

impl Constant {
    /// The term of the constant's sort made of its bits.
    fn as_bits(&self) -> Dynamic {
        if self.term.as_bool().is_some() {
            return Dynamic::from_ast(&self.bits[0]);
        }
        let [zero, one] = [0, 1].map(|bit| BV::from_u64(bit, 1));
        let bits = self.bits.iter().map(|bit| bit.ite(&one, &zero));
        let joined = bits.reduce(|low, bit| bit.concat(&low)).expect("no bit-vector is empty");
        Dynamic::from_ast(&joined)
    }

    fn value(&self, bit: impl Fn(&Bool) -> bool) -> Dynamic {
        if self.term.as_bool().is_some() {
            return Dynamic::from_ast(&Bool::from_bool(bit(&self.bits[0])));
        }
        let mut value = BigUint::default();
        for (index, constant) in self.bits.iter().enumerate() {
            value.set_bit(index as u64, bit(constant));
        }
        Dynamic::from_ast(&numeral(&Bits::from_big(self.bits.len() as u32, value)))
    }
}

/// All parts of formulas, each once.
fn all_parts(formulas: &[Bool]) -> Vec<Dynamic> {
    parts(&Dynamic::from_ast(&Bool::and(formulas))).collect()
}

/// The approximate number of gates of formulas.
pub(crate) fn gates(formulas: &[Bool]) -> u64 {
    all_parts(formulas).iter().map(gates_of).sum()
}

/// The constants that formulas mention.
pub(super) fn symbols(formulas: &[Bool]) -> Vec<Dynamic> {
    all_parts(formulas).into_iter().filter(is_symbol).collect()
}

/// The approximate number of gates of an operator.
fn gates_of(term: &Dynamic) -> u64 {
    if !term.is_app() {
        return 0;
    }
    let inputs = term.num_children() as u64;
    let width = |term: &Dynamic| term.as_bv().map_or(1, |term| u64::from(term.get_size()));
    let widest = term.nth_child(0).map_or(1, |first| width(&first)).max(width(term));
    match term.decl().kind() {
        DeclKind::Bmul => widest * widest * 2 * inputs.saturating_sub(1),
        DeclKind::Budiv
        | DeclKind::Bsdiv
        | DeclKind::Burem
        | DeclKind::Bsrem
        | DeclKind::Bsmod
        | DeclKind::BudivI
        | DeclKind::BsdivI
        | DeclKind::BuremI
        | DeclKind::BsremI
        | DeclKind::BsmodI => widest * widest * 4,
        DeclKind::Bshl | DeclKind::Blshr | DeclKind::Bashr => widest * u64::from(widest.ilog2() + 1),
        DeclKind::Concat | DeclKind::Extract | DeclKind::Uninterpreted => 0,
        _ => widest * inputs,
    }
}
