//! The predicates of a result as typed expressions about a program.

use crate::proof::{RunExpr, RunProof};
use beeline_ir::expr::Declarations;
use beeline_ir::{Expr, ExprId, ExprPool, Program, RegionId, Type, VarId};
use std::collections::HashMap;

/// Predicates in a pool of their own, in which a variable stands for a variable of an activation.
#[derive(Debug, Clone)]
pub struct Predicates {
    /// The expressions.
    pub pool: ExprPool,
    /// For each variable of the pool, the program's variable and the activation.
    pub slots: Vec<(VarId, u32)>,
    /// The predicates, in the order of the table.
    pub exprs: Vec<ExprId>,
}

/// What a region held where a loop was entered, as a region of invariants: such regions come after those of the program.
pub fn region_at_entry(program: &Program, region: RegionId) -> RegionId {
    RegionId::from_u32(program.regions.len() as u32 + region.as_u32())
}

/// The region of the program that a region of invariants stands for, and whether that is what it held where the loop was
/// entered.
pub fn region_of_invariant(program: &Program, region: RegionId) -> (RegionId, bool) {
    match region.as_u32().checked_sub(program.regions.len() as u32) {
        Some(number) => (RegionId::from_u32(number), true),
        None => (region, false),
    }
}

/// What expressions of the pool may refer to: its own variables and the program's regions, perhaps as they were where a
/// loop was entered.
struct Scope<'a> {
    program: &'a Program,
    slots: &'a [(VarId, u32)],
    at_entry: bool,
}

impl Declarations for Scope<'_> {
    fn var_type(&self, var: VarId) -> Option<Type> {
        let &(var, _) = self.slots.get(var.as_u32() as usize)?;
        self.program.var_type(var)
    }
    fn region_types(&self, region: RegionId) -> Option<(Type, Type)> {
        match region_of_invariant(self.program, region) {
            (_, true) if !self.at_entry => None,
            (region, _) => self.program.region_types(region),
        }
    }
}

impl RunProof {
    /// The predicates over the program that the proof belongs to, or the reason why they are not well-typed
    /// there.
    pub fn predicates_over(&self, program: &Program) -> Result<Predicates, String> {
        Predicates::over(program, &self.exprs, &self.predicates, false)
    }
}

impl Predicates {
    /// The predicates of a table of expressions over a program, or the reason why they are not well-typed
    /// there. Those of invariants may read what regions held where a loop was entered.
    pub(crate) fn over(
        program: &Program,
        table: &[RunExpr],
        predicates: &[u32],
        at_entry: bool,
    ) -> Result<Predicates, String> {
        let mut pool = ExprPool::default();
        let (mut slots, mut numbers) = (Vec::new(), HashMap::new());
        let mut ids: Vec<ExprId> = Vec::with_capacity(table.len());
        for expr in table {
            let id = |operand: u32| ids[operand as usize];
            let node = match *expr {
                RunExpr::Value(ref value) => Expr::Const(pool.intern_const(value.clone())),
                RunExpr::Var(var, level) => {
                    let next = slots.len() as u32;
                    let number = *numbers.entry((var, level)).or_insert(next);
                    if number == next {
                        slots.push((var, level));
                    }
                    Expr::Var(VarId::from_u32(number))
                }
                RunExpr::Load(region, addr, ty) => Expr::Load { region, addr: id(addr), ty },
                RunExpr::Ite(c, a, b) => Expr::Ite(id(c), id(a), id(b)),
                RunExpr::Fma(a, b, c) => Expr::Fma(id(a), id(b), id(c)),
                RunExpr::Extract(hi, lo, arg) => Expr::Extract { hi, lo, arg: id(arg) },
                RunExpr::Unary(op, a) => Expr::Unary(op, id(a)),
                RunExpr::Binary(op, a, b) => Expr::Binary(op, id(a), id(b)),
                RunExpr::Cast(op, ty, a) => Expr::Cast(op, ty, id(a)),
            };
            let scope = Scope { program, slots: &slots, at_entry };
            ids.push(pool.intern(node, &scope).map_err(|error| error.to_string())?);
        }
        let exprs: Vec<ExprId> = predicates.iter().map(|&expr| ids[expr as usize]).collect();
        match exprs.iter().find(|&&expr| pool.ty(expr) != Type::Bool) {
            Some(&expr) => Err(format!("a predicate has the type {}", pool.ty(expr))),
            None => Ok(Predicates { pool, slots, exprs }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formulas::Formulas;
    use crate::names::Names;
    use crate::summaries::ANY_VALUE;
    use crate::unrolling::{RunInvariant, RunInvariants};
    use beeline_ir::{BinOp, LocId};

    fn program() -> Program {
        let text = "beeline 1.0
            region a: i8 -> i8 in 0x10+6
            region b: i8 -> i8 in 0x20+6
            fn main() {
              var x: i8
              exit
            }";
        beeline_ir::text::parse(text).expect("the text is a program")
    }

    /// That a region holds what it held at the entry, at any address.
    fn unchanged(program: &Program, region: RegionId) -> Vec<RunExpr> {
        let cell = Type::Bv(8);
        vec![
            RunExpr::Var(VarId::from_u32(0), ANY_VALUE),
            RunExpr::Load(region, 0, cell),
            RunExpr::Load(region_at_entry(program, region), 0, cell),
            RunExpr::Binary(BinOp::Eq, 1, 2),
        ]
    }

    #[test]
    fn only_invariants_read_regions_as_they_were() {
        let program = program();
        for number in 0..3 {
            let exprs = unchanged(&program, RegionId::from_u32(number));
            assert_eq!(Predicates::over(&program, &exprs, &[3], true).is_ok(), number < 2);
            assert!(Predicates::over(&program, &exprs, &[3], false).is_err());
        }
    }

    #[test]
    fn the_text_says_what_is_any_and_what_is_old() {
        let program = program();
        let exprs = unchanged(&program, RegionId::from_u32(1));
        let list = vec![RunInvariant { head: LocId::from_u32(0), expr: 3 }];
        let formulas =
            Formulas::of_invariants(&RunInvariants { exprs, list }, &Names { program: Some(&program) });
        assert_eq!(formulas.predicates(), ["b[any]:i8 == old(b)[any]:i8"]);
    }
}
