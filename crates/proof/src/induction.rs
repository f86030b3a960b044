//! k-induction over loops of an unrolling: what is havocked at their heads, and which steps are followed.
//!
//! For `k` iterations a loop is as in the program. Where it goes back to its head for the `k`-th time,
//! everything that it may write is havocked, so that the state there stands for every time that the head is
//! reached. Then `k` iterations follow that are *assumed*: they are not checked, and none leaves the loop.
//! The iteration after these is the *last* one. `ir-spec/proofs.md` says why that suffices.
//!
//! What is havocked may be restricted by invariants, which relate it to what it was where the loop was entered. They have to
//! hold there, after each of the first `k` iterations, and after the first one that is assumed.

use crate::frame::{Frames, Written};
use crate::turns::Turns;
use beeline_ir::{Expr, ExprId, ExprPool, LocId, Op, Program, Type, VarId};
use beeline_run::{ANY_VALUE, AT_ENTRY, Predicates, RunInduction, RunInvariants, RunUnrolling};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The loops of an unrolling that are proved by induction.
#[derive(Debug, Default)]
pub(crate) struct Inductions {
    /// The inductions by head.
    of: FxHashMap<LocId, Induction>,
    /// The expressions of the invariants.
    pool: ExprPool,
    /// The variable that each variable of the expressions stands for, and whether it is a ghost.
    slots: Vec<(VarId, u32)>,
}

#[derive(Debug)]
struct Induction {
    turns: u32,
    written: Written,
    invariants: Vec<ExprId>,
}

/// The invariants of a loop.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Invariants<'i> {
    /// The expressions.
    pub pool: &'i ExprPool,
    /// The variable that each variable of the expressions stands for, at the level [`AT_ENTRY`] as a ghost: what it held
    /// where the loop was entered; at the level [`ANY_VALUE`] any value.
    pub slots: &'i [(VarId, u32)],
    /// The invariants.
    pub list: &'i [ExprId],
}

impl Induction {
    fn assumes(&self, count: u32) -> bool {
        (self.turns..2 * self.turns).contains(&count)
    }
}

impl Inductions {
    /// The inductions that a proof names, if they are about loops of the program that are entered only at
    /// their heads.
    pub(crate) fn new(program: &Program, turns: &Turns, proof: &RunUnrolling) -> Result<Inductions, String> {
        let mut of = FxHashMap::default();
        if proof.inductions.is_empty() && proof.invariants.list.is_empty() {
            return Ok(Inductions::default());
        }
        let frames = Frames::new(program);
        for &RunInduction { head, turns: count } in &proof.inductions {
            let is_head =
                (head.as_u32() as usize) < program.num_locs() && turns.around(head).last() == Some(&head);
            if !is_head || !is_entered_at(program, turns, head) {
                return Err("an induction is not about a loop with a single entry".into());
            }
            if count == 0 || count > RunInduction::MOST_TURNS {
                return Err(format!("an induction over {count} iterations is not valid"));
            }
            let written = written(program, turns, &frames, head);
            let induction = Induction { turns: count, written, invariants: Vec::new() };
            if of.insert(head, induction).is_some() {
                return Err("a loop has two inductions".into());
            }
        }
        let mut inductions = Inductions { of, ..Inductions::default() };
        inductions.add_invariants(program, &proof.invariants)?;
        Ok(inductions)
    }

