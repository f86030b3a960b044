//! A program with every operator, for the tests of everything that gives operators a form or a meaning.

use crate::build::ProgramBuilder;
use crate::expr::{Expr, ExprId};
use crate::operator::{BinOp, CastOp, UnOp};
use crate::program::{FuncId, LocId, Op, Program};
use crate::types::{FloatKind, Type};

/// Assigns the result of each operator, at each of a few types that it takes, to a variable of its own.
///
/// # Panics
/// If the program is not valid, which is a bug in this function.
pub fn every_operator() -> Program {
    let mut builder = ProgramBuilder::new("every operator", 64);
    let main = builder.function("main");
    let at = builder.loc(main);
    let mut samples = Samples { builder, main, at, count: 0 };
    samples.operators();
    let Samples { mut builder, at, .. } = samples;
    builder.set_exit(main, at);
    builder.set_entry(main);
    match builder.finish() {
        Ok(program) => program,
        Err(faults) => panic!("{}", faults[0]),
    }
}

struct Samples {
    builder: ProgramBuilder,
    main: FuncId,
    at: LocId,
    count: usize,
}

impl Samples {
    fn operators(&mut self) {
        let bits = [1, 8, 33, 64].map(Type::Bv);
        let floats = FloatKind::ALL.map(Type::Float);
        // The widths of floats are there for conversions between a float and its bits.
        let images = FloatKind::ALL.map(|kind| Type::Bv(kind.width()));
        let mut types: Vec<Type> = [Type::Bool].into_iter().chain(bits).chain(floats).chain(images).collect();
        types.sort_unstable();
        types.dedup();
        let params: Vec<(Type, [ExprId; 2])> = types.into_iter().map(|ty| (ty, self.params(ty))).collect();
        for &(ty, [a, b]) in &params {
            for op in UnOp::ALL.into_iter().filter(|op| op.result(ty).is_some()) {
                self.assign(Expr::Unary(op, a));
            }
            for &(other, [c, d]) in &params {
                for op in BinOp::ALL.into_iter().filter(|op| op.result(ty, other).is_some()) {
                    self.assign(Expr::Binary(op, a, d));
                }
                for op in CastOp::ALL.into_iter().filter(|op| op.fits(ty, other)) {
                    self.assign(Expr::Cast(op, other, b));
                }
                if ty == Type::Bool {
                    self.assign(Expr::Ite(a, c, d));
                }
            }
            match ty {
                Type::Float(_) => self.assign(Expr::Fma(a, b, a)),
                Type::Bv(width) => self.assign(Expr::Extract { hi: width - 1, lo: width / 2, arg: a }),
                Type::Bool => {}
            }
        }
    }

    fn params(&mut self, ty: Type) -> [ExprId; 2] {
        ["a", "b"].map(|name| {
            let var = self.builder.param(self.main, &format!("{name}.{ty}"), ty);
            self.builder.exprs().var(var, ty)
        })
    }

    fn assign(&mut self, node: Expr) {
        let Ok(value) = self.builder.intern(node) else { panic!("{node:?} does not fit") };
        let ty = self.builder.program().exprs.ty(value);
        let var = self.builder.local(self.main, &format!("x{}", self.count), ty);
        self.count += 1;
        let next = self.builder.loc(self.main);
        self.builder.edge(self.at, next, Op::assign(var, value), None);
        self.at = next;
    }
}
