//! Interpolants and invariants through Spacer, Z3's engine for constrained Horn clauses.
//!
//! Z3 interpolates no more, but Spacer's proof that clauses cannot derive a contradiction holds one
//! formula for each relation: for a chain of clauses an interpolant of each link, for clauses that go
//! round in circles an invariant.
#![allow(unsafe_code)] // Substitution for bound variables is missing from the safe bindings.

use crate::apart::{Bounds, apart};
use crate::ast::{is_symbol, parts};
use crate::limits::{QueryLimits, TICKS_PER_SECOND, params, used_by_horn_clauses};
use crate::linear::{self, Relaxed};
use crate::substitute::Constant;
use crate::sums;
use crate::term::Formula;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use z3::ast::{Ast, Bool, Dynamic};
use z3::{FuncDecl, SatResult, Sort};

/// How much longer than the run Spacer's process may last.
const SLACK: Duration = Duration::from_millis(300);
/// How many ticks one step of Spacer's count of its work is worth: what takes as long.
const TICKS_PER_STEP: u64 = 3;

/// What names of relations start with, and names of constants do not.
const RELATION: &str = "relation!";

/// For an unsatisfiable sequence of formulas, a formula for each of the cuts between them: each one
/// follows from the one before and the formula between them, and contradicts the rest. It mentions only
/// the constants listed for its cut, which have to be all that both sides share.
///
/// Nothing if Spacer does not find them with so many ticks; whoever uses them has to check that they serve.
pub fn interpolants(
    blocks: &[Formula],
    cuts: &[Vec<Constant>],
    arithmetic: Arithmetic,
    limits: &QueryLimits,
    ticks: u64,
) -> Option<Vec<Formula>> {
    debug_assert_eq!(blocks.len(), cuts.len() + 1);
    let cuts = really_shared(blocks, cuts);
    let end = |index: usize| cuts.get(index).map(|cut| End { relation: index, arguments: cut.clone() });
    let clauses: Vec<Clause> = blocks
        .iter()
        .enumerate()
        .map(|(index, block)| Clause {
            from: index.checked_sub(1).and_then(end).into_iter().collect(),
            formula: block.clone(),
            to: end(index),
        })
        .collect();
    invariants(&cuts, &clauses, arithmetic, limits, ticks)
}

/// One end of a clause: a relation holds for some arguments.
#[derive(Debug, Clone)]
pub struct End {
    /// Which relation.
    pub relation: usize,
    /// For what: constants, or other terms where the clause ends.
    pub arguments: Vec<Constant>,
}

/// A constrained Horn clause: if relations hold and the formula does, another relation holds.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The relations that have to hold.
    pub from: Vec<End>,
    /// What else has to hold.
    pub formula: Formula,
    /// The relation that holds then; nothing for the contradiction, which should not be derived.
    pub to: Option<End>,
}

/// For clauses that derive no contradiction, a formula for each relation with which all clauses hold
/// and that excludes the contradiction. It mentions the constants that are given for the relation.
///
/// Nothing if Spacer does not find them with so many ticks; whoever uses them has to check that they serve.
pub fn invariants(
    relations: &[Vec<Constant>],
    clauses: &[Clause],
    arithmetic: Arithmetic,
    limits: &QueryLimits,
    ticks: u64,
) -> Option<Vec<Formula>> {
    let start = Instant::now();
    let ticks = limits.affordable(ticks);
    let bounds = Bounds {
        time: limits.time_left().map(|left| left + SLACK),
        // A process that counts nothing of what it does has a fault like one that crashes.
        cpu_seconds: 2 + 10 * ticks / TICKS_PER_SECOND,
    };
    let text = apart(&bounds, || {
        let (formulas, steps) = solve(relations, clauses, arithmetic, ticks / TICKS_PER_STEP);
        Some(format!("{steps}\n{}", formulas.map(|formulas| written(&formulas)).unwrap_or_default()))
    });
    let (used, text) = text.as_deref().and_then(|text| text.split_once('\n')).unwrap_or_default();
    limits.charge(used.parse().map_or(ticks, |steps: u64| steps * TICKS_PER_STEP));
    let found = if text.is_empty() { None } else { read(text, relations, arithmetic) };
    limits.count(start, found.is_none());
    found
}

