//! CaDiCaL and Kissat compared with Z3, on random queries and on hard ones.

use super::circuits::LOSES_CARRIES;
use super::{Asked, Decided, Incremental, Query, Solver, Sorts};
use crate::limits::{Meter, QueryLimits};
use crate::questions::Questions;
use crate::random::{condition, term};
use crate::solver::decide_once;
use crate::term::Formula;
use fastrand::Rng;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use z3::ast::{Array, Ast, BV, Bool, Dynamic, Float};
use z3::{SatResult, Sort};

const PLENTY: u64 = 30_000_000;

const SOLVERS: [Solver; 2] = [Solver::Cadical, Solver::Kissat];

/// The answer of a SAT solver.
fn decide(
    formulas: &[Formula],
    sorts: Sorts,
    solver: Solver,
    ticks: u64,
    limits: &QueryLimits,
) -> Option<Decided> {
    Query::new(formulas, sorts, ticks, limits)?.decide_by(ticks, |_| solver)
}

/// Decides formulas by all solvers and compares the answers. Returns whether there is a model.
fn agreed(formulas: &[Bool], sorts: Sorts) -> bool {
    let solver = z3::Solver::new();
    formulas.iter().for_each(|formula| solver.assert(formula));
    let expected = solver.check();
    assert_ne!(expected, SatResult::Unknown, "{formulas:?}");
    let query: Vec<Formula> = formulas.iter().cloned().map(Formula::from).collect();
    let limits = QueryLimits::new(PLENTY, None);
    for by in SOLVERS {
        let decided = decide(&query, sorts, by, PLENTY, &limits);
        match decided.unwrap_or_else(|| panic!("no answer to {formulas:?} by {by:?}")) {
            Decided::Unsat => assert_eq!(expected, SatResult::Unsat, "{formulas:?} by {by:?}"),
            Decided::Sat(model) => {
                // The model was checked by evaluation before. Here Z3's search checks it, with the constants
                // set to their values.
                solver.push();
                for symbol in super::simple::symbols(formulas) {
                    solver.assert(model.eval(&symbol, true).expect("it has a value").eq(&symbol));
                }
                assert_eq!(solver.check(), SatResult::Sat, "{formulas:?} in {model:?} by {by:?}");
                solver.pop(1);
            }
        }
    }
    expected == SatResult::Sat
}

/// Checks random queries. Both answers have to be frequent.
fn all_agree(seeds: std::ops::Range<u64>, sorts: Sorts, query: impl Fn(&mut Rng) -> Vec<Bool>) {
    let count = seeds.end - seeds.start;
    let models = seeds.filter(|&seed| agreed(&query(&mut Rng::with_seed(seed)), sorts)).count() as u64;
    assert!(models * 8 > count && (count - models) * 8 > count, "{models} of {count} have a model");
}

#[test]
fn random_bit_vectors_have_the_same_answers() {
    all_agree(0..400, Sorts::BitVectors, |random| {
        let width = random.u32(2..9);
        let count = random.usize(2..7);
        (0..count).map(|_| condition(random, width, 3)).collect()
    });
}

#[test]
fn random_memory_has_the_same_answers() {
    all_agree(0..150, Sorts::Memory, |random| {
        let [address, byte] = [4, 3].map(Sort::bitvector);
        let mut memories = vec![Array::new_const("memory", &address, &byte)];
        let mut formulas = Vec::new();
        for _ in 0..random.usize(3..8) {
            let before = &memories[random.usize(..memories.len())];
            let (at, with) = (term(random, 4, 1), term(random, 3, 1));
            let other = &memories[random.usize(..memories.len())];
            let read = before.select(&at).as_bv().expect("memory has bytes");
            formulas.push(if random.bool() { read.bvult(&with) } else { read.eq(&with) });
            memories.push(match random.u8(0..3) {
                0 => condition(random, 4, 1).ite(before, other),
                _ => before.store(&at, &with),
            });
        }
        formulas
    });
}

#[test]
fn random_floats_have_the_same_answers() {
    all_agree(0..60, Sorts::Any, |random| {
        let mut all: Vec<Float> = (0..3).map(float).collect();
        (0..random.usize(3..6)).map(|_| compared(random, &mut all)).collect()
    });
}

