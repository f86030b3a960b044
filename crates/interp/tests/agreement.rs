//! Instructions compute what a plain walk over the expression computes, on random programs. The walk shares
//! only `eval`, the operators on values, with the machine.

use beeline_interp::eval::{self, Evaluated};
use beeline_interp::{Limits, Machine, Oracle, Source, StuckReason};
use beeline_ir::{BinOp, Bits, Expr, ExprId, Program, RegionId, Type, Value, VarId, cells_of};
use std::collections::HashMap;

/// An oracle whose answers depend only on the question.
struct Fixed(u64);

impl Fixed {
    fn answer(&self, source: &Source, ty: Type) -> Value {
        let mut rng = fastrand::Rng::with_seed(self.0);
        for byte in format!("{source:?}").bytes() {
            rng = fastrand::Rng::with_seed(rng.u64(..) ^ u64::from(byte));
        }
        let word = if rng.u8(..3) == 0 { rng.u128(..) } else { rng.u128(..3) };
        match ty {
            Type::Bool => Value::Bool(word % 2 == 1),
            Type::Bv(width) => Value::Bv(Bits::from_u128(width, word)),
            Type::Float(kind) => Value::float(kind, Bits::from_u128(kind.width(), word)),
        }
    }
}

impl Oracle for Fixed {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        self.answer(source, ty)
    }

    fn choose(&mut self, _enabled: usize) -> usize {
        0
    }
}

struct Walk<'a> {
    program: &'a Program,
    oracle: Fixed,
    seen: HashMap<ExprId, Evaluated>,
}

impl Walk<'_> {
    fn value(&mut self, id: ExprId) -> Evaluated {
        if let Some(value) = self.seen.get(&id) {
            return value.clone();
        }
        let value = self.node(id);
        self.seen.insert(id, value.clone());
        value
    }

    fn node(&mut self, id: ExprId) -> Evaluated {
        match self.program.exprs[id] {
            Expr::Const(value) => Ok(self.program.exprs.value(value).clone()),
            Expr::Var(var) => Ok(self.variable(var)),
            Expr::Binary(BinOp::BoolAnd, a, b) => {
                if self.value(a)? == Value::Bool(false) {
                    Ok(Value::Bool(false))
                } else {
                    self.value(b)
                }
            }
            Expr::Binary(BinOp::BoolOr, a, b) => {
                if self.value(a)? == Value::Bool(true) {
                    Ok(Value::Bool(true))
                } else {
                    self.value(b)
                }
            }
            Expr::Ite(c, a, b) => {
                if self.value(c)? == Value::Bool(true) {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            Expr::Unary(op, a) => eval::unary(op, &self.value(a)?),
            Expr::Binary(op, a, b) => {
                let a = self.value(a)?;
                eval::binary(op, &a, &self.value(b)?)
            }
            Expr::Fma(a, b, c) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                eval::fma(&a, &b, &self.value(c)?)
            }
            Expr::Extract { hi, lo, arg } => eval::extract(hi, lo, &self.value(arg)?),
            Expr::Cast(op, ty, a) => eval::cast(op, ty, &self.value(a)?),
            Expr::Load { region, addr, ty } => {
                let addr = self.value(addr)?.as_bits().and_then(Bits::to_u64).expect("an address");
                self.load(region, addr, ty)
            }
        }
    }

    fn variable(&self, var: VarId) -> Value {
        match self.program.vars[var].init {
            Some(init) => self.program.exprs.value(init).clone(),
            None => self.oracle.answer(&Source::Variable(var), self.program.vars[var].ty),
        }
    }

    fn load(&self, region: RegionId, addr: u64, ty: Type) -> Evaluated {
        let data = &self.program.regions[region];
        let count = cells_of(ty, data.cell).expect("a type made of cells");
        if !data.allows(addr, u64::from(count) * data.stride()) {
            return Err(StuckReason::OutsideObject(addr));
        }
        let width = data.addr.bv_width().expect("addresses are bit-vectors");
        let cells = (0..count).map(|index| {
            let step = Bits::new(width, u64::from(index)).mul(&Bits::new(width, data.stride()));
            let addr = Bits::new(width, addr).add(&step).to_u64().expect("at most 64 bits");
            let run = data.init.iter().find(|run| {
                addr >= run.addr
                    && (addr - run.addr).is_multiple_of(data.stride())
                    && (addr - run.addr) / data.stride() < run.count
            });
            match run {
                Some(run) => self.program.exprs.value(run.value).clone(),
                None => self.oracle.answer(&Source::Cell(region, addr), data.cell),
            }
        });
        let mut cells: Vec<Value> = cells.collect();
        if cells.len() == 1 && data.cell == ty {
            return Ok(cells.remove(0));
        }
        if !self.program.big_endian {
            cells.reverse();
        }
        let parts = cells.iter().map(|cell| cell.memory_image().expect("no truth value").clone());
        let image = parts.reduce(|high, low| high.concat(&low)).expect("at least one cell");
        Ok(Value::from_image(ty, image).expect("the widths add up"))
    }
}

#[test]
fn instructions_compute_what_a_walk_over_the_expression_computes() {
    let (mut compared, mut stuck) = (0, 0);
    for seed in 0..3000 {
        let program = beeline_ir::random::program(seed);
        let mut oracle = Fixed(seed);
        let machine = Machine::new(&program);
        let mut execution = machine.start(&mut oracle, &Limits::default());
        let mut walk = Walk { program: &program, oracle: Fixed(seed), seen: HashMap::new() };
        let here = |id: ExprId| {
            program.exprs.parts([id]).all(|(_, node)| match node {
                Expr::Var(var) => program.vars[var].owner.is_none_or(|owner| owner == program.entry),
                _ => true,
            })
        };
        for (id, _) in program.exprs.iter().filter(|&(id, _)| here(id)) {
            let expected = walk.value(id);
            assert_eq!(
                execution.evaluate(id),
                expected,
                "seed {seed}: {}",
                beeline_ir::text::print_expr(&program, id)
            );
            compared += 1;
            stuck += usize::from(expected.is_err());
        }
    }
    assert!(compared > 50_000 && stuck > 1000, "too few to mean something: {compared}, {stuck} stuck");
}
