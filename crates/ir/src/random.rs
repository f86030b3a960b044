//! Random valid programs that use everything that the model allows: for tests.

use crate::bits::Bits;
use crate::build::ProgramBuilder;
use crate::cells::{NamedCells, Repeat};
use crate::expr::{Expr, ExprId, RegionId, VarId};
use crate::operator::{BinOp, CastOp, UnOp};
use crate::program::*;
use crate::types::{FloatKind, Type};
use crate::value::Value;
use fastrand::Rng;

/// A valid program that depends only on the seed.
///
/// # Panics
/// If the generator makes an invalid program, which is a bug in it.
pub fn program(seed: u64) -> Program {
    let mut generator = Generator {
        rng: Rng::with_seed(seed),
        builder: ProgramBuilder::new(if seed.is_multiple_of(3) { "" } else { "random \"program\"" }, 64),
        vars: Vec::new(),
        regions: Vec::new(),
    };
    generator.program();
    match generator.builder.finish() {
        Ok(program) => program,
        Err(faults) => panic!("seed {seed}: {}", faults[0]),
    }
}

struct Generator {
    rng: Rng,
    builder: ProgramBuilder,
    /// The variables in scope.
    vars: Vec<(VarId, Type)>,
    regions: Vec<(RegionId, Type)>,
}

const WIDTHS: [u32; 9] = [1, 8, 16, 32, 32, 64, 64, 7, 100];