fn float(index: u8) -> Float {
    Float::new_const(format!("f{index}"), 5, 11)
}

/// A random formula over floats, one of which is new.
fn compared(random: &mut Rng, all: &mut Vec<Float>) -> Bool {
    let (a, b) = (&all[random.usize(..all.len())], &all[random.usize(..all.len())]);
    let formula = match random.u8(0..4) {
        0 => a.lt(b),
        1 => a.eq_fpa(b).not(),
        2 => a.le(b),
        _ => {
            let number = a.is_nan().ite(&BV::from_u64(0, 16), &a.to_ieee_bv());
            number.bvult(term(random, 16, 1))
        }
    };
    let rounding = z3::ast::RoundingMode::round_nearest_ties_to_even();
    let next = match random.u8(0..4) {
        0 => rounding.add(a, b),
        1 => rounding.mul(a, b),
        2 => crate::float::from_bits(beeline_ir::FloatKind::F16, &term(random, 16, 1)),
        _ => a.unary_neg(),
    };
    all.push(next);
    formula
}

/// The square of a sum, with 32 bits: hard for a long time.
fn hard() -> Vec<Formula> {
    let [x, y] = ["x", "y"].map(|name| BV::new_const(name, 32));
    let (sum, twice) = (x.bvadd(&y), x.bvmul(&y).bvadd(x.bvmul(&y)));
    let parts = x.bvmul(&x).bvadd(&twice).bvadd(y.bvmul(&y));
    vec![sum.bvmul(&sum).eq(&parts).not().into()]
}

#[test]
fn limits_end_a_query_at_the_same_place() {
    // Z3's simplification of a query depends on earlier ones, and each thread has a Z3 of its own.
    let run = |solver| {
        let meter = Rc::new(Meter::new(None, None, Arc::default()));
        let limits = QueryLimits::of(PLENTY, Rc::clone(&meter));
        let decided = decide(&hard(), Sorts::BitVectors, solver, 600_000, &limits);
        assert!(decided.is_none(), "{decided:?}");
        meter.used()
    };
    for solver in SOLVERS {
        let used: Vec<u64> =
            (0..2).map(|_| std::thread::spawn(move || run(solver)).join().expect("it ends")).collect();
        assert!(used[0] >= 600_000 && used.iter().all(|&ticks| ticks == used[0]), "{used:?} ticks");
    }
}

#[test]
fn a_run_that_ends_ends_its_query() {
    for solver in SOLVERS {
        let stop = Arc::new(AtomicBool::new(false));
        let start = Instant::now();
        let late = QueryLimits::new(u64::MAX, Some(start + Duration::from_millis(300)));
        assert!(decide(&hard(), Sorts::BitVectors, solver, u64::MAX, &late).is_none());
        let stopped = QueryLimits::of(u64::MAX, Rc::new(Meter::new(None, None, Arc::clone(&stop))));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                stop.store(true, Ordering::Relaxed);
            });
            assert!(decide(&hard(), Sorts::BitVectors, solver, u64::MAX, &stopped).is_none());
        });
        assert!(start.elapsed() < Duration::from_secs(10), "{solver:?}");
    }
}

#[test]
fn queries_that_are_not_for_sat_solvers_are_refused() {
    let limits = QueryLimits::new(PLENTY, None);
    let decide = |formula: Formula, sorts, ticks| decide(&[formula], sorts, Solver::Cadical, ticks, &limits);
    let [x, y, z] = ["x", "y", "z"].map(|name| BV::new_const(name, 2048));
    let large = x.bvmul(&y).bvmul(&z).eq(BV::from_u64(7, 2048));
    assert!(decide(large.into(), Sorts::BitVectors, PLENTY).is_none());
    let integer = z3::ast::Int::new_const("i");
    let foreign = (&integer * &integer).gt(z3::ast::Int::from_i64(5));
    assert!(decide(foreign.into(), Sorts::Any, PLENTY).is_none());
    let few = condition(&mut Rng::with_seed(1), 32, 4);
    assert!(decide(few.into(), Sorts::BitVectors, 1).is_none(), "one step is not enough for Z3");
}

