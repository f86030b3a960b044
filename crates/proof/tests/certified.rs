//! What believes no solver finds the same faults, and its circuits mean what the interpreter does, memory included.

#[path = "../../engine/tests/support/explicit.rs"]
mod explicit;
#[path = "../../engine/tests/support/generator.rs"]
mod generator;
mod support {
    pub(crate) mod change;
}

use beeline_certify::{Limits, Refutation, refute};
use beeline_engine::{BlockOperator, Distances, Domain, Metric, Monitor, verify};
use beeline_ir::text::parse;
use beeline_ir::{Bits, Program, Region, RegionId, Type, Value, VarId};
use beeline_proof::fold::{Folded, Known, fold};
use beeline_proof::{Certify, Options, Outcome, Report, check_graph};
use beeline_run::RunProof;
use beeline_smt::{Encoder, Formula, Memory, Term, Unsupported, Valuation};
use fastrand::Rng;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;
use support::change::changed;

fn certify(program: &Program, proof: &RunProof) -> Report {
    let certify = Some(Certify::default());
    let time = Some(Duration::from_secs(60));
    check_graph(program, proof, &Options { time, certify, ..Options::default() })
}

fn proof_of(program: &Program, number: u64) -> Option<RunProof> {
    let options = beeline_engine::Options {
        // Known values decide nearly everything in the others.
        domain: Domain::Predicates,
        blocks: [BlockOperator::LoopHeads, BlockOperator::LoopHeadsAndFunctions, BlockOperator::Single]
            [number as usize % 3],
        time: Some(Duration::from_secs(5)),
        query_ticks: 900_000,
        max_states: 3000,
        ..beeline_engine::Options::default()
    };
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    let (verdict, statistics) = verify(program, &options, &mut distances, &Monitor::default());
    beeline_engine::outcome::run::record(program, &verdict, &statistics).whole_graph().cloned()
}

#[test]
fn proofs_are_certified_for_their_own_programs_and_for_no_unsafe_ones() {
    let (mut valid, mut obligations, mut certified, mut forged) = (0, 0, 0, 0);
    for seed in 0..25 {
        let text = generator::program(seed, generator::With::default());
        let program = parse(&text).expect("generated programs are right");
        if explicit::truth(&program, 5000).is_none_or(|truth| !truth.reached.is_empty()) {
            continue;
        }
        for number in 0..3 {
            let Some(proof) = proof_of(&program, seed + number) else { continue };
            let report = certify(&program, &proof);
            assert_eq!(report.outcome, Outcome::Valid, "seed {seed}, {number}\n{text}");
            let account = report.certified.expect("it was wanted");
            valid += 1;
            obligations += account.obligations;
            certified += account.certified;
            let mut rng = Rng::with_seed(seed);
            for _ in 0..40 {
                let Some(other) = changed(&text, &mut rng) else { continue };
                if explicit::truth(&other, 5000).is_some_and(|truth| !truth.reached.is_empty()) {
                    let outcome = certify(&other, &proof).outcome;
                    assert_ne!(outcome, Outcome::Valid, "seed {seed}, {number}\n{text}");
                    forged += 1;
                }
            }
        }
    }
    eprintln!("{valid} valid with {certified} of {obligations} certified, {forged} forged");
    assert!(valid > 10 && obligations > 10 && forged > 3);
    assert_eq!(certified, obligations, "these programs have no floats");
}

/// Values that are drawn when they are first read.
struct World<'a> {
    program: &'a Program,
    rng: RefCell<Rng>,
    vars: RefCell<BTreeMap<VarId, Value>>,
    cells: RefCell<BTreeMap<(RegionId, u64), Value>>,
}

