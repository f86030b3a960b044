//! The numbers with which a program compares an input, or a variable that the input is copied to: the values between which
//! its behaviour changes.

use beeline_ir::{BinOp, Callee, EdgeId, Expr, ExprId, Op, Program, VarId};
use cranelift_entity::{EntityRef, SecondaryMap};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The greatest number of candidates of an input. With more of them, random values are as good.
const MOST: usize = 64;

/// The candidates of each input.
#[derive(Debug, Default)]
pub(super) struct Candidates(SecondaryMap<EdgeId, Vec<i64>>);

impl Candidates {
    /// Compares flows of values without their order: a variable is in one class with all that are copied to it.
    pub(super) fn of_program(program: &Program) -> Candidates {
        let classes = classes(program);
        let mut numbers: FxHashMap<usize, BTreeSet<i64>> = FxHashMap::default();
        for (_, node) in program.exprs.iter() {
            let &Expr::Binary(op, a, b) = node else { continue };
            if !matches!(op, BinOp::Eq | BinOp::Ult | BinOp::Ule | BinOp::Slt | BinOp::Sle) {
                continue;
            }
            for (var, number) in [(a, b), (b, a)] {
                let Some((var, number)) = copied(program, var).zip(constant(program, number)) else {
                    continue;
                };
                let class = numbers.entry(classes.find(var.index())).or_default();
                match op {
                    BinOp::Eq => _ = class.insert(number),
                    // An order: the numbers beside it count, too.
                    _ => class.extend((-1..=1).map(|beside| number.wrapping_add(beside))),
                }
            }
        }
        let mut candidates = Candidates::default();
        for (edge, data) in program.edges.iter() {
            let Op::Havoc(var, Some(_)) = data.op else { continue };
            if let Some(class) = numbers.get(&classes.find(var.index())).filter(|class| class.len() < MOST) {
                // What equals none of them is a case too.
                let other = (0..).find(|number| !class.contains(number));
                candidates.0[edge] = class.iter().copied().chain(other).collect();
            }
        }
        candidates
    }

    /// The candidates of an input; none if any value may be as good as any other.
    pub(super) fn of(&self, edge: EdgeId) -> &[i64] {
        &self.0[edge]
    }
}

/// A variable whose value this is, but for its width.
fn copied(program: &Program, mut expr: ExprId) -> Option<VarId> {
    loop {
        match program.exprs[expr] {
            Expr::Var(var) => return Some(var),
            Expr::Cast(_, _, inner) | Expr::Extract { lo: 0, arg: inner, .. } => expr = inner,
            _ => return None,
        }
    }
}

fn constant(program: &Program, expr: ExprId) -> Option<i64> {
    program.exprs.as_bits(expr)?.to_i64()
}

/// The classes of variables that are copied to each other.
fn classes(program: &Program) -> UnionFind<usize> {
    let mut classes = UnionFind::new(program.vars.len());
    let mut copy = |into: VarId, value: ExprId| {
        if let Some(from) = copied(program, value) {
            classes.union(into.index(), from.index());
        }
    };
    let mut results = Vec::new();
    for data in program.edges.values() {
        match &data.op {
            Op::Assign(list) => list.iter().for_each(|&(var, value)| copy(var, value)),
            Op::Call(call) => {
                let callees = match &call.callee {
                    Callee::Direct(callee) => std::slice::from_ref(callee),
                    Callee::Indirect { candidates, .. } => candidates,
                };
                for function in callees.iter().map(|&callee| &program.functions[callee]) {
                    function.params.iter().zip(&call.args).for_each(|(&param, &arg)| copy(param, arg));
                    results.extend(call.ret.zip(function.ret));
                }
            }
            _ => {}
        }
    }
    for (into, result) in results {
        classes.union(into.index(), result.index());
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_compared_where_it_is_passed_to() {
        let text = "beeline 1.0
fn f(p: i32) {
  L0: if p == 40 goto L1 else L1
  L1: exit
}
fn main() {
  var x: i32
  var y: i8
  var z: i8
  L0: x := input \"n\"
  L1: call f(x)
  L2: y := input \"n\"
  L3: if y <s 9 goto L4 else L4
  L4: z := input \"n\"
  L5: exit
}
";
        let program = beeline_ir::text::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let candidates = Candidates::of_program(&program);
        let inputs = program.edges.iter().filter(|(_, edge)| matches!(edge.op, Op::Havoc(..)));
        let found: Vec<&[i64]> = inputs.map(|(edge, _)| candidates.of(edge)).collect();
        assert_eq!(found, [&[40, 0][..], &[8, 9, 10, 0], &[]]);
    }
}
