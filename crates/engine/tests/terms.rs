//! The solver's terms agree with the interpreter's operators: random expressions over all types, random
//! values, memory of both byte orders.

use beeline_engine::values::eval::{AbstractValue, Environment, eval};
use beeline_ir::{BinOp, Bits, Program, RegionId, Type, UnOp, Value, VarId};
use beeline_smt::solver::contradict_in_integers;
use beeline_smt::{Encoder, Formula, Memory, Query, QueryLimits, Term, Unsupported, Valuation};
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::BTreeMap;

fn random_value(rng: &mut Rng, ty: Type) -> Value {
    let mut bits = |width: u32| match rng.u8(..4) {
        0 => Bits::from_i64(width, i64::from(rng.i8(-3..4))),
        1 => Bits::new(width, rng.u64(..)),
        2 => Bits::ones(width).lshr(&Bits::new(width, u64::from(rng.u32(..width)))),
        _ => Bits::from_u128(width, rng.u128(..)),
    };
    match ty {
        Type::Bool => Value::Bool(rng.bool()),
        Type::Bv(width) => Value::Bv(bits(width)),
        Type::Float(kind) => {
            // Otherwise numbers near one would be too rare.
            let image = bits(kind.width());
            let value = Value::float(kind, image.clone());
            if rng.bool() {
                let small = Value::bv(8, u64::from(rng.u8(..)));
                return beeline_interp::eval::cast(beeline_ir::CastOp::SToF, ty, &small).unwrap();
            }
            value
        }
    }
}

/// Values that are drawn when they are first read.
struct World<'a> {
    program: &'a Program,
    rng: RefCell<Rng>,
    vars: RefCell<BTreeMap<VarId, Value>>,
    cells: RefCell<BTreeMap<(RegionId, u64), Value>>,
}

impl<'a> World<'a> {
    fn new(program: &'a Program, seed: u64) -> World<'a> {
        let rng = RefCell::new(Rng::with_seed(seed));
        World { program, rng, vars: RefCell::default(), cells: RefCell::default() }
    }

    /// A region with the cells that were read so far.
    fn region_of(&self, id: RegionId) -> Result<Memory, Unsupported> {
        let region = &self.program.regions[id];
        let mut memory = Memory::named(&format!("memory{id}"), region)?;
        for ((_, addr), value) in self.cells.borrow().iter().filter(|((region, _), _)| *region == id) {
            memory = memory.with_cell(region, *addr, &Term::value(value)?);
        }
        Ok(memory)
    }
}

impl Environment for World<'_> {
    fn var(&self, var: VarId) -> Option<Value> {
        let ty = self.program.vars[var].ty;
        let make = || random_value(&mut self.rng.borrow_mut(), ty);
        Some(self.vars.borrow_mut().entry(var).or_insert_with(make).clone())
    }

    fn cell(&self, region: RegionId, addr: u64) -> Option<Value> {
        let ty = self.program.regions[region].cell;
        let make = || random_value(&mut self.rng.borrow_mut(), ty);
        Some(self.cells.borrow_mut().entry((region, addr)).or_insert_with(make).clone())
    }
}

impl Valuation for &World<'_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        Term::value(&Environment::var(*self, var).expect("every variable has a value"))
    }

    fn region(&mut self, id: RegionId) -> Result<Memory, Unsupported> {
        self.region_of(id)
    }
}

