//! Interpolants and invariants by Spacer, Z3's engine for constrained Horn clauses.
//!
//! Z3 no longer interpolates. But Spacer's proof that clauses cannot derive a contradiction contains one
//! formula for each relation: an interpolant for each link in a chain of clauses, an invariant for cyclic
//! clauses.
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

/// The extra time of Spacer's process beyond the run.
const SLACK: Duration = Duration::from_millis(300);
/// The ticks of one step in Spacer's own count of work, by the time it takes.
const TICKS_PER_STEP: u64 = 3;

/// The prefix of relation names, which constants do not have.
const RELATION: &str = "relation!";

/// Interpolants of an unsatisfiable sequence of formulas, one for each cut between them. Each one follows
/// from the one before and the formula in between, and contradicts the formulas after it. It mentions only
/// the constants listed for its cut, which have to include all that both sides share.
///
/// `None` if Spacer does not find them with so many ticks. Their user has to check that they serve the
/// purpose.
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

/// An end of a clause: a relation applied to arguments.
#[derive(Debug, Clone)]
pub struct End {
    /// The relation.
    pub relation: usize,
    /// The arguments: constants, or other terms in the head of a clause.
    pub arguments: Vec<Constant>,
}

/// A constrained Horn clause: if some relations and a formula hold, another relation holds.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The relations in the body.
    pub from: Vec<End>,
    /// The formula in the body.
    pub formula: Formula,
    /// The relation in the head; `None` for the contradiction, which should not be derived.
    pub to: Option<End>,
}

/// A solution of clauses that derive no contradiction: a formula for each relation, such that all clauses
/// hold. It mentions only the constants that are given for the relation.
///
/// `None` if Spacer does not find it with so many ticks. Its user has to check that it serves the purpose.
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
        // A process that counts no work has a fault, just like one that crashes.
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

/// The interpretation of machine integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Bit-vectors: exact.
    BitVectors,
    /// Unbounded integers: not exact, so the result may be of no use.
    Integers,
    /// Unbounded integers, where a result that is too large for its type counts as a contradiction.
    FittingIntegers,
    /// Unbounded integers that wrap around in linear operations: nearly exact, but harder.
    WrappingIntegers,
}

impl Arithmetic {
    /// The counterparts of constants. Constants of types without a counterpart are left out.
    fn constants(self, constants: &[Constant]) -> Vec<Dynamic> {
        let constants = constants.iter().map(Constant::dynamic);
        match self {
            Arithmetic::BitVectors => constants.collect(),
            _ => constants.filter_map(|constant| linear::counterpart(&constant)).collect(),
        }
    }

    /// A translated formula with translated terms.
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

/// A Horn-clause solver that keeps all relations.
fn spacer(arithmetic: Arithmetic, steps: u64) -> z3::Fixedpoint {
    let engine = z3::Fixedpoint::new();
    // A time limit would need another thread, which a forked process does not have.
    let mut params = params(steps);
    params.set_symbol("engine", "spacer");
    // These options would remove the relations whose formulas are wanted.
    for option in ["xform.inline_eager", "xform.inline_linear", "xform.slice"] {
        params.set_bool(option, false);
    }
    // Without this option Spacer gets lost in single iterations of loops. It supports linear arithmetic only.
    params.set_bool("spacer.global", arithmetic != Arithmetic::BitVectors);
    engine.set_params(&params);
    engine
}

/// A formula for each relation, if they are found; and the steps of work that Spacer counted.
fn solve(
    relations: &[Vec<Constant>],
    clauses: &[Clause],
    arithmetic: Arithmetic,
    steps: u64,
) -> (Option<Vec<Bool>>, u64) {
    let engine = spacer(arithmetic, steps);
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

/// Placeholders for the constants of a relation. Their names are the same in every text.
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
        // Each formula is the second operand of an equivalence, so that none disappears.
        solver.assert(Bool::new_const(format!("{RELATION}{index}")).iff(formula));
    }
    solver.to_string()
}

/// The formulas of a text, over the constants of the relations.
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

/// For each cut, the constants that formulas on both sides mention.
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

/// Adds a rule, universally quantified over its constants.
fn add_rule(engine: &z3::Fixedpoint, rule: &Bool) {
    let constants = constants_of(&Dynamic::from_ast(rule));
    if constants.is_empty() {
        engine.add_rule(rule, None);
        return;
    }
    let bounds: Vec<&dyn Ast> = constants.iter().map(|constant| constant as &dyn Ast).collect();
    engine.add_rule(&z3::ast::forall_const(&bounds, &[], rule), None);
}

/// The uninterpreted constants of a term, without relations.
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
