//! k-induction over loops of an unrolling: what is havocked at their heads, and which steps are followed.
//!
//! For `k` iterations a loop is as in the program. Where it goes back to its head for the `k`-th time,
//! everything that it may write is havocked, so that the state there stands for every time that the head is
//! reached. Then `k` iterations follow that are *assumed*: they are not checked, and none leaves the loop.
//! The iteration after these is the *last* one. `ir-spec/proofs.md` says why that suffices.

use crate::frame::{Frames, Written};
use crate::turns::Turns;
use beeline_ir::{LocId, Op, Program};
use beeline_run::RunInduction;
use rustc_hash::FxHashMap;

/// The loops of an unrolling that are proved by induction.
#[derive(Debug, Default)]
pub(crate) struct Inductions {
    /// The inductions by head.
    of: FxHashMap<LocId, Induction>,
}

#[derive(Debug)]
struct Induction {
    turns: u32,
    written: Written,
}

impl Induction {
    fn assumes(&self, count: u32) -> bool {
        (self.turns..2 * self.turns).contains(&count)
    }
}

impl Inductions {
    /// The inductions that a proof names, if they are about loops of the program that are entered only at
    /// their heads.
    pub(crate) fn new(
        program: &Program,
        turns: &Turns,
        named: &[RunInduction],
    ) -> Result<Inductions, String> {
        let mut of = FxHashMap::default();
        if named.is_empty() {
            return Ok(Inductions { of });
        }
        let frames = Frames::new(program);
        for &RunInduction { head, turns: count } in named {
            let is_head =
                (head.as_u32() as usize) < program.num_locs() && turns.around(head).last() == Some(&head);
            if !is_head || !is_entered_at(program, turns, head) {
                return Err("an induction is not about a loop with a single entry".into());
            }
            if count == 0 || count > RunInduction::MOST_TURNS {
                return Err(format!("an induction over {count} iterations is not valid"));
            }
            let written = written(program, turns, &frames, head);
            if of.insert(head, Induction { turns: count, written }).is_some() {
                return Err("a loop has two inductions".into());
            }
        }
        Ok(Inductions { of })
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