impl Generator {
    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.rng.usize(..list.len())].clone()
    }

    fn ty(&mut self) -> Type {
        match self.rng.u8(..8) {
            0 => Type::Bool,
            1 => Type::Float(self.pick(&FloatKind::ALL)),
            _ => Type::Bv(self.pick(&WIDTHS)),
        }
    }

    fn bits(&mut self, width: u32) -> Bits {
        match self.rng.u8(..4) {
            0 => Bits::new(width, self.rng.u64(..3)),
            1 => Bits::from_i64(width, -(self.rng.u64(..300) as i64)),
            2 => Bits::from_u128(width, self.rng.u128(..)),
            _ => Bits::new(width, self.rng.u64(..5000)),
        }
    }

    fn value(&mut self, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.rng.bool()),
            Type::Bv(width) => Value::Bv(self.bits(width)),
            Type::Float(FloatKind::F64) if self.rng.bool() => {
                let number = f64::from(self.rng.i32(-100..100)) / 8.0;
                Value::float(FloatKind::F64, Bits::new(64, number.to_bits()))
            }
            Type::Float(kind) => {
                let bits = self.bits(kind.width());
                Value::float(kind, bits)
            }
        }
    }

    fn span(&mut self) -> Option<Span> {
        let file = self.pick(&["main.c", "other file.h"]);
        let file = self.builder.file(file);
        let known = self.rng.u8(..4) > 0;
        known.then(|| Span { file, line: self.rng.u32(1..100), col: self.rng.u32(..80) })
    }

    fn source(&mut self, name: &str) -> Option<SourceVar> {
        let known = self.rng.bool();
        let span = self.span();
        known.then(|| SourceVar { name: name.into(), ty: "unsigned int".into(), span })
    }

    fn program(&mut self) {
        self.builder.program_mut().big_endian = self.rng.u8(..4) == 0;
        for index in 0..self.rng.u32(..3) {
            self.region(index);
        }
        for index in 0..self.rng.u32(..3) {
            let repeats: Vec<Repeat> = (0..index)
                .map(|_| Repeat { stride: self.rng.u64(1..99), count: self.rng.u64(1..9) })
                .collect();
            let name = format!("c{index}{}.\"x\"", "[]".repeat(repeats.len()));
            let cells = NamedCells { name, ty: "unsigned char".into(), addr: self.rng.u64(..), repeats };
            self.builder.program_mut().cells.push(cells);
        }
        for index in 0..self.rng.u32(..4) {
            let ty = self.ty();
            let init = if self.rng.bool() { Some(self.value(ty)) } else { None };
            let var = self.builder.global(&format!("g{index}"), ty, init);
            let source = self.source("g[0].x");
            self.builder.program_mut().vars[var].source = source;
            self.vars.push((var, ty));
        }
        let count = self.rng.u32(1..4);
        let functions: Vec<FuncId> = (0..count).map(|index| self.declare(index)).collect();
        let entry = self.pick(&functions);
        self.builder.set_entry(entry);
        let globals = self.vars.len();
        for &func in &functions {
            self.vars.truncate(globals);
            let function = self.builder.program().functions[func].clone();
            for var in function.variables() {
                self.vars.push((var, self.builder.program().vars[var].ty));
            }
            self.body(func, &functions);
        }
        if self.rng.bool() {
            let edges = self.builder.program().edges.keys().next_back();
            let edge = if self.rng.bool() { edges } else { None };
            let (kind, text) = ("extern-call".into(), "\"puts\" writes\nnothing".into());
            let direction = self.pick(&Direction::ALL);
            let span = self.span();
            self.builder.assumption(Assumption { kind, text, direction, edge, span });
        }
    }

    fn region(&mut self, index: u32) {
        let cell = self.pick(&[Type::Bv(8), Type::Bv(32), Type::Float(FloatKind::F64)]);
        let mut region = Region {
            name: format!("mem{index}"),
            addr: Type::Bv(64),
            cell,
            extents: Vec::new(),
            init: Vec::new(),
        };
        let stride = region.stride();
        let mut addr = 0x1000;
        for _ in 0..self.rng.u32(..3) {
            let size = self.rng.u64(1..100) * stride;
            region.extents.push(Extent { base: addr, size });
            let count = self.rng.u64(1..5);
            for _ in 0..self.rng.u32(..3) {
                let value = self.value(cell);
                let value = self.builder.constant(value);
                region.init.push(InitRun { addr, count, value });
                addr += count * stride + if self.rng.bool() { stride } else { 0 };
            }
            addr = region.extents.last().map_or(addr, |extent| addr.max(extent.base + extent.size)) + 64;
        }
        let id = self.builder.region(region);
        self.regions.push((id, cell));
    }

    fn declare(&mut self, index: u32) -> FuncId {
        let name = if index == 0 { "main".to_string() } else { format!("if f{index} goto") };
        let func = self.builder.function(&name);
        for param in 0..self.rng.u32(..3) {
            let ty = self.ty();
            self.builder.param(func, &format!("p{param}"), ty);
        }
        if self.rng.bool() {
            let ty = self.ty();
            self.builder.ret(func, "result", ty);
        }
        for local in 0..self.rng.u32(1..5) {
            let ty = self.ty();
            let var = self.builder.local(func, &format!("while {local}"), ty);
            let source = self.source("x");
            self.builder.program_mut().vars[var].source = source;
        }
        let file = self.builder.file("main.c");
        self.builder.function_mut(func).addr = Some(0x400 + u64::from(index) * 16);
        self.builder.function_mut(func).file = if self.rng.bool() { Some(file) } else { None };
        func
    }

    fn body(&mut self, func: FuncId, functions: &[FuncId]) {
        let count = self.rng.usize(2..12);
        let locs: Vec<LocId> = (0..count).map(|_| self.builder.loc(func)).collect();
        let exit = locs[self.rng.usize(1..count)];
        self.builder.set_exit(func, exit);
        if self.rng.bool() {
            self.builder.set_label(locs[0], "start");
        }
        for (index, &src) in locs.iter().enumerate() {
            let next = locs[(index + 1) % count];
            match self.rng.u8(..8) {
                _ if src == exit => {}
                0 => {
                    let span = self.span();
                    let name = format!("target {func} {index}");
                    self.builder.target(src, self_property(&mut self.rng), &name, span);
                }
                1 => {}
                2 | 3 => {
                    let cond = self.expr(Type::Bool, 3);
                    let (looping, other) = (self.rng.bool(), self.pick(&locs));
                    let span = self.span();
                    self.builder.branch(src, cond, looping, (next, other), span);
                }
                _ => {
                    for _ in 0..self.rng.u8(1..3) {
                        let op = self.operation(functions);
                        let dst = if self.rng.bool() { next } else { self.pick(&locs) };
                        let span = self.span();
                        self.builder.edge(src, dst, op, span);
                    }
                }
            }
        }
    }

    fn operation(&mut self, functions: &[FuncId]) -> Op {
        let (var, ty) = self.pick(&self.vars.clone());
        match self.rng.u8(..9) {
            0 => Op::Skip,
            1 => {
                let kind = AssumeKind {
                    branch: self.rng.bool(),
                    looping: self.rng.bool(),
                    negated: self.rng.bool(),
                };
                let kind = if kind.branch { kind } else { AssumeKind::default() };
                Op::Assume(self.expr(Type::Bool, 3), kind)
            }
            2 => Op::Havoc(var, None),
            3 => Op::Havoc(var, Some(self.builder.input("__VERIFIER_nondet_int"))),
            4 if !self.regions.is_empty() => {
                let (region, cell) = self.pick(&self.regions.clone());
                let addr = self.expr(Type::Bv(64), 2);
                let ty = if cell == Type::Bv(8) { Type::Bv(8 * self.rng.u32(1..10)) } else { cell };
                Op::Store { region, addr, value: self.expr(ty, 2) }
            }
            5 if !self.regions.is_empty() => Op::HavocRegion(self.pick(&self.regions.clone()).0),
            6 => self.call(functions),
            7 => {
                let mut list: Assignments = Assignments::new();
                for (var, ty) in self.vars.clone().into_iter().take(3) {
                    list.push((var, self.expr(ty, 2)));
                }
                Op::Assign(list)
            }
            _ => Op::assign(var, self.expr(ty, 4)),
        }
    }

    fn call(&mut self, functions: &[FuncId]) -> Op {
        let func = self.pick(functions);
        let function = self.builder.program().functions[func].clone();
        let args = function
            .params
            .iter()
            .map(|&param| {
                let ty = self.builder.program().vars[param].ty;
                self.expr(ty, 2)
            })
            .collect();
        let ret = function.ret.and_then(|ret| {
            let ty = self.builder.program().vars[ret].ty;
            self.vars.iter().find(|(_, other)| *other == ty).map(|&(var, _)| var)
        });
        let callee = match self.rng.u8(..3) {
            0 => {
                let target = self.expr(Type::Bv(64), 1);
                Callee::Indirect { target, candidates: vec![func] }
            }
            _ => Callee::Direct(func),
        };
        Op::Call(Box::new(Call { callee, args, ret }))
    }

    fn node(&mut self, node: Expr) -> ExprId {
        match self.builder.intern(node) {
            Ok(id) => id,
            Err(error) => panic!("the generator made {node:?}: {error}"),
        }
    }

    fn constant(&mut self, ty: Type) -> ExprId {
        let value = self.value(ty);
        self.builder.exprs().constant(value)
    }

    fn leaf(&mut self, ty: Type) -> ExprId {
        let fitting: Vec<VarId> =
            self.vars.iter().filter(|(_, other)| *other == ty).map(|&(var, _)| var).collect();
        if fitting.is_empty() || self.rng.u8(..3) == 0 {
            return self.constant(ty);
        }
        let var = self.pick(&fitting);
        self.node(Expr::Var(var))
    }

    fn expr(&mut self, ty: Type, depth: u32) -> ExprId {
        if depth == 0 || self.rng.u8(..5) == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        if self.rng.u8(..8) == 0 {
            let (c, a) = (self.expr(Type::Bool, depth), self.expr(ty, depth));
            let b = self.expr(ty, depth);
            return self.node(Expr::Ite(c, a, b));
        }
        match ty {
            Type::Bool => self.truth(depth),
            Type::Bv(width) => self.bit_vector(width, depth),
            Type::Float(kind) => self.float(kind, depth),
        }
    }

    fn binary(&mut self, op: BinOp, ty: Type, depth: u32) -> ExprId {
        let a = self.expr(ty, depth);
        let b = self.expr(ty, depth);
        self.node(Expr::Binary(op, a, b))
    }

    fn truth(&mut self, depth: u32) -> ExprId {
        let op = self.pick(&BinOp::ALL);
        let operand = self.ty();
        if op.result(operand, operand) == Some(Type::Bool) {
            return self.binary(op, operand, depth);
        }
        let op = self.pick(&UnOp::ALL);
        if op.result(operand) == Some(Type::Bool) {
            let a = self.expr(operand, depth);
            return self.node(Expr::Unary(op, a));
        }
        self.binary(BinOp::Eq, Type::Bv(32), depth)
    }

    fn bit_vector(&mut self, width: u32, depth: u32) -> ExprId {
        let ty = Type::Bv(width);
        match self.rng.u8(..8) {
            0 => {
                let op = self.pick(&[UnOp::BvNot, UnOp::Neg]);
                let a = self.expr(ty, depth);
                self.node(Expr::Unary(op, a))
            }
            1 => {
                let from = width + self.rng.u32(..9);
                let arg = self.expr(Type::Bv(from), depth);
                let lo = self.rng.u32(..=from - width);
                self.node(Expr::Extract { hi: lo + width - 1, lo, arg })
            }
            2 if width > 1 => {
                let from = self.rng.u32(1..width);
                let op = self.pick(&[CastOp::ZExt, CastOp::SExt]);
                let a = self.expr(Type::Bv(from), depth);
                self.node(Expr::Cast(op, ty, a))
            }
            3 if width > 1 => {
                let low = self.rng.u32(1..width);
                let a = self.expr(Type::Bv(width - low), depth);
                let b = self.expr(Type::Bv(low), depth);
                self.node(Expr::Binary(BinOp::Concat, a, b))
            }
            4 => self.load(ty, depth).unwrap_or_else(|| self.binary(BinOp::Xor, ty, depth)),
            5 => {
                let kind = self.pick(&FloatKind::ALL);
                let op = self.pick(&[CastOp::FToS, CastOp::FToU]);
                let a = self.expr(Type::Float(kind), depth);
                self.node(Expr::Cast(op, ty, a))
            }
            _ => {
                let op = self.pick(&BinOp::ALL[..13]);
                self.binary(op, ty, depth)
            }
        }
    }

    fn load(&mut self, ty: Type, depth: u32) -> Option<ExprId> {
        let regions = self.regions.clone();
        let (region, _) = *regions.iter().find(|(_, cell)| crate::cells_of(ty, *cell).is_some())?;
        let addr = self.expr(Type::Bv(64), depth);
        Some(self.node(Expr::Load { region, addr, ty }))
    }

    fn float(&mut self, kind: FloatKind, depth: u32) -> ExprId {
        let ty = Type::Float(kind);
        match self.rng.u8(..6) {
            0 => {
                let op = self.pick(&UnOp::ALL[3..11]);
                let a = self.expr(ty, depth);
                self.node(Expr::Unary(op, a))
            }
            1 => {
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                let c = self.expr(ty, depth);
                self.node(Expr::Fma(a, b, c))
            }
            2 => {
                let width = self.pick(&WIDTHS);
                let op = self.pick(&[CastOp::SToF, CastOp::UToF]);
                let a = self.expr(Type::Bv(width), depth);
                self.node(Expr::Cast(op, ty, a))
            }
            3 => {
                let a = self.expr(Type::Bv(kind.width()), depth);
                self.node(Expr::Cast(CastOp::FromBits, ty, a))
            }
            4 => self.load(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            _ => {
                let op = self.pick(&[BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv, BinOp::FRem]);
                self.binary(op, ty, depth)
            }
        }
    }
}

fn self_property(rng: &mut Rng) -> &'static str {
    if rng.bool() { "unreach-call" } else { "no-overflow" }
}
