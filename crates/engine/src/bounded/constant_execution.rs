//! Constant execution: the steps of a call whose arguments are known and whose function reads no other
//! inputs.

use crate::control::place::{Place, Step, Steps};
use crate::values::eval::{AbstractValue, Environment, accessible, eval};
use beeline_ir::{Bits, Expr, ExprId, FuncId, Op, Program, RegionId, Value, VarId};
use rustc_hash::FxHashMap;

/// The known values of variables.
struct Known(FxHashMap<VarId, Value>);

impl Environment for Known {
    fn var(&self, var: VarId) -> Option<Value> {
        self.0.get(&var).cloned()
    }

    fn cell(&self, _: RegionId, _: u64) -> Option<Value> {
        None
    }
}

impl Known {
    fn value(&self, program: &Program, expr: ExprId) -> Option<Value> {
        match eval(program, expr, self) {
            (AbstractValue::Value(value), _) => Some(value),
            _ => None,
        }
    }

    fn address(&self, program: &Program, expr: ExprId) -> Option<u64> {
        self.value(program, expr)?.as_bits().and_then(Bits::to_u64)
    }

    /// Whether a store, or the load of the value it stores, is an access that is not allowed.
    fn is_stuck(&self, program: &Program, op: &Op) -> bool {
        let Op::Store { region, addr, value } = *op else { return false };
        let outside = |region: RegionId, addr: ExprId, ty| {
            let addr = self.address(program, addr);
            addr.is_some_and(|addr| !accessible(&program.regions[region], addr, ty))
        };
        let read = match program.exprs[value] {
            Expr::Load { region, addr, ty } => outside(region, addr, ty),
            _ => false,
        };
        read || outside(region, addr, program.exprs.ty(value))
    }
}

/// The steps from a call to the location after it. They end early at a step without a result, which is the
/// last one, or where a step depends on something unknown.
pub(crate) fn through(
    program: &Program,
    callee: FuncId,
    arguments: &[Value],
    first: (Step, Place),
    leave: impl Fn(Place) -> Steps,
) -> Vec<(Step, Place)> {
    let params = program.functions[callee].params.iter().copied();
    let mut known = Known(params.zip(arguments.iter().cloned()).collect());
    let (mut place, mut steps) = (first.1, vec![first]);
    loop {
        let taken = leave(place).into_iter().find(|(step, _)| match step {
            Step::Edge(edge) => match program.edges[*edge].op {
                Op::Assume(cond, _) => known.value(program, cond) == Some(Value::Bool(true)),
                _ => true,
            },
            _ => true,
        });
        let Some((step, next)) = taken else { return steps };
        steps.push((step, next));
        let Step::Edge(edge) = step else { return steps };
        let op = &program.edges[edge].op;
        if known.is_stuck(program, op) {
            return steps;
        }
        if let Op::Assign(list) = op {
            let values: Vec<(VarId, Option<Value>)> =
                list.iter().map(|&(var, value)| (var, known.value(program, value))).collect();
            for (var, value) in values {
                match value {
                    Some(value) => known.0.insert(var, value),
                    None => known.0.remove(&var),
                };
            }
        }
        place = next;
    }
}
