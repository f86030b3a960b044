//! Simplified queries: from a query to formulas of bit-vectors, and from their values to a model of the query.

use super::clauses::Literal;
use super::floats::WITHOUT_FLOATS;
use super::gates::TRUE;
use super::goal::{Bounds, Goal, Setting, Tactic};
use super::words::{Words, value};
use crate::ast::{is_symbol, parts};
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
}

/// A constant of a simplified query, and the truth values that Z3's blaster has instead.
pub(super) struct Bits {
    constant: Dynamic,
    /// The lowest one first.
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
        let is_of_bits = |part: &Dynamic| {
            matches!(part.kind(), AstKind::App | AstKind::Numeral)
                && matches!(part.sort_kind(), SortKind::Bool | SortKind::Bv)
                && (!part.is_app() || part.is_const() || part.decl().kind() != DeclKind::Uninterpreted)
        };
        all_parts(&goal.formulas()).iter().all(is_of_bits).then_some(Simple { query, goal })
    }

    /// The approximate number of gates of the query.
    pub(super) fn gates(&self) -> u64 {
        gates(&self.goal.formulas())
    }

    /// The formulas of bit-vectors.
    pub(super) fn formulas(&self) -> Vec<Bool> {
        self.goal.formulas()
    }

    /// The formulas of truth values that Z3 makes of them, and what stands for their constants.
    pub(super) fn blast(&self, bounds: &Bounds) -> Option<(Vec<Bool>, Vec<Bits>)> {
        let constants: Vec<Bits> = symbols(&self.formulas()).into_iter().map(Bits::of).collect();
        let replaced: Vec<Dynamic> = constants.iter().map(Bits::joined).collect();
        let pairs: Vec<(&Dynamic, &Dynamic)> =
            constants.iter().map(|bits| &bits.constant).zip(&replaced).collect();
        let formulas: Vec<Bool> = self.formulas().iter().map(|formula| formula.substitute(&pairs)).collect();
        Some((Goal::new(&formulas)?.apply(BLAST, bounds)?.formulas(), constants))
    }

    /// The model of the query in which the constants of its formulas have these values; `None` if Z3 does not
    /// find that the query holds in it.
    pub(super) fn model(&self, values: &[(Dynamic, Dynamic)]) -> Option<z3::Model> {
        let model = self.goal.convert_model(values, &symbols(&self.query))?;
        let holds =
            |formula: &Bool| model.eval(formula, true).and_then(|truth| truth.as_bool()) == Some(true);
        self.query.iter().all(holds).then_some(model)
    }
}

impl Bits {
    fn of(constant: Dynamic) -> Bits {
        let width = constant.as_bv().map_or(1, |term| term.get_size());
        Bits { constant, bits: (0..width).map(|_| Bool::fresh_const("bit")).collect() }
    }

    /// The term of the constant's sort made of its bits.
    fn joined(&self) -> Dynamic {
        if self.constant.as_bool().is_some() {
            return Dynamic::from_ast(&self.bits[0]);
        }
        let [zero, one] = [0, 1].map(|bit| BV::from_u64(bit, 1));
        let bits = self.bits.iter().map(|bit| bit.ite(&one, &zero));
        let joined = bits.reduce(|low, bit| bit.concat(&low)).expect("no bit-vector is empty");
        Dynamic::from_ast(&joined)
    }

    /// The constant with its value, where the bits have literals. A bit that no formula mentions is zero.
    pub(super) fn valued(&self, words: &Words, holds: impl Fn(Literal) -> bool) -> (Dynamic, Dynamic) {
        let literal = |bit: &Bool| words.of(&Dynamic::from_ast(bit)).map_or(-TRUE, |word| word[0]);
        let word: Vec<Literal> = self.bits.iter().map(literal).collect();
        (self.constant.clone(), value(&self.constant, &word, holds))
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
        | DeclKind::BudivI
        | DeclKind::BsdivI
        | DeclKind::BuremI
        | DeclKind::BsremI => widest * widest * 4,
        DeclKind::Bshl | DeclKind::Blshr | DeclKind::Bashr => widest * u64::from(widest.ilog2() + 1),
        DeclKind::Concat | DeclKind::Extract | DeclKind::Uninterpreted => 0,
        _ => widest * inputs,
    }
}
