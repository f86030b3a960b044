//! Postconditions of functions: affine relations between the values of parameters and globals at the entry of
//! an activation, and the values of the result and the globals at its exit.
//!
//! A popped call is left without following it. After it, two things are known: what the function cannot write
//! is as it was, and its postconditions hold.

use crate::control::affine_hull::{Hull, Relation, inverse};
use beeline_ir::{FuncId, Program, Type, Value, VarId};
use beeline_run::{AT_ENTRY, RunExpr};
use beeline_smt::{Formula, Term};
use std::collections::BTreeMap;

/// What a relation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// The value of a parameter that the function does not write.
    Parameter(VarId),
    /// The value of a global at the entry.
    Before(VarId),
    /// The value of a global at the exit.
    After(VarId),
    /// The result variable of the function at the exit.
    Result(VarId),
}

impl Subject {
    /// The variable.
    pub fn var(self) -> VarId {
        let (Subject::Parameter(var) | Subject::Before(var) | Subject::After(var) | Subject::Result(var)) =
            self;
        var
    }
}

/// The postconditions of a function.
#[derive(Debug, Clone, Default)]
pub struct Postconditions {
    of_widths: Vec<OfWidth>,
}

/// Relations between values of one width.
#[derive(Debug, Clone)]
struct OfWidth {
    width: u32,
    subjects: Vec<Subject>,
    hull: Hull,
}

impl Postconditions {
    /// All relations between some subjects, as they hold of a function that never returns.
    pub(crate) fn of_no_end(program: &Program, subjects: &[Subject]) -> Postconditions {
        let width = |subject: &Subject| match program.vars[subject.var()].ty {
            Type::Bv(width) if width <= u64::BITS => Some(width),
            _ => None,
        };
        let mut widths: Vec<u32> = subjects.iter().filter_map(width).collect();
        widths.sort_unstable();
        widths.dedup();
        let of_width = |of| {
            let subjects: Vec<Subject> =
                subjects.iter().copied().filter(|subject| width(subject) == Some(of)).collect();
            OfWidth { width: of, hull: Hull::empty(of, subjects.len()), subjects }
        };
        Postconditions { of_widths: widths.into_iter().map(of_width).collect() }
    }

    /// What the relations are about.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = Subject> + '_ {
        self.of_widths.iter().flat_map(|of_width| of_width.subjects.iter().copied())
    }

    /// Whether there is no relation.
    pub(crate) fn is_empty(&self) -> bool {
        self.relations() == 0
    }

    /// How many relations there are.
    pub(crate) fn relations(&self) -> usize {
        self.of_widths.iter().map(|of_width| of_width.hull.relations().len()).sum()
    }

    /// Adds an observed activation: keeps the relations that hold of the values of its subjects.
    pub(crate) fn add(&mut self, seen: impl Fn(Subject) -> u64) {
        for of_width in &mut self.of_widths {
            let point: Vec<u64> = of_width.subjects.iter().map(|&subject| seen(subject)).collect();
            of_width.hull.add(&point);
        }
    }

    /// The formula that the relations hold of some terms.
    pub(crate) fn hold(&self, term: impl Fn(Subject) -> Term) -> Formula {
        let relations = self.of_widths.iter().flat_map(|of_width| {
            of_width.hull.relations().iter().map(|relation| {
                let [left, right] = of_width.sides(relation).map(|side| {
                    let parts = side.parts.iter().map(|&(factor, subject)| (factor, term(subject)));
                    Term::linear(of_width.width, parts, side.number)
                });
                left.same(&right)
            })
        });
        Formula::all(relations.collect::<Vec<_>>())
    }

    /// The values of subjects that follow from the relations: those of a subject that is the only unknown one
    /// in a relation.
    pub(crate) fn solved(&self, known: impl Fn(Subject) -> Option<u64>) -> Vec<(Subject, Value)> {
        self.of_widths.iter().flat_map(|of_width| of_width.solved(&known)).collect()
    }

    /// The relations as predicates of a file, added after the expressions of a table: for each relation the
    /// index of its expression.
    pub(crate) fn predicates(&self, exprs: &mut Vec<RunExpr>) -> Vec<u32> {
        let relations = self.of_widths.iter().flat_map(|of_width| {
            of_width
                .hull
                .relations()
                .iter()
                .map(move |relation| of_width.sides(relation).map(|side| (of_width.width, side)))
        });
        relations
            .map(|sides| {
                let [left, right] = sides.map(|(width, side)| side.expression(width, exprs));
                push(exprs, RunExpr::Binary(beeline_ir::BinOp::Eq, left, right))
            })
            .collect()
    }
}