#[test]
fn terms_have_the_values_that_the_interpreter_computes() {
    let limits = QueryLimits::new(900_000, None);
    let (mut agreed, mut stuck, mut open) = (0, 0, 0);
    for seed in 0..150 {
        let program = beeline_ir::random::program(seed);
        let world = World::new(&program, seed);
        for (id, _) in program.exprs.iter() {
            let (outcome, certain) = eval(&program, id, &world);
            let Ok(encoded) = Encoder::new(&program).expr(id, &mut &world) else { continue };
            let expected = match &outcome {
                AbstractValue::Value(value) => {
                    assert!(certain, "all is known");
                    encoded.defined.and(&encoded.term.same(&Term::value(value).expect("it was encoded")))
                }
                AbstractValue::Stuck => encoded.defined.not(),
                AbstractValue::Unknown => continue,
            };
            let query = Query::new(&limits);
            query.assert(&expected.not());
            let answer = query.check();
            assert!(
                !answer.is_sat(),
                "seed {seed}, {}: {:?} is {outcome:?}, the term is {encoded:?}",
                beeline_ir::text::print_expr(&program, id),
                program.exprs[id]
            );
            match (answer.is_unsat(), outcome) {
                (true, AbstractValue::Stuck) => stuck += 1,
                (true, _) => agreed += 1,
                _ => open += 1,
            }
        }
    }
    eprintln!("{agreed} values and {stuck} stuck expressions agree, {open} undecided");
    assert!(agreed > 1000 && stuck > 50 && open * 20 < agreed);
}

/// Constants for variables, and formulas that give them the values of a world.
struct Constants<'a> {
    world: &'a World<'a>,
    values: Vec<Formula>,
}

impl Valuation for Constants<'_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        let value = Environment::var(self.world, var).expect("every variable has a value");
        let constant = Term::named(&format!("variable{var}"), value.ty())?;
        self.values.push(constant.same(&Term::value(&value)?));
        Ok(constant)
    }

    fn region(&mut self, id: RegionId) -> Result<Memory, Unsupported> {
        self.world.region_of(id)
    }
}

/// Checks that the value of an expression in bit-vectors is one of its values in unbounded integers. Returns
/// whether it is the only one.
fn kept_exactly(program: &Program, id: beeline_ir::ExprId, world: &World<'_>) -> Option<bool> {
    let limits = QueryLimits::new(900_000, None);
    let (AbstractValue::Value(value), _) = eval(program, id, world) else { return None };
    let mut constants = Constants { world, values: Vec::new() };
    let encoded = Encoder::new(program).expr(id, &mut constants).ok()?;
    let has_value = encoded.defined.and(&encoded.term.same(&Term::value(&value).ok()?));
    let contradicts =
        |formula: Formula| contradict_in_integers(&[&constants.values[..], &[formula]].concat(), &limits);
    assert!(
        !contradicts(has_value.clone()),
        "{} is {value:?} for {:?}, but not in integers",
        beeline_ir::text::print_expr(program, id),
        world.vars.borrow()
    );
    Some(contradicts(has_value.not()))
}

#[test]
fn integers_keep_the_values_of_random_expressions() {
    let (mut kept, mut exact) = (0, 0);
    for seed in 1000..1015 {
        let program = beeline_ir::random::program(seed);
        let world = World::new(&program, seed);
        for (id, _) in program.exprs.iter() {
            if let Some(exactly) = kept_exactly(&program, id, &world) {
                kept += 1;
                exact += i32::from(exactly);
            }
        }
    }
    eprintln!("{kept} values kept, {exact} of them without alternative");
    assert!(kept > 400 && exact * 4 > kept);
}

