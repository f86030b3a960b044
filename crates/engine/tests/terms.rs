//! The solver's terms agree with the interpreter's operators: random expressions over all types, random
//! values, memory of both byte orders.

use beeline_engine::eval::{Known, Outcome, eval};
use beeline_ir::{Bits, Program, RegionId, Type, Value, VarId};
use beeline_smt::{Encoder, Limits, Memory, Query, Term, Unsupported, Valuation};
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

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
            // Numbers near one are met too seldom otherwise.
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

/// Values made up when they are first asked for.
struct World<'a> {
    program: &'a Program,
    rng: RefCell<Rng>,
    vars: RefCell<BTreeMap<VarId, Value>>,
    cells: RefCell<BTreeMap<(RegionId, u64), Value>>,
}

impl Known for World<'_> {
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
        Term::value(&Known::var(*self, var).expect("every variable has a value"))
    }

    fn region(&mut self, id: RegionId) -> Result<Memory, Unsupported> {
        let region = &self.program.regions[id];
        let mut memory = Memory::named(&format!("memory{id}"), region)?;
        for ((_, addr), value) in self.cells.borrow().iter().filter(|((region, _), _)| *region == id) {
            memory = memory.with_cell(region, *addr, &Term::value(value)?);
        }
        Ok(memory)
    }
}

#[test]
fn terms_have_the_values_that_the_interpreter_computes() {
    let limits = Limits::new(Duration::from_millis(300), None);
    let (mut agreed, mut stuck, mut open) = (0, 0, 0);
    for seed in 0..150 {
        let program = beeline_ir::random::program(seed);
        let world = World {
            program: &program,
            rng: RefCell::new(Rng::with_seed(seed)),
            vars: RefCell::default(),
            cells: RefCell::default(),
        };
        for (id, _) in program.exprs.iter() {
            let (outcome, certain) = eval(&program, id, &world);
            let Ok(encoded) = Encoder::new(&program).expr(id, &mut &world) else { continue };
            let expected = match &outcome {
                Outcome::Value(value) => {
                    assert!(certain, "all is known");
                    encoded.defined.and(&encoded.term.same(&Term::value(value).expect("it was encoded")))
                }
                Outcome::Stuck => encoded.defined.not(),
                Outcome::Unknown => continue,
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
                (true, Outcome::Stuck) => stuck += 1,
                (true, _) => agreed += 1,
                _ => open += 1,
            }
        }
    }
    eprintln!("{agreed} values and {stuck} stuck expressions agree, {open} undecided");
    assert!(agreed > 1000 && stuck > 50 && open * 20 < agreed);
}
