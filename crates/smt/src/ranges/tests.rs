//! Range operations in one step compared with loops that write byte after byte.

use super::{Source, Written, allowed, write};
use crate::memory::{self, Memory};
use crate::solver::decide_once;
use crate::term::{Formula, Kind, Term};
use crate::{Answer, QueryLimits};
use beeline_ir::{Extent, Region, Type};
use fastrand::Rng;
use std::collections::BTreeMap;
use z3::ast::{BV, Bool};

/// More bytes than an extent has.
const TOO_MANY: u64 = 7;

fn region(random: &mut Rng) -> Region {
    let mut extents = vec![Extent { base: 0x40, size: 6 }, Extent { base: 0x80, size: 5 }];
    extents.truncate(random.usize(1..3));
    Region { name: "m".into(), addr: Type::Bv(16), cell: Type::Bv(8), extents, init: Vec::new() }
}

/// A number, an input, or a choice between two such.
fn any_of(random: &mut Rng, numbers: &[u64], depth: u32) -> BV {
    match (depth, random.u8(0..3)) {
        (0, 0) | (_, 1) => BV::from_u64(*random.choice(numbers).unwrap(), 16),
        (0, _) | (_, 2) => BV::new_const(format!("x{}", random.u8(0..3)), 16),
        _ => {
            let choice = Bool::new_const(format!("c{}", random.u8(0..3)));
            choice.ite(&any_of(random, numbers, depth - 1), &any_of(random, numbers, depth - 1))
        }
    }
}

fn word(term: BV) -> Term {
    Term(Kind::Bv(term))
}

fn nth(at: &BV, index: u64) -> BV {
    at.bvadd(BV::from_u64(index, 16))
}

/// A range operation.
struct Case {
    region: Region,
    to: BV,
    /// The address to copy from; `None` to fill.
    from: Option<BV>,
    size: BV,
}

impl Case {
    fn counts(&self, index: u64) -> Formula {
        BV::from_u64(index, 16).bvult(&self.size).into()
    }

    /// The condition that each access of the loop is allowed.
    fn each_is_allowed(&self) -> Formula {
        let access = |at: &BV, index| memory::allowed(&self.region, &nth(at, index), Type::Bv(8));
        Formula::all((0..TOO_MANY).map(|index| {
            let from = self.from.as_ref().map_or(Formula::constant(true), |from| access(from, index));
            self.counts(index).implies(&access(&self.to, index).and(&from))
        }))
    }

    /// The map after the loop, which counts upwards or downwards.
    fn looped(&self, map: &Memory, byte: &Term) -> Memory {
        let along = |indices: &mut dyn Iterator<Item = u64>| {
            indices.fold(map.clone(), |map, index| {
                let value = match &self.from {
                    Some(from) => map.load(&self.region, false, &nth(from, index), Type::Bv(8)).unwrap(),
                    None => byte.clone(),
                };
                let after = map.store(&self.region, false, &nth(&self.to, index), &value).unwrap();
                Memory::ite(&self.counts(index), &after, &map)
            })
        };
        let is_up = self.from.as_ref().map_or(Formula::constant(true), |from| self.to.bvule(from).into());
        Memory::ite(&is_up, &along(&mut (0..TOO_MANY)), &along(&mut (0..TOO_MANY).rev()))
    }
}

fn is_unsatisfiable(formulas: &[Formula]) -> bool {
    match decide_once(formulas, &QueryLimits::new(60_000_000, None)) {
        Answer::Unsat => true,
        Answer::Sat(_) => false,
        Answer::Unknown(why) => panic!("{why}"),
    }
}

#[test]
fn ranges_hold_what_loops_write() {
    for seed in 0..50 {
        let mut random = Rng::with_seed(seed);
        let addresses = [0x40, 0x41, 0x44, 0x80, 0x82];
        let (to, from) = (any_of(&mut random, &addresses, 2), any_of(&mut random, &addresses, 2));
        let size = any_of(&mut random, &[0, 1, 2, 4], 2);
        let case = Case { region: region(&mut random), to, from: random.bool().then_some(from), size };
        let [to, size] = [&case.to, &case.size].map(|term| word(term.clone()));
        let (from, byte) = (case.from.clone().map(word), word(BV::new_const("byte", 8)));
        let source = from.as_ref().map_or(Source::Byte(&byte), Source::Copy);
        let written = Written { to: &to, source, size: &size };
        let allowed = allowed(&case.region, &written);
        assert!(is_unsatisfiable(&[allowed.same(&case.each_is_allowed()).not()]), "seed {seed}: allowed");
        let start = Memory::named("m", &case.region).unwrap();
        let looped = case.looped(&start, &byte);
        let mut cell = |addr| Ok(start.cell(&case.region, addr));
        let cells: BTreeMap<u64, Term> =
            write(&case.region, &written, &mut cell).unwrap().into_iter().collect();
        for extent in &case.region.extents {
            for addr in extent.base..extent.base + extent.size {
                let expected = looped.cell(&case.region, addr);
                let found = cells.get(&addr).cloned().unwrap_or_else(|| start.cell(&case.region, addr));
                let differs = expected.same(&found).not();
                assert!(is_unsatisfiable(&[allowed.clone(), differs]), "seed {seed}: cell {addr:#x}");
            }
        }
        let at = BV::new_const("at", 16);
        let [expected, found] = [looped, start.with_range(&case.region, &written)]
            .map(|map| map.load(&case.region, false, &at, Type::Bv(8)).unwrap());
        let differs = expected.same(&found).not();
        assert!(is_unsatisfiable(&[allowed.clone(), differs]), "seed {seed}: map");
    }
}