    /// Adds the invariants, if each is of a loop that is proved by induction, and about variables of its function and
    /// globals alone.
    fn add_invariants(&mut self, program: &Program, invariants: &RunInvariants) -> Result<(), String> {
        let Predicates { pool, slots, exprs } = invariants.over(program)?;
        for (invariant, expr) in invariants.list.iter().zip(exprs) {
            let Some(induction) = self.of.get_mut(&invariant.head) else {
                return Err("an invariant is not of a loop that is proved by induction".into());
            };
            let func = program.function_of(invariant.head);
            let is_there = |&(var, level): &(VarId, u32)| {
                level == ANY_VALUE
                    || program.vars[var].owner.is_none_or(|owner| owner == func)
                        && (level == 0 || level == AT_ENTRY)
            };
            let read = pool.parts([expr]).filter_map(|(_, node)| match node {
                Expr::Var(var) => Some(slots[var.as_u32() as usize]),
                _ => None,
            });
            let read: Vec<(VarId, u32)> = read.collect();
            if !read.iter().all(is_there) {
                return Err("an invariant is about variables that its loop does not see".into());
            }
            let any = read.iter().filter(|(_, level)| *level == ANY_VALUE);
            let types: BTreeSet<Type> = any.map(|(var, _)| program.vars[*var].ty).collect();
            if types.len() > 1 {
                return Err("an invariant is about any values of two types".into());
            }
            induction.invariants.push(expr);
        }
        (self.pool, self.slots) = (pool, slots);
        Ok(())
    }

    /// The invariants of a loop.
    pub(crate) fn invariants(&self, head: LocId) -> Option<Invariants<'_>> {
        let list = &self.of.get(&head)?.invariants[..];
        (!list.is_empty()).then_some(Invariants { pool: &self.pool, slots: &self.slots, list })
    }

    /// Whether the invariants of a loop have to hold at its head, given the counts of the loops around it: up to the end of
    /// the first iteration that is assumed.
    pub(crate) fn claims(&self, loc: LocId, counts: &[u32]) -> bool {
        let within = |induction: &Induction| counts.last().is_some_and(|&count| count <= induction.turns + 1);
        self.of.get(&loc).is_some_and(within)
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// What is havocked at a location, given the counts of the loops around it.
    pub(crate) fn forgets(&self, loc: LocId, counts: &[u32]) -> Option<&Written> {
        let induction = self.of.get(&loc)?;
        (counts.last() == Some(&induction.turns)).then_some(&induction.written)
    }

    /// Whether one of the loops around is in an assumed iteration.
    pub(crate) fn assume(&self, around: &[LocId], counts: &[u32]) -> bool {
        around.iter().zip(counts).any(|(head, &count)| self.assumes(*head, count))
    }

    /// Whether a step is followed from a location inside of some loops, with these counts, to one inside of
    /// others.
    pub(crate) fn follow(&self, from: (&[LocId], &[u32]), to: (&[LocId], &[u32])) -> bool {
        let leaves = from
            .0
            .iter()
            .zip(from.1)
            .enumerate()
            .any(|(depth, (head, &count))| self.assumes(*head, count) && to.0.get(depth) != Some(head));
        let is_over = |(head, &count): (&LocId, &u32)| {
            self.of.get(head).is_some_and(|induction| count > 2 * induction.turns)
        };
        !leaves && !to.0.iter().zip(to.1).any(is_over)
    }

    fn assumes(&self, head: LocId, count: u32) -> bool {
        self.of.get(&head).is_some_and(|induction| induction.assumes(count))
    }
}

/// Whether the loop is entered only at its head.
fn is_entered_at(program: &Program, turns: &Turns, head: LocId) -> bool {
    let is_inside = |loc: LocId| turns.around(loc).contains(&head);
    let begins =
        program.functions.values().any(|function| is_inside(function.entry()) && function.entry() != head);
    let enters = |dst: LocId, src: LocId| dst != head && is_inside(dst) && !is_inside(src);
    !begins && !program.edges.values().any(|edge| enters(edge.dst, edge.src))
}

/// What an iteration of the loop may write, including the functions it calls.
fn written(program: &Program, turns: &Turns, frames: &Frames, head: LocId) -> Written {
    let mut written = Written::default();
    for edge in program.edges.values().filter(|edge| turns.around(edge.src).contains(&head)) {
        written.vars.extend(edge.op.writes());
        match &edge.op {
            Op::Store { region, .. } | Op::HavocRegion(region) => {
                written.regions.insert(*region);
            }
            Op::Call(call) => {
                for &callee in call.callee.functions() {
                    let Written { vars, regions } = frames.written(callee);
                    written.vars.extend(vars);
                    written.regions.extend(regions);
                }
            }
            _ => {}
        }
    }
    written
}
