//! Execution order through calls: what may run after what. A path that enters a function leaves it to where it came
//! from.
//!
//! Blocks are divided after each call. From a part, control may leave the active functions to any of their callers and
//! then enter others; a call that was entered and left is a step like any other.

use crate::analyse::cfg::{successors, terminator};
use crate::analyse::flow::candidates;
use crate::analyse::points_to::PointsTo;
use crate::analyse::scope::Scope;
use beeline_module::*;
use rustc_hash::FxHashMap;

/// A part of a block that ends with a call, or with the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Part(u32);

/// The parts of all functions, and how control goes from one to another.
#[derive(Debug, Default)]
pub(crate) struct Order {
    /// The part that an instruction is in.
    homes: FxHashMap<(FnId, InstId), Part>,
    entries: FxHashMap<FnId, Part>,
    /// The parts that end a function.
    ends: FxHashMap<FnId, Vec<Part>>,
    /// For each part: those that follow in the function.
    next: Vec<Vec<Part>>,
    /// For each part: the first parts of the functions that it calls.
    into: Vec<Vec<Part>>,
    /// For each part that ends a function: the parts after the calls of the function.
    out: Vec<Vec<Part>>,
}

impl Order {
    /// Divides the functions that are used.
    pub(crate) fn new(scope: Scope, points: &PointsTo) -> Order {
        let mut order = Order::default();
        let has_body = |id: &&FnId| {
            let function = &scope.module.functions[**id];
            !function.is_declaration() && !(scope.is_leaf)(&function.name)
        };
        let functions: Vec<FnId> = scope.reach.functions.iter().filter(has_body).copied().collect();
        for &id in &functions {
            order.divide(id, &scope.module.functions[id]);
        }
        for &id in &functions {
            for (inst, data) in scope.module.functions[id].insts.iter() {
                if let (InstKind::Call(call), Some(part)) = (&data.kind, order.home(id, inst)) {
                    order.call(part, &called(scope, points, id, call));
                }
            }
        }
        order
    }

    /// The part that an instruction is in, if that may run.
    pub(crate) fn home(&self, function: FnId, inst: InstId) -> Option<Part> {
        self.homes.get(&(function, inst)).copied()
    }

    /// The successors of a part in its function.
    pub(crate) fn behind(&self, part: Part) -> &[Part] {
        &self.next[part.0 as usize]
    }

    /// The parts after the calls of a function.
    pub(crate) fn behind_calls(&self, function: FnId) -> impl Iterator<Item = Part> + '_ {
        let ends = self.ends.get(&function).into_iter().flatten();
        ends.flat_map(|end| self.out[end.0 as usize].iter().copied())
    }

    /// The parts that may run from some parts on, these included.
    pub(crate) fn reachable(&self, from: impl IntoIterator<Item = Part>) -> Reachable {
        let mut reached = vec![false; self.next.len()];
        let active = self.close(&mut reached, from.into_iter().collect(), &self.out);
        let called = active.iter().flat_map(|part| &self.into[part.0 as usize]);
        self.close(&mut reached, called.copied().collect(), &self.into);
        Reachable(reached)
    }

    /// Adds parts and what is reachable from them within functions and by the additional steps; returns the new ones.
    fn close(&self, reached: &mut [bool], mut open: Vec<Part>, more: &[Vec<Part>]) -> Vec<Part> {
        let mut new = Vec::new();
        while let Some(part) = open.pop() {
            let index = part.0 as usize;
            if !std::mem::replace(&mut reached[index], true) {
                new.push(part);
                open.extend(self.next[index].iter().chain(&more[index]));
            }
        }
        new
    }

    fn add(&mut self) -> Part {
        self.next.push(Vec::new());
        self.into.push(Vec::new());
        self.out.push(Vec::new());
        Part(self.next.len() as u32 - 1)
    }

    fn divide(&mut self, id: FnId, function: &Function) {
        let mut bounds: FxHashMap<BlockId, (Part, Part)> = FxHashMap::default();
        for (block, data) in function.blocks.iter() {
            let first = self.add();
            let mut part = first;
            for &inst in &data.insts {
                self.homes.insert((id, inst), part);
                match function.insts[inst].kind {
                    InstKind::Call(_) => {
                        let rest = self.add();
                        self.next[part.0 as usize].push(rest);
                        part = rest;
                    }
                    InstKind::Ret(_) => self.ends.entry(id).or_default().push(part),
                    _ => {}
                }
            }
            self.entries.entry(id).or_insert(first);
            bounds.insert(block, (first, part));
        }
        for (block, (_, last)) in &bounds {
            let to = terminator(function, *block).map(successors).unwrap_or_default();
            self.next[last.0 as usize].extend(to.iter().map(|block| bounds[block].0));
        }
    }

    fn call(&mut self, part: Part, callees: &[FnId]) {
        let behind = self.next[part.0 as usize].clone();
        for callee in callees {
            self.into[part.0 as usize].extend(self.entries.get(callee));
            for end in self.ends.get(callee).into_iter().flatten() {
                self.out[end.0 as usize].extend(&behind);
            }
        }
    }
}

/// The parts that may run.
#[derive(Debug)]
pub(crate) struct Reachable(Vec<bool>);

impl Reachable {
    /// Whether a part may run.
    pub(crate) fn contains(&self, part: Part) -> bool {
        self.0[part.0 as usize]
    }
}

/// The functions that a call may enter.
fn called(scope: Scope, points: &PointsTo, id: FnId, call: &CallInst) -> Vec<FnId> {
    if call.asm.is_some() {
        return Vec::new();
    }
    let (mut functions, _) = candidates(scope, points, id, call);
    if functions.iter().any(|id| scope.reach.havoc.contains(id)) {
        functions.extend(&scope.reach.callbacks);
    }
    functions
}
