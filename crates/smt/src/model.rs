//! Answers to queries, and valuations.

use crate::ast::numeral_bits;
use crate::float;
use crate::memory::Memory;
use crate::term::{Formula, Kind, Term};
use beeline_ir::{Region, Value};
use z3::ast::Dynamic;

/// The answer to a query.
#[derive(Debug)]
pub enum Answer {
    /// There is a valuation.
    Sat(Model),
    /// There is none.
    Unsat,
    /// There is no answer, for a reason.
    Unknown(String),
}

impl Answer {
    /// Whether there certainly is no valuation.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }

    /// Whether there certainly is a valuation.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }
}

/// A valuation.
#[derive(Debug)]
pub struct Model(z3::Model);

impl Model {
    /// A valuation that is known to be one.
    pub(crate) fn new(model: z3::Model) -> Model {
        Model(model)
    }

    /// The value of a term. Constants that the valuation leaves open are zero.
    pub fn value(&self, term: &Term) -> Option<Value> {
        match &term.0 {
            Kind::Bool(formula) => self.truth(formula).map(Value::Bool),
            Kind::Bv(bits) => numeral_bits(&self.0.eval(bits, true)?).map(Value::Bv),
            Kind::Float(kind, a) => {
                let bits = numeral_bits(&self.0.eval(&float::to_bits(*kind, a), true)?)?;
                Some(Value::float(*kind, bits))
            }
        }
    }

    /// The value of a constant.
    pub(crate) fn part(&self, constant: &Dynamic) -> Option<Dynamic> {
        self.0.eval(constant, true)
    }

    /// Whether a formula holds.
    pub fn truth(&self, formula: &Formula) -> Option<bool> {
        match formula.known() {
            Some(truth) => Some(truth),
            None => self.0.eval(&formula.z3(), true)?.as_bool(),
        }
    }

    /// The cell of a region at an address.
    pub fn cell(&self, memory: &Memory, region: &Region, addr: u64) -> Option<Value> {
        self.value(&memory.cell(region, addr))
    }
}