impl World<'_> {
    fn value(&self, ty: Type) -> Value {
        let rng = &mut self.rng.borrow_mut();
        let mut bits = |width: u32| match rng.u8(..3) {
            0 => Bits::from_i64(width, i64::from(rng.i8(-3..4))),
            1 => Bits::ones(width).lshr(&Bits::new(width, u64::from(rng.u32(..width)))),
            _ => Bits::from_u128(width, rng.u128(..)),
        };
        match ty {
            Type::Bool => Value::Bool(bits(1).bit(0)),
            Type::Bv(width) => Value::Bv(bits(width)),
            Type::Float(kind) => Value::float(kind, bits(kind.width())),
        }
    }
}

impl Known for World<'_> {
    fn var(&self, var: VarId) -> Option<Value> {
        let make = || self.value(self.program.vars[var].ty);
        Some(self.vars.borrow_mut().entry(var).or_insert_with(make).clone())
    }

    fn cell(&self, region: RegionId, addr: u64) -> Option<Value> {
        let make = || self.value(self.program.regions[region].cell);
        Some(self.cells.borrow_mut().entry((region, addr)).or_insert_with(make).clone())
    }

    fn region(&self, region: RegionId) -> &Region {
        &self.program.regions[region]
    }

    fn big_endian(&self) -> bool {
        self.program.big_endian
    }
}

/// Constants for variables and maps, and formulas that give them the values of a world. Some of the cells are stored.
struct Constants<'a> {
    world: &'a World<'a>,
    facts: Vec<Formula>,
}

impl Valuation for Constants<'_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        let value = Known::var(self.world, var).expect("every variable has a value");
        let constant = Term::named(&format!("variable{var}"), value.ty())?;
        self.facts.push(constant.same(&Term::value(&value)?));
        Ok(constant)
    }

    fn region(&mut self, id: RegionId) -> Result<Memory, Unsupported> {
        let region = &self.world.program.regions[id];
        let base = Memory::named(&format!("memory{id}"), region)?;
        let mut memory = base.clone();
        for (index, ((_, addr), value)) in
            self.world.cells.borrow().iter().filter(|((region, _), _)| *region == id).enumerate()
        {
            let value = Term::value(value)?;
            match index % 2 {
                0 => memory = memory.with_cell(region, *addr, &value),
                _ => self.facts.push(base.cell(region, *addr).same(&value)),
            }
        }
        Ok(memory)
    }
}

#[test]
fn circuits_have_the_values_of_random_expressions_and_memories() {
    let limits = Limits { gates: 2_000_000, conflicts: 100_000, deadline: None };
    let (mut agreed, mut stuck, mut read, mut floats) = (0, 0, 0, 0);
    for seed in 0..12 {
        let program = beeline_ir::random::program(seed);
        let rng = RefCell::new(Rng::with_seed(seed));
        let world = World { program: &program, rng, vars: RefCell::default(), cells: RefCell::default() };
        for (id, expr) in program.exprs.iter() {
            let folded = fold(&program.exprs, id, &world);
            let mut constants = Constants { world: &world, facts: Vec::new() };
            let Ok(encoded) = Encoder::new(&program).expr(id, &mut constants) else { continue };
            let holds = match &folded {
                Folded::Value(value) => {
                    encoded.defined.and(&encoded.term.same(&Term::value(value).expect("it was encoded")))
                }
                Folded::Stuck => encoded.defined.not(),
                Folded::Unknown => continue,
            };
            let answer =
                |formula: Formula| refute(&[&constants.facts[..], &[formula]].concat(), &limits, None);
            let said = (answer(holds.clone()), answer(holds.not()));
            if matches!(said.1, Refutation::Open(_)) {
                floats += 1;
                continue;
            }
            assert_eq!(
                said,
                (Refutation::Model { exact: true }, Refutation::Certified),
                "seed {seed}, {}: {folded:?}, the term is {encoded:?}",
                beeline_ir::text::print_expr(&program, id)
            );
            agreed += 1;
            stuck += usize::from(folded == Folded::Stuck);
            read += usize::from(matches!(expr, beeline_ir::Expr::Load { .. }));
        }
    }
    eprintln!("{agreed} agree, {stuck} of them stuck, {read} reads; {floats} open");
    assert!(agreed > 100 && stuck > 5 && read > 5 && floats < agreed);
}
