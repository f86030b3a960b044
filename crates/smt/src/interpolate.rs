//! Sequence interpolants through Spacer, Z3's engine for constrained Horn clauses.
//!
//! Z3 interpolates no more, but Spacer's proof that a chain of rules cannot derive a contradiction
//! holds one formula for each link.
#![allow(unsafe_code)] // Substitution for bound variables is missing from the safe bindings.

use crate::linear;
use crate::solver::Limits;
use crate::substitute::Constant;
use crate::term::Formula;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use z3::ast::{Ast, Bool, Dynamic};
use z3::{FuncDecl, SatResult, Sort};

/// What names of relations start with, and names of constants do not.
const RELATION: &str = "relation!";

/// For an unsatisfiable sequence of formulas, a formula for each of the cuts between them: each one
/// follows from the one before and the formula between them, and contradicts the rest. It mentions only
/// the constants listed for its cut, which have to be all that both sides share.
///
/// Nothing if Spacer does not find them in time; whoever uses them has to check that they serve.
pub fn interpolants(
    blocks: &[Formula],
    cuts: &[Vec<Constant>],
    arithmetic: Arithmetic,
    limits: &Limits,
    time: Duration,
) -> Option<Vec<Formula>> {
    debug_assert_eq!(blocks.len(), cuts.len() + 1);
    let start = Instant::now();
    let cuts = really_shared(blocks, cuts);
    let milliseconds = limits.milliseconds(time);
    let found = match arithmetic {
        Arithmetic::BitVectors => {
            let blocks: Vec<Bool> = blocks.iter().map(|block| block.z3()).collect();
            solve(&blocks, &cuts, milliseconds)
        }
        Arithmetic::Integers => {
            let blocks: Vec<Bool> = blocks.iter().map(|block| linear::relax(&block.z3())).collect();
            let cuts: Vec<Vec<Dynamic>> =
                cuts.iter().map(|cut| cut.iter().filter_map(linear::counterpart).collect()).collect();
            solve(&blocks, &cuts, milliseconds)
        }
    };
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
}

fn solve(blocks: &[Bool], cuts: &[Vec<Dynamic>], milliseconds: u32) -> Option<Vec<Formula>> {
    let engine = z3::Fixedpoint::new();
    let mut params = z3::Params::new();
    params.set_symbol("engine", "spacer");
    params.set_u32("timeout", milliseconds);
    // These would remove the relations whose formulas are wanted.
    for option in ["xform.inline_eager", "xform.inline_linear", "xform.slice"] {
        params.set_bool(option, false);
    }
    engine.set_params(&params);
    let relations: Vec<FuncDecl> = cuts
        .iter()
        .enumerate()
        .map(|(index, constants)| {
            let sorts: Vec<Sort> = constants.iter().map(Ast::get_sort).collect();
            FuncDecl::new(format!("{RELATION}{index}"), &sorts.iter().collect::<Vec<_>>(), &Sort::bool())
        })
        .collect();
    let contradiction = FuncDecl::new(format!("{RELATION}contradiction"), &[], &Sort::bool());
    relations.iter().chain([&contradiction]).for_each(|relation| engine.register_relation(relation));
    let apply = |relation: &FuncDecl, constants: &[Dynamic]| {
        let arguments: Vec<&dyn Ast> = constants.iter().map(|constant| constant as &dyn Ast).collect();
        relation.apply(&arguments).as_bool().expect("relations are truth values")
    };
    for (index, block) in blocks.iter().enumerate() {
        let mut body = vec![block.clone()];
        if index > 0 {
            body.insert(0, apply(&relations[index - 1], &cuts[index - 1]));
        }
        let head = match relations.get(index) {
            Some(relation) => apply(relation, &cuts[index]),
            None => apply(&contradiction, &[]),
        };
        add_rule(&engine, &Bool::and(&body).implies(&head));
    }
    let goal = apply(&contradiction, &[]);
    if engine.query(&goal) != SatResult::Unsat {
        return None;
    }
    relations
        .iter()
        .zip(cuts)
        .map(|(relation, constants)| {
            let cover = engine.get_cover_delta(-1, relation)?;
            Some(Formula::from(substitute_bound(&cover, constants)?))
        })
        .collect()
}

/// For each cut, those of its constants that formulas on both sides mention.
fn really_shared(blocks: &[Formula], cuts: &[Vec<Constant>]) -> Vec<Vec<Dynamic>> {
    let mut first: FxHashMap<Dynamic, usize> = FxHashMap::default();
    let mut last: FxHashMap<Dynamic, usize> = FxHashMap::default();
    for (index, block) in blocks.iter().enumerate() {
        for constant in constants_of(&block.dynamic()) {
            first.entry(constant.clone()).or_insert(index);
            last.insert(constant, index);
        }
    }
    let cuts = cuts.iter().enumerate().map(|(index, shared)| {
        let mut kept: Vec<Dynamic> = Vec::new();
        for constant in shared.iter().map(Constant::dynamic) {
            let before = first.get(&constant).is_some_and(|&first| first <= index);
            let behind = last.get(&constant).is_some_and(|&last| last > index);
            if before && behind && !kept.contains(&constant) {
                kept.push(constant);
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
    let mut found = BTreeMap::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![term.clone()];
    while let Some(term) = stack.pop() {
        if !term.is_app() || !seen.insert(term.clone()) {
            continue;
        }
        let name = term.decl().name();
        let relation = name.starts_with(RELATION);
        if term.is_const() && term.decl().kind() == z3::DeclKind::Uninterpreted && !relation {
            found.insert(term.to_string(), term);
            continue;
        }
        stack.extend(term.children());
    }
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
