//! Accesses to single cells compared with those to a map: after the same stores, the same loads.

use super::{Outside, read, write};
use crate::memory::{Memory, allowed};
use crate::shape::{among, cases, choice, compare, numbers};
use crate::solver::decide_once;
use crate::term::{Formula, Kind, Term};
use crate::{Answer, QueryLimits};
use beeline_ir::{Extent, Region, Type};
use fastrand::Rng;
use std::collections::BTreeMap;
use z3::ast::{BV, Bool};

fn region(cell: Type) -> Region {
    let extents = vec![Extent { base: 0x40, size: 8 }, Extent { base: 0x80, size: 5 }];
    Region { name: "m".into(), addr: Type::Bv(16), cell, extents, init: Vec::new() }
}

fn bits(term: BV) -> Term {
    Term(Kind::Bv(term))
}

/// An address: any, or one that is recognised as one of a few numbers.
fn address(random: &mut Rng, depth: u32) -> BV {
    let number =
        |random: &mut Rng| BV::from_u64(*random.choice(&[0x40, 0x42, 0x47, 0x80, 0x81, 0x84]).unwrap(), 16);
    let choice = |random: &mut Rng| Bool::new_const(format!("c{}", random.u8(0..3)));
    match (depth, random.u8(0..9)) {
        (0, 0..7) => number(random),
        (0, _) => BV::new_const(format!("x{}", random.u8(0..2)), 16),
        (_, 0) => BV::new_const(format!("x{}", random.u8(0..2)), 16).bvadd(BV::from_u64(0x40, 16)),
        (_, 1) => {
            address(random, depth - 1).bvadd(choice(random).ite(&BV::from_u64(1, 16), &BV::from_u64(0, 16)))
        }
        (_, 2) => address(random, depth - 1).bvsub(BV::from_u64(1, 16)),
        (_, 3) => address(random, depth - 1).zero_ext(8).extract(15, 0),
        (_, 4) => address(random, depth - 1)
            .bvlshr(BV::from_u64(random.u64(0..20), 16))
            .bvor(BV::from_u64(0x40, 16)),
        (_, 6) => {
            let offset = address(random, depth - 1).bvurem(BV::from_u64(random.u64(1..20), 16));
            offset.bvadd(BV::from_u64(0x40, 16))
        }
        (_, 5) => address(random, depth - 1)
            .bvshl(BV::from_u64(random.u64(0..18), 16))
            .bvand(BV::from_u64(0xc7, 16)),
        _ => choice(random).ite(&address(random, depth - 1), &address(random, depth - 1)),
    }
}

/// A value: a number, an input or a byte of one, or a choice between such.
fn value(random: &mut Rng, width: u32) -> BV {
    if width == 8 && random.bool() {
        let low = 8 * random.u32(0..2);
        return BV::new_const("v0!16", 16).extract(low + 7, low);
    }
    let input = BV::new_const(format!("v{}!{width}", random.u8(0..2)), width);
    let number = BV::from_u64(random.u64(0..1 << width.min(16)), width);
    match random.u8(0..3) {
        0 => input,
        1 => number,
        _ => Bool::new_const(format!("c{}", random.u8(0..3))).ite(&input, &number),
    }
}

/// The same content twice: as a map, and cell by cell.
struct Both {
    region: Region,
    big_endian: bool,
    map: Memory,
    cells: BTreeMap<u64, Term>,
    /// The condition that all accesses so far were allowed.
    allowed: Formula,
}

impl Both {
    fn cell(&self, addr: u64) -> Term {
        self.cells.get(&addr).cloned().unwrap_or_else(|| self.map_at_start().cell(&self.region, addr))
    }

    fn map_at_start(&self) -> Memory {
        Memory::named("m", &self.region).unwrap()
    }

    fn store(&mut self, at: &BV, value: &BV) {
        let value = bits(value.clone());
        self.allowed = self.allowed.and(&allowed(&self.region, at, value.ty()));
        self.map = self.map.store(&self.region, self.big_endian, at, &value).unwrap();
        let mut cell = |addr| Ok(self.cell(addr));
        let (among, at) = (numbers(at), bits(at.clone()));
        let written = write(&self.region, self.big_endian, &at, among.as_ref(), &value, &mut cell).unwrap();
        self.cells.extend(written);
    }

    /// Whether both contents give the same value wherever the access is allowed.
    fn agree(&self, at: &BV, ty: Type) -> bool {
        let of_map = self.map.load(&self.region, self.big_endian, at, ty).unwrap();
        let mut cell = |addr| Ok(self.cell(addr));
        let (among, term) = (numbers(at), bits(at.clone()));
        let of_cells = read(&self.region, self.big_endian, &term, among.as_ref(), ty, &mut cell).unwrap();
        let differ = of_map.same(&of_cells).not();
        let here = allowed(&self.region, at, ty);
        let limits = QueryLimits::new(30_000_000, None);
        match decide_once(&[self.allowed.clone(), here, differ], &limits) {
            Answer::Unsat => true,
            Answer::Sat(_) => false,
            Answer::Unknown(why) => panic!("{why}"),
        }
    }
}