/// What machine integers are taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// What they are.
    BitVectors,
    /// Unbounded integers: not exact, so that what is found may not serve.
    Integers,
    /// Unbounded integers, where a contradiction is also a result too large for its type.
    FittingIntegers,
    /// Unbounded integers that wrap around in linear operations: nearly exact, but harder.
    WrappingIntegers,
}

impl Arithmetic {
    /// Constants; those of types that it does not know are left out.
    fn constants(self, constants: &[Constant]) -> Vec<Dynamic> {
        let constants = constants.iter().map(Constant::dynamic);
        match self {
            Arithmetic::BitVectors => constants.collect(),
            _ => constants.filter_map(|constant| linear::counterpart(&constant)).collect(),
        }
    }

    /// A formula and terms.
    fn translated(self, formula: &Formula, terms: &[Constant]) -> Relaxed {
        let terms: Vec<Dynamic> = terms.iter().map(Constant::dynamic).collect();
        match self {
            Arithmetic::BitVectors => {
                Relaxed { formula: formula.z3(), terms, overflow: Bool::from_bool(false) }
            }
            _ => linear::relax(&formula.z3(), &terms, self == Arithmetic::WrappingIntegers),
        }
    }
}

/// A formula for each relation, if they are found, and how many steps of its work Spacer counted.
fn solve(
    relations: &[Vec<Constant>],
    clauses: &[Clause],
    arithmetic: Arithmetic,
    steps: u64,
) -> (Option<Vec<Bool>>, u64) {
    let engine = z3::Fixedpoint::new();
    // A time limit would need another thread, which a process that was split off does not have.
    let mut params = params(steps);
    params.set_symbol("engine", "spacer");
    // These would remove the relations whose formulas are wanted.
    for option in ["xform.inline_eager", "xform.inline_linear", "xform.slice"] {
        params.set_bool(option, false);
    }
    // Without it Spacer loses itself in the single steps of loops. It knows linear arithmetic only.
    params.set_bool("spacer.global", arithmetic != Arithmetic::BitVectors);
    engine.set_params(&params);
    let parameters: Vec<Vec<Dynamic>> =
        relations.iter().map(|constants| arithmetic.constants(constants)).collect();
    let declare = |(index, constants): (usize, &Vec<Dynamic>)| {
        let sorts: Vec<Sort> = constants.iter().map(Ast::get_sort).collect();
        FuncDecl::new(format!("{RELATION}{index}"), &sorts.iter().collect::<Vec<_>>(), &Sort::bool())
    };
    let declared: Vec<FuncDecl> = parameters.iter().enumerate().map(declare).collect();
    let contradiction = FuncDecl::new(format!("{RELATION}contradiction"), &[], &Sort::bool());
    declared.iter().chain([&contradiction]).for_each(|relation| engine.register_relation(relation));
    let apply = |relation: &FuncDecl, constants: &[Dynamic]| {
        let arguments: Vec<&dyn Ast> = constants.iter().map(|constant| constant as &dyn Ast).collect();
        relation.apply(&arguments).as_bool().expect("relations are truth values")
    };
    let goal = apply(&contradiction, &[]);
    for clause in clauses {
        let arguments = clause.to.as_ref().map_or(&[][..], |end| &end.arguments);
        let translated = arithmetic.translated(&clause.formula, arguments);
        let before = clause.from.iter().map(|end| {
            let arguments = arithmetic.constants(&end.arguments);
            apply(&declared[end.relation], &arguments)
        });
        let mut body: Vec<Bool> = before.chain([translated.formula]).collect();
        let head = match &clause.to {
            Some(end) => apply(&declared[end.relation], &translated.terms),
            None => goal.clone(),
        };
        add_rule(&engine, &Bool::and(&body).implies(&head));
        if arithmetic == Arithmetic::FittingIntegers {
            body.push(translated.overflow);
            add_rule(&engine, &Bool::and(&body).implies(&goal));
        }
    }
    used_by_horn_clauses(&engine);
    let answer = engine.query(&goal);
    let used = used_by_horn_clauses(&engine);
    if answer != SatResult::Unsat {
        return (None, used);
    }
    let cover = |(index, relation)| {
        let parameters = placeholders(index, &parameters[index]);
        substitute_bound(&engine.get_cover_delta(-1, relation)?, &parameters)
    };
    (declared.iter().enumerate().map(cover).collect(), used)
}