#[test]
fn who_believes_z3_does_not_believe_our_circuits() {
    let [x, y] = ["x", "y"].map(|name| BV::new_const(name, 32));
    let [one, two, number] = [1, 2, 0x1234_5678].map(|number| BV::from_u64(number, 32));
    // Both are odd, and the second bit of their sum is the carry of the first. No valuation is tried by chance.
    let near = |of: &BV| of.bvxor(&number).bvult(&two);
    let facts = [x.bvand(&one).eq(&one), y.bvand(&one).eq(&one), near(&x), near(&y)].map(Formula::from);
    let sum: Formula = x.bvadd(&y).bvand(&two).eq(&two).into();
    let all = Formula::all(facts.iter().cloned().chain([sum.clone()]));
    let answers = |limits: fn(QueryLimits) -> QueryLimits| {
        let given = || limits(QueryLimits::new(PLENTY, None));
        let mut questions = Questions::new(given());
        let once = decide_once(std::slice::from_ref(&all), &given()).is_sat();
        let query = decide(std::slice::from_ref(&all), Sorts::BitVectors, Solver::Cadical, PLENTY, &given());
        let may = questions.may_hold(&[], &all).expect("it is decided");
        [once, matches!(query, Some(Decided::Sat(_))), may, questions.decide(&facts, &sum, &given()).is_sat()]
    };
    LOSES_CARRIES.set(true);
    // A single query that is not easy is Z3's in any case.
    assert_eq!(answers(|limits| limits), [false, true, false, false]);
    assert_eq!(answers(QueryLimits::believing_z3), [true; 4]);
    assert_eq!(
        answers(|limits| limits.believing_z3().each(PLENTY)),
        [true; 4],
        "limits of parts believe the same"
    );
    LOSES_CARRIES.set(false);
    assert_eq!(answers(|limits| limits), [true; 4]);
}

/// A random formula over maps, some of which are defined for each address.
fn read(random: &mut Rng, maps: &mut Vec<Array>) -> Bool {
    let before = maps[random.usize(..maps.len())].clone();
    let other = maps[random.usize(..maps.len())].clone();
    let (at, with) = (term(random, 4, 1), term(random, 3, 1));
    let cell = before.select(&at).as_bv().expect("memory has bytes");
    maps.push(match random.u8(0..4) {
        0 => condition(random, 4, 1).ite(&before, &other),
        1 => {
            let addr = BV::new_const("addr", 4);
            let cell = addr.bvult(&at).ite(&before.select(&addr), &other.select(&addr.bvadd(&at)));
            z3::ast::lambda_const(&[&addr as &dyn Ast], &cell)
        }
        2 => Array::const_array(&Sort::bitvector(4), &with),
        _ => before.store(&at, &with),
    });
    if random.bool() { cell.bvult(&with) } else { cell.eq(&with) }
}

/// Asks one solver about growing facts, and Z3 each time. Returns how many queries are satisfiable, of how many, and
/// how many hold in an assignment of an earlier one.
fn asked(seed: u64, query: &mut dyn FnMut(&mut Rng) -> Bool) -> [usize; 3] {
    let mut random = Rng::with_seed(seed);
    let limits = QueryLimits::new(PLENTY, None);
    let (mut incremental, solver) = (Incremental::default(), z3::Solver::new());
    let (mut satisfiable, mut seen) = (0, 0);
    const QUERIES: usize = 6;
    for _ in 0..QUERIES {
        let [fact, asked] = [0, 1].map(|_| query(&mut random));
        assert!(incremental.learn(&fact.clone().into(), &limits));
        solver.assert(&fact);
        let expected = solver.check_assumptions(std::slice::from_ref(&asked));
        if incremental.was_seen(&asked.clone().into(), &limits) {
            assert_eq!(expected, SatResult::Sat, "{solver:?} {asked:?}");
            seen += 1;
        }
        match incremental.decide(&asked.clone().into(), PLENTY, &limits) {
            Asked::Unsat => assert_eq!(expected, SatResult::Unsat, "{solver:?} {asked:?}"),
            Asked::Sat => {
                assert_eq!(expected, SatResult::Sat, "{solver:?} {asked:?}");
                let model = incremental.model().expect("there is a model");
                for formula in solver.get_assertions().iter().chain([&asked]) {
                    let truth = model.eval(formula, true).and_then(|truth| truth.as_bool());
                    assert_eq!(truth, Some(true), "{formula:?} in {model:?}");
                }
                satisfiable += 1;
            }
            other => panic!("{other:?}: {asked:?}"),
        }
    }
    [satisfiable, QUERIES, seen]
}