/// One side of an equation: a sum of subjects, each times a factor, and of a number.
#[derive(Debug, Default)]
struct Side {
    parts: Vec<(u64, Subject)>,
    number: u64,
}

impl Side {
    fn expression(&self, width: u32, exprs: &mut Vec<RunExpr>) -> u32 {
        use beeline_ir::BinOp::{Add, Mul};
        let mut sum = None;
        let number = (self.number != 0 || self.parts.is_empty()).then_some(self.number);
        for &(factor, subject) in &self.parts {
            let level = match subject {
                Subject::Parameter(_) | Subject::Before(_) => AT_ENTRY,
                Subject::After(_) | Subject::Result(_) => 0,
            };
            let mut part = push(exprs, RunExpr::Var(subject.var(), level));
            if factor != 1 {
                let factor = push(exprs, RunExpr::Value(Value::bv(width, factor)));
                part = push(exprs, RunExpr::Binary(Mul, factor, part));
            }
            sum = Some(sum.map_or(part, |sum| push(exprs, RunExpr::Binary(Add, sum, part))));
        }
        let number = number.map(|number| push(exprs, RunExpr::Value(Value::bv(width, number))));
        match (sum, number) {
            (Some(sum), Some(number)) => push(exprs, RunExpr::Binary(Add, sum, number)),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => unreachable!("a side without parts is a number"),
        }
    }
}

fn push(exprs: &mut Vec<RunExpr>, expr: RunExpr) -> u32 {
    exprs.push(expr);
    exprs.len() as u32 - 1
}

impl OfWidth {
    fn cut(&self, number: u64) -> u64 {
        number & (u64::MAX >> (64 - self.width))
    }

    /// A relation as an equation with small coefficients.
    fn sides(&self, relation: &Relation) -> [Side; 2] {
        let [mut left, mut right] = [Side::default(), Side::default()];
        // As a signed number, the last factor other than zero is positive.
        let last = relation[..self.subjects.len()].iter().rev().find(|factor| **factor != 0).copied();
        let is_negative = |factor: u64| factor >> (self.width - 1) == 1;
        let negate = is_negative(last.unwrap_or(0));
        let sign = |factor: u64| if negate { self.cut(factor.wrapping_neg()) } else { factor };
        for (&factor, &subject) in relation.iter().zip(&self.subjects).filter(|(factor, _)| **factor != 0) {
            let factor = sign(factor);
            match is_negative(factor) {
                true => right.parts.push((self.cut(factor.wrapping_neg()), subject)),
                false => left.parts.push((factor, subject)),
            }
        }
        right.number = self.cut(sign(relation[self.subjects.len()]).wrapping_neg());
        [left, right]
    }

    fn solved<'s>(
        &'s self,
        known: &'s impl Fn(Subject) -> Option<u64>,
    ) -> impl Iterator<Item = (Subject, Value)> + 's {
        self.hull.relations().iter().filter_map(move |relation| {
            let mut sum = relation[self.subjects.len()];
            let mut open = None;
            for (&factor, &subject) in relation.iter().zip(&self.subjects).filter(|(factor, _)| **factor != 0)
            {
                match known(subject) {
                    Some(value) => sum = sum.wrapping_add(factor.wrapping_mul(value)),
                    None if open.is_some() => return None,
                    None => open = Some((factor, subject)),
                }
            }
            let (factor, subject) = open.filter(|(factor, _)| factor % 2 == 1)?;
            let value = self.cut(sum.wrapping_neg().wrapping_mul(inverse(factor)));
            Some((subject, Value::bv(self.width, value)))
        })
    }
}

/// The functions with postconditions.
pub type PostconditionMap = BTreeMap<FuncId, Postconditions>;