/// Constants with names of their own, which are the same in every text, for those of a relation.
fn placeholders(relation: usize, constants: &[Dynamic]) -> Vec<Dynamic> {
    let named = |(index, constant): (usize, &Dynamic)| {
        FuncDecl::new(format!("{RELATION}{relation}!{index}"), &[], &constant.get_sort()).apply(&[])
    };
    constants.iter().enumerate().map(named).collect()
}

/// Formulas as text, one for each relation.
fn written(formulas: &[Bool]) -> String {
    let solver = z3::Solver::new();
    for (index, formula) in formulas.iter().enumerate() {
        // Each is the second side of an equivalence, so that none disappears.
        solver.assert(Bool::new_const(format!("{RELATION}{index}")).iff(formula));
    }
    solver.to_string()
}

/// The formulas of a text, with the constants of the relations.
fn read(text: &str, relations: &[Vec<Constant>], arithmetic: Arithmetic) -> Option<Vec<Formula>> {
    let solver = z3::Solver::new();
    solver.from_string(text);
    let formulas = solver.get_assertions().into_iter().zip(relations).enumerate();
    let formulas = formulas.map(|(index, (assertion, constants))| {
        let constants = arithmetic.constants(constants);
        let placeholders = placeholders(index, &constants);
        let pairs: Vec<(&Dynamic, &Dynamic)> = placeholders.iter().zip(&constants).collect();
        let formula = assertion.nth_child(1)?.as_bool()?.substitute(&pairs);
        Some(Formula::from(match arithmetic {
            Arithmetic::BitVectors => formula,
            _ => sums::with_equalities(&formula),
        }))
    });
    let formulas: Vec<Formula> = formulas.collect::<Option<_>>()?;
    (formulas.len() == relations.len()).then_some(formulas)
}

/// For each cut, those of its constants that formulas on both sides mention.
fn really_shared(blocks: &[Formula], cuts: &[Vec<Constant>]) -> Vec<Vec<Constant>> {
    let mut first: FxHashMap<Dynamic, usize> = FxHashMap::default();
    let mut last: FxHashMap<Dynamic, usize> = FxHashMap::default();
    for (index, block) in blocks.iter().enumerate() {
        for constant in constants_of(&block.dynamic()) {
            first.entry(constant.clone()).or_insert(index);
            last.insert(constant, index);
        }
    }
    let cuts = cuts.iter().enumerate().map(|(index, shared)| {
        let mut kept: Vec<Constant> = Vec::new();
        for constant in shared {
            let name = constant.dynamic();
            let before = first.get(&name).is_some_and(|&first| first <= index);
            let behind = last.get(&name).is_some_and(|&last| last > index);
            if before && behind && !kept.contains(constant) {
                kept.push(constant.clone());
            }
        }
        kept
    });
    cuts.collect()
}

/// Adds a rule for all values of its constants.
fn add_rule(engine: &z3::Fixedpoint, rule: &Bool) {
    let constants = constants_of(&Dynamic::from_ast(rule));
    if constants.is_empty() {
        engine.add_rule(rule, None);
        return;
    }
    let bounds: Vec<&dyn Ast> = constants.iter().map(|constant| constant as &dyn Ast).collect();
    engine.add_rule(&z3::ast::forall_const(&bounds, &[], rule), None);
}

/// The uninterpreted constants of a term, relations left out.
fn constants_of(term: &Dynamic) -> Vec<Dynamic> {
    let is_constant = |term: &Dynamic| is_symbol(term) && !term.decl().name().starts_with(RELATION);
    let found: BTreeMap<String, Dynamic> =
        parts(term).filter(is_constant).map(|term| (term.to_string(), term)).collect();
    found.into_values().collect()
}

fn substitute_bound(formula: &Bool, constants: &[Dynamic]) -> Option<Bool> {
    let context = formula.get_ctx();
    let terms: Vec<z3_sys::Z3_ast> = constants.iter().map(Ast::get_z3_ast).collect();
    // SAFETY: all terms are alive and of one context; the result is wrapped at once.
    unsafe {
        let result = z3_sys::Z3_substitute_vars(
            context.get_z3_context(),
            formula.get_z3_ast(),
            u32::try_from(terms.len()).ok()?,
            terms.as_ptr(),
        )?;
        Some(Bool::wrap(context, result))
    }
}