fn all_asked(query: &mut dyn FnMut(&mut Rng) -> Bool) {
    let sum = |sum: [usize; 3], of: [usize; 3]| [0, 1, 2].map(|index| sum[index] + of[index]);
    let [satisfiable, all, seen] = (0..60).map(|seed| asked(seed, query)).fold([0; 3], sum);
    assert!(seen > 0, "none of {all} holds in an earlier assignment");
    assert!(satisfiable * 5 > all && (all - satisfiable) * 5 > all, "{satisfiable} of {all}");
}

#[test]
fn growing_facts_about_bit_vectors_have_the_same_answers() {
    for width in [1, 2, 3, 5, 8] {
        all_asked(&mut |random| condition(random, width.max(2), 2));
    }
}

#[test]
fn growing_facts_about_memory_have_the_same_answers() {
    let mut maps = vec![Array::new_const("memory", &Sort::bitvector(4), &Sort::bitvector(3))];
    all_asked(&mut |random| {
        if maps.len() > 12 {
            maps.truncate(1);
        }
        read(random, &mut maps)
    });
}

#[test]
fn growing_facts_about_floats_have_the_same_answers() {
    let mut all: Vec<Float> = (0..3).map(float).collect();
    all_asked(&mut |random| {
        if all.len() > 5 {
            all.truncate(3);
        }
        compared(random, &mut all)
    });
}

#[test]
fn floats_that_facts_make_of_floats_are_known() {
    let limits = QueryLimits::new(PLENTY, None);
    let x = float(0);
    let [one, zero] = [0x3c00, 0].map(|bits| BV::from_u64(bits, 16));
    let made = crate::float::from_bits(beeline_ir::FloatKind::F16, &x.is_nan().ite(&one, &zero));
    let is_nan: Formula = made.gt(crate::float::from_bits(beeline_ir::FloatKind::F16, &zero)).into();
    let mut incremental = Incremental::default();
    assert!(incremental.learn(&is_nan, &limits));
    assert_eq!(incremental.decide(&x.le(float(2)).into(), PLENTY, &limits), Asked::Unsat);
}

#[test]
fn circuits_compute_what_z3_computes() {
    let mut random = Rng::with_seed(9);
    let limits = QueryLimits::new(PLENTY, None);
    for (width, turns) in [(2, 60), (5, 60), (8, 40), (31, 4), (33, 4), (64, 4)] {
        for _ in 0..turns {
            let term = term(&mut random, width, 2);
            let mut incremental = Incremental::default();
            let values: Vec<(BV, BV)> = (1..4)
                .map(|index| {
                    let value = random.u64(..) & crate::words::mask(random.u32(1..=width));
                    (BV::new_const(format!("x{index}"), width), BV::from_u64(value, width))
                })
                .collect();
            let truths = ["p", "q"].map(|name| (Bool::new_const(name), Bool::from_bool(random.bool())));
            let mut known: Vec<(Dynamic, Dynamic)> = Vec::new();
            for (constant, value) in &values {
                assert!(incremental.learn(&constant.eq(value).into(), &limits));
                known.push((Dynamic::from_ast(constant), Dynamic::from_ast(value)));
            }
            for (constant, value) in &truths {
                assert!(incremental.learn(&constant.eq(value).into(), &limits));
                known.push((Dynamic::from_ast(constant), Dynamic::from_ast(value)));
            }
            let pairs: Vec<(&Dynamic, &Dynamic)> = known.iter().map(|(from, to)| (from, to)).collect();
            let number = term.substitute(&pairs).simplify();
            let is: Bool = term.eq(&number);
            assert_eq!(incremental.decide(&is.clone().into(), PLENTY, &limits), Asked::Sat, "{term:?}");
            assert_eq!(
                incremental.decide(&is.not().into(), PLENTY, &limits),
                Asked::Unsat,
                "{term:?} {known:?}"
            );
        }
    }
}