#[test]
fn cells_hold_what_a_map_does() {
    for seed in 0..200 {
        let mut random = Rng::with_seed(seed);
        let cell = Type::Bv(if random.u8(0..4) == 0 { 16 } else { 8 });
        let region = region(cell);
        let map = Memory::named("m", &region).unwrap();
        let big_endian = random.bool();
        let allowed = Formula::constant(true);
        let mut both = Both { region, big_endian, map, cells: BTreeMap::new(), allowed };
        let width = |random: &mut Rng| if cell == Type::Bv(16) || random.bool() { 16 } else { 8 };
        for _ in 0..random.u8(1..5) {
            let (at, width) = (address(&mut random, 2), width(&mut random));
            let value = value(&mut random, width);
            both.store(&at, &value);
        }
        let (at, width) = (address(&mut random, 2), width(&mut random));
        assert!(both.agree(&at, Type::Bv(width)), "seed {seed}: {at}");
    }
}

#[test]
fn bytes_of_a_word_make_another_word_in_another_order() {
    let word = BV::new_const("v0!16", 16);
    for (big_endian, first) in [(false, 0), (false, 8), (true, 0), (true, 8)] {
        let region = region(Type::Bv(8));
        let map = Memory::named("m", &region).unwrap();
        let allowed = Formula::constant(true);
        let mut both = Both { region, big_endian, map, cells: BTreeMap::new(), allowed };
        for (addr, low) in [(0x80, first), (0x81, 8 - first)] {
            both.store(&BV::from_u64(addr, 16), &word.extract(low + 7, low));
        }
        assert!(both.agree(&BV::from_u64(0x80, 16), Type::Bv(16)));
    }
}

fn is_valid(formula: &Formula) -> bool {
    decide_once(&[formula.not()], &QueryLimits::new(30_000_000, None)).is_unsat()
}

#[test]
fn cases_are_what_a_term_can_be() {
    let (mut listed, mut compared) = (0, 0);
    for seed in 0..300 {
        let mut random = Rng::with_seed(seed);
        let (a, b) = (address(&mut random, 3), address(&mut random, 2));
        let cases = cases(&a);
        for (number, when) in &cases.numbers {
            let is: Formula = a.eq(BV::from_u64(*number, 16)).into();
            assert!(is_valid(&when.implies(&is)), "seed {seed}: {a} is {number} where {when:?}");
            assert!(is_valid(&cases.rest.not().implies(&is.same(when))), "seed {seed}: {a} is {number}");
        }
        let all = Formula::any(cases.numbers.iter().map(|(_, when)| when.clone()));
        assert!(is_valid(&all.or(&cases.rest)), "seed {seed}: {a} is something else");
        listed += usize::from(cases.numbers.len() > 1);
        if let Some(less) = compare(&a, &b, |a, b| a < b) {
            compared += 1;
            assert!(is_valid(&less.same(&a.bvult(&b).into())), "seed {seed}: {a} < {b}");
        }
        if let Some(odd) = among(&a, |number| number % 2 == 1) {
            let is: Formula = a.extract(0, 0).eq(BV::from_u64(1, 1)).into();
            assert!(is_valid(&odd.same(&is)), "seed {seed}: {a} is odd");
        }
    }
    assert!(listed > 50 && compared > 50, "{listed} and {compared}");
}

#[test]
fn a_choice_is_what_it_was_made_of_where_nothing_else_is_possible() {
    let (c, d) = (Bool::new_const("c0"), Bool::new_const("c1"));
    let unwritten = BV::new_const("x0", 16);
    let value = c.ite(&BV::from_u64(0x40, 16), &d.ite(&BV::from_u64(0x42, 16), &unwritten));
    let found = cases(&value);
    assert_eq!(found.numbers.len(), 2);
    let made = choice(found.numbers.clone(), 16);
    assert!(is_valid(&found.rest.not().implies(&value.eq(&made).into())));
    let made = cases(&made);
    assert!(made.rest.is_constant(false));
    // What is known of the new term is true of it everywhere.
    for (number, when) in &made.numbers {
        let is: Formula = choice(found.numbers.clone(), 16).eq(BV::from_u64(*number, 16)).into();
        assert!(is_valid(&is.same(when)), "{number} where {when:?}");
    }
}

#[test]
fn a_map_agrees_with_the_cells_that_were_seen_before() {
    let region = region(Type::Bv(8));
    let map = Memory::named("m", &region).unwrap();
    let mut outside = Outside::default();
    let before = outside.cell(&region, &map, 0x41).unwrap();
    assert!(!is_valid(&before.same(&map.cell(&region, 0x41))));
    let facts = Formula::all(outside.use_map(&region, &map));
    assert!(is_valid(&facts.implies(&before.same(&map.cell(&region, 0x41)))));
    let after = outside.cell(&region, &map, 0x42).unwrap();
    assert_eq!(after, map.cell(&region, 0x42));
    assert!(outside.use_map(&region, &map).is_empty());
}
