//! The numbers with which a program compares an input, or a variable that the input is copied to: the values between which
//! its behaviour changes.

use beeline_ir::{BinOp, Callee, EdgeId, Expr, ExprId, Op, Program, VarId};
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use std::collections::BTreeSet;

/// The greatest number of candidates of an input. With more of them, random values are as good.
const MOST: usize = 64;

/// The candidates of each input.
#[derive(Debug, Default)]
pub(super) struct Candidates(SecondaryMap<EdgeId, Vec<i64>>);

impl Candidates {
    /// Compares flows of values without their order: a variable is in one class with all that are copied to it.
    pub(super) fn of_program(program: &Program) -> Candidates {
        let mut classes = Classes::of(program);
        let mut numbers: SecondaryMap<VarId, BTreeSet<i64>> = SecondaryMap::new();
        for (_, node) in program.exprs.iter() {
            let &Expr::Binary(op, a, b) = node else { continue };
            for (var, number) in [(a, b), (b, a)] {
                let Some((var, number)) = copied(program, var).zip(constant(program, number)) else {
                    continue;
                };
                let class = &mut numbers[classes.find(var)];
                match op {
                    BinOp::Eq => _ = class.insert(number),
                    BinOp::Ult | BinOp::Ule | BinOp::Slt | BinOp::Sle => {
                        class.extend((-1..=1).map(|beside| number.wrapping_add(beside)));
                    }
                    _ => {}
                }
            }
        }
        let mut candidates = Candidates::default();
        for (edge, data) in program.edges.iter() {
            let Op::Havoc(var, Some(_)) = data.op else { continue };
            let class = &numbers[classes.find(var)];
            if !class.is_empty() && class.len() < MOST {
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

/// The classes of variables that are copied to each other, as a forest.
struct Classes(PrimaryMap<VarId, VarId>);

impl Classes {
    fn of(program: &Program) -> Classes {
        let mut classes = Classes(program.vars.keys().collect());
        for data in program.edges.values() {
            match &data.op {
                Op::Assign(list) => {
                    list.iter().for_each(|&(var, value)| classes.copy(program, var, value));
                }
                Op::Call(call) => {
                    let callees = match &call.callee {
                        Callee::Direct(callee) => std::slice::from_ref(callee),
                        Callee::Indirect { candidates, .. } => candidates,
                    };
                    for &callee in callees {
                        let function = &program.functions[callee];
                        for (&param, &arg) in function.params.iter().zip(&call.args) {
                            classes.copy(program, param, arg);
                        }
                        if let Some((into, result)) = call.ret.zip(function.ret) {
                            classes.join(into, result);
                        }
                    }
                }
                _ => {}
            }
        }
        classes
    }

    fn copy(&mut self, program: &Program, into: VarId, value: ExprId) {
        if let Some(from) = copied(program, value) {
            self.join(into, from);
        }
    }

    fn find(&mut self, mut var: VarId) -> VarId {
        while self.0[var] != var {
            self.0[var] = self.0[self.0[var]];
            var = self.0[var];
        }
        var
    }

    fn join(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller one becomes the root, so that the order of edges does not matter.
        let (root, other) = if a.index() < b.index() { (a, b) } else { (b, a) };
        self.0[other] = root;
    }
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
