//! Reachability of targets by edges alone, whatever their conditions are.
//!
//! Where no target can be reached, a proof need not follow an execution any further. Like the search of
//! `block`, this module is written for the checker alone: an error in `beeline-graph`, which the engine
//! relies on, must not be repeated here.

use crate::place::{Place, Stacks};
use beeline_ir::{LocId, Op, Program};
use std::collections::BTreeSet;

/// The locations that lead to targets and exits.
#[derive(Debug)]
pub(crate) struct Reach {
    /// Whether a location leads to a target before its function returns.
    target: Vec<bool>,
    /// Whether a location leads to the exit of its function.
    exit: Vec<bool>,
    /// For each function, whether a call of it may return to where a target can still be reached.
    returns: Vec<bool>,
}

impl Reach {
    /// The reachability of some targets in a whole program.
    pub(crate) fn new(program: &Program, targets: &BTreeSet<LocId>) -> Reach {
        let mut backward = Backward::new(program);
        let exits = program.functions.values().map(|function| function.exit);
        let exit = backward.closure(exits.collect(), &[]);
        let target = backward.closure(targets.iter().copied().collect(), &exit);
        let mut reach = Reach { target, exit, returns: vec![false; program.functions.len()] };
        while reach.find_returns(program) {}
        reach
    }

    /// Checks all calls once more. Returns whether anything was found.
    fn find_returns(&mut self, program: &Program) -> bool {
        let mut found = false;
        for edge in program.edges.values() {
            let callees = edge.op.as_call().map_or(&[][..], |call| call.callee.functions());
            if callees.is_empty() || !self.in_context(program, edge.dst) {
                continue;
            }
            for &callee in callees {
                found |= !std::mem::replace(&mut self.returns[callee.as_u32() as usize], true);
            }
        }
        found
    }

    /// Whether a target can be reached from a location for some caller of its function.
    pub(crate) fn in_context(&self, program: &Program, loc: LocId) -> bool {
        let (index, func) = (loc.as_u32() as usize, program.function_of(loc));
        self.target[index] || self.exit[index] && self.returns[func.as_u32() as usize]
    }

    /// Whether a target can be reached from the place.
    pub(crate) fn target(&self, program: &Program, stacks: &Stacks, place: Place) -> bool {
        let mut place = place;
        loop {
            let index = place.loc.as_u32() as usize;
            if self.target[index] {
                return true;
            }
            match stacks.top(place.stack).caller {
                Some((stack, call)) if self.exit[index] => {
                    place = Place { loc: program.edges[call].dst, stack };
                }
                None if stacks.are_contexts() => return self.in_context(program, place.loc),
                _ => return false,
            }
        }
    }
}

/// A backward search along edges.
struct Backward<'a> {
    program: &'a Program,
    incoming: beeline_ir::InEdges,
    /// For each function, the edges that may call it.
    calls: Vec<Vec<beeline_ir::EdgeId>>,
}

impl<'a> Backward<'a> {
    fn new(program: &'a Program) -> Backward<'a> {
        let mut calls = vec![Vec::new(); program.functions.len()];
        for (id, edge) in program.edges.iter() {
            for &callee in edge.op.as_call().map_or(&[][..], |call| call.callee.functions()) {
                calls[callee.as_u32() as usize].push(id);
            }
        }
        Backward { program, incoming: program.in_edges(), calls }
    }

    /// The locations from which one of the given ones can be reached.
    ///
    /// `returning` says from which locations exits are reached, so that calls can be passed. Without it, the
    /// search is for exits: a call is passed when its callee's entry is found, and nothing leads into a
    /// callee. With it, what a callee reaches counts for the call.
    fn closure(&mut self, start: Vec<LocId>, returning: &[bool]) -> Vec<bool> {
        let program = self.program;
        let mut found = vec![false; program.num_locs()];
        let mut work = start;
        let into_calls = !returning.is_empty();
        while let Some(loc) = work.pop() {
            if std::mem::replace(&mut found[loc.as_u32() as usize], true) {
                continue;
            }
            for &edge in self.incoming.of(loc) {
                if self.passes(edge, if into_calls { returning } else { &found }) {
                    work.push(program.edges[edge].src);
                }
            }
            let func = program.function_of(loc);
            if loc == program.functions[func].entry() {
                for &call in &self.calls[func.as_u32() as usize] {
                    let edge = &program.edges[call];
                    if into_calls || found[edge.dst.as_u32() as usize] {
                        work.push(edge.src);
                    }
                }
            }
        }
        found
    }

    /// Whether an execution can reach the end of the edge.
    fn passes(&self, edge: beeline_ir::EdgeId, returning: &[bool]) -> bool {
        let Op::Call(call) = &self.program.edges[edge].op else { return true };
        let entry = |func| self.program.functions[func].entry().as_u32() as usize;
        call.callee.functions().iter().any(|&func| returning[entry(func)])
    }
}