#[test]
fn integers_keep_the_values_of_all_operands() {
    let text = "beeline 1.0\nglobal a: i3\nglobal b: i3\nfn main() {\nexit\n}";
    let mut program = beeline_ir::text::parse(text).expect("the program is right");
    let (a, b) = (VarId::from_u32(0), VarId::from_u32(1));
    let pool = &mut program.exprs;
    let (x, y) = (pool.var(a, Type::Bv(3)), pool.var(b, Type::Bv(3)));
    let (one, three, five) = (pool.bv(3, 1), pool.bv(3, 3), pool.bv(3, 5));
    // Expressions with one value in integers, and those that may have any.
    let mut linear = Vec::new();
    let mut others = Vec::new();
    for op in [BinOp::Add, BinOp::Sub, BinOp::Eq, BinOp::Ult, BinOp::Ule, BinOp::Slt, BinOp::Sle] {
        linear.extend([pool.binary(op, x, y), pool.binary(op, x, three), pool.binary(op, five, y)]);
    }
    for op in [BinOp::Mul, BinOp::URem] {
        linear.extend([pool.binary(op, x, three), pool.binary(op, x, five)]);
        others.push(pool.binary(op, x, y));
    }
    for op in
        [BinOp::UDiv, BinOp::SDiv, BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Shl, BinOp::LShr, BinOp::AShr]
    {
        others.extend([pool.binary(op, x, y), pool.binary(op, x, three), pool.binary(op, x, five)]);
    }
    linear.push(pool.binary(BinOp::SRem, x, three));
    others.extend([pool.binary(BinOp::SRem, x, five), pool.binary(BinOp::SRem, x, y), pool.extract(2, 1, x)]);
    linear.extend([pool.unary(UnOp::Neg, x), pool.unary(UnOp::BvNot, x), pool.extract(1, 0, x)]);
    for signed in [false, true] {
        let (wide_x, wide_y) = (pool.resize(x, 5, signed), pool.resize(y, 5, signed));
        let sum = pool.add(wide_x, wide_y);
        linear.extend([wide_x, sum, pool.extract(2, 0, sum)]);
    }
    let (less, more) = (pool.binary(BinOp::Slt, x, y), pool.add(y, one));
    linear.push(pool.ite(less, x, more));
    for (x, y) in (0..8).flat_map(|x| [0, 1, 3, 4, 7].map(|y| (x, y))) {
        let world = World::new(&program, 0);
        *world.vars.borrow_mut() = BTreeMap::from([(a, Value::bv(3, x)), (b, Value::bv(3, y))]);
        for &id in &others {
            kept_exactly(&program, id, &world);
        }
        for &id in &linear {
            let text = beeline_ir::text::print_expr(&program, id);
            assert_eq!(kept_exactly(&program, id, &world), Some(true), "{text} for {x} and {y}");
        }
    }
}

/// Where operations on numbers give numbers, terms are built differently, of extended operands and of
/// choices.
#[test]
fn folding_changes_no_value() {
    let text = "beeline 1.0\nglobal a: i3\nglobal b: i3\nfn main() {\nexit\n}";
    let mut program = beeline_ir::text::parse(text).expect("the program is right");
    let pool = &mut program.exprs;
    let (x, y) = (pool.var(VarId::from_u32(0), Type::Bv(3)), pool.var(VarId::from_u32(1), Type::Bv(3)));
    let less = pool.binary(BinOp::Ult, x, y);
    let [three, six] = [3, 6].map(|number| pool.bv(5, number));
    let choice = pool.ite(less, three, six);
    let mut all = Vec::new();
    for signed in [false, true] {
        let wide = pool.resize(x, 5, signed);
        for divisor in [0, 1, 3, 5, 7, 9, 31] {
            let divisor = pool.bv(5, divisor);
            for op in [BinOp::UDiv, BinOp::URem, BinOp::SDiv, BinOp::SRem] {
                all.push(pool.binary(op, wide, divisor));
            }
        }
        for op in [BinOp::Eq, BinOp::Ult, BinOp::Ule, BinOp::Slt, BinOp::Sle] {
            let is = pool.binary(op, choice, wide);
            let other = pool.binary(op, three, choice);
            all.extend([
                is,
                other,
                pool.binary(BinOp::BoolAnd, other, is),
                pool.binary(BinOp::BoolOr, other, is),
            ]);
        }
    }
    let limits = QueryLimits::new(900_000, None);
    for id in all {
        let world = World::new(&program, 0);
        let mut constants = Constants { world: &world, values: Vec::new() };
        let plain = Encoder::new(&program).expr(id, &mut constants).expect("it has a term");
        let folded = Encoder::new(&program).folding().expr(id, &mut constants).expect("it has a term");
        let same = plain.defined.same(&folded.defined);
        let same = same.and(&plain.defined.implies(&plain.term.same(&folded.term)));
        let query = Query::new(&limits);
        query.assert(&same.not());
        assert!(query.check().is_unsat(), "{}", beeline_ir::text::print_expr(&program, id));
    }
}
