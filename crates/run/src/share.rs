//! The share of a program that a residual condition shows, and what blocks the remainder, as readable text.
//!
//! A location is open if edges, with those of calls and returns, lead to it from an open state. Other
//! locations are shown: an execution there reaches no target of the residual condition. That is coarser than
//! the residual condition, which distinguishes paths to one location.

use crate::reason::Reason;
use crate::rest::RunRest;
use beeline_ir::{LocId, Op, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A number of shown items out of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The number of shown items.
    pub shown: usize,
    /// The number of all items.
    pub all: usize,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.shown, self.all)
    }
}

/// A location with open states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPart {
    /// The location.
    pub loc: LocId,
    /// The reason why states are open there.
    pub reason: Reason,
    /// The number of open states there.
    pub states: usize,
    /// The number of locations that are open because of it.
    pub holds_up: usize,
}

/// The greatest number of open places in the text.
const OPEN_TOLD: usize = 3;

/// The share of a program that a residual condition shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Locations from which edges lead to a target.
    pub locations: Part,
    /// Branches: conditions at edges from one of these locations.
    pub branches: Part,
    /// Targets of the residual condition.
    pub targets: Part,
    /// The open places, those that block most locations first.
    pub open: Vec<OpenPart>,
}

impl Share {
    /// The share of a residual condition of the program.
    pub fn of(program: &Program, rest: &RunRest) -> Share {
        let mut parts: BTreeMap<LocId, OpenPart> = BTreeMap::new();
        let mut begins: BTreeMap<LocId, BTreeSet<LocId>> = BTreeMap::new();
        for open in &rest.open {
            let state = &rest.graph.states[open.state as usize];
            let part = OpenPart { loc: state.loc, reason: open.reason.clone(), states: 0, holds_up: 0 };
            parts.entry(state.loc).or_insert(part).states += 1;
            begins.entry(state.loc).or_default().extend(self::begins(program, rest, open.state));
        }
        for (loc, part) in &mut parts {
            part.holds_up = ahead(program, begins[loc].iter().copied()).len();
        }
        let open = ahead(program, begins.into_values().flatten());
        let near = before(program, &rest.targets);
        let part = |of: &dyn Fn(LocId) -> bool| Part {
            shown: near.iter().filter(|&&loc| of(loc) && !open.contains(&loc)).count(),
            all: near.iter().filter(|&&loc| of(loc)).count(),
        };
        let branches = |loc: LocId| program.out_edges(loc).count() > 1;
        let mut parts: Vec<OpenPart> = parts.into_values().collect();
        parts.sort_by_key(|part| (std::cmp::Reverse(part.holds_up), part.loc));
        Share {
            locations: part(&|_| true),
            branches: part(&branches),
            targets: part(&|loc| rest.targets.contains(&loc)),
            open: parts,
        }
    }

    /// What is shown, and what blocks most of the remainder, in a few lines.
    pub fn told(&self, program: &Program) -> String {
        let Share { locations, branches, targets, open } = self;
        let mut text = format!("verified: {locations} locations, {branches} branches, {targets} targets\n");
        for open in open.iter().take(OPEN_TOLD) {
            text.push_str(&format!("open: {} ({})\n", place(program, open.loc), open.reason));
        }
        let others = open.len().saturating_sub(OPEN_TOLD);
        if others > 0 {
            text.push_str(&format!("open: {others} more places\n"));
        }
        text
    }
}

/// A location as readable text: its line and function, or the call of a function without lines, such as one
/// of the library.
pub fn place(program: &Program, loc: LocId) -> String {
    let func = program.function_of(loc);
    let function = program.source_function(func);
    let span = program.out_edges(loc).find_map(|edge| program.edges[edge].span);
    match (span, program.callers(func).first()) {
        (Some(span), _) => format!("{} in {function}", program.show_span(span)),
        (None, Some(caller)) => format!("callees at {}", program.show_span(*caller)),
        (None, None) => format!("{} in {function}", program.label(loc)),
    }
}

/// The number of locations that are reachable from an open state.
pub(crate) fn locations_ahead(program: &Program, rest: &RunRest, state: u32) -> usize {
    ahead(program, begins(program, rest, state)).len()
}

/// The locations where executions continue from an open state: its own, and those after the open calls.
fn begins(program: &Program, rest: &RunRest, state: u32) -> BTreeSet<LocId> {
    let state = &rest.graph.states[state as usize];
    let mut found = BTreeSet::from([state.loc]);
    let mut next = rest.graph.stacks.get(state.stack as usize).and_then(|stack| stack.caller);
    while let Some((below, call)) = next {
        found.extend(program.edges.get(call).map(|edge| edge.dst));
        next = rest.graph.stacks.get(below as usize).and_then(|stack| stack.caller);
    }
    found
}

/// The locations that are reachable along edges and calls.
pub(crate) fn ahead(program: &Program, from: impl IntoIterator<Item = LocId>) -> BTreeSet<LocId> {
    let mut found = BTreeSet::new();
    let mut work: Vec<LocId> =
        from.into_iter().filter(|loc| (loc.as_u32() as usize) < program.num_locs()).collect();
    while let Some(loc) = work.pop() {
        if !found.insert(loc) {
            continue;
        }
        for edge in program.out_edges(loc) {
            let edge = &program.edges[edge];
            work.push(edge.dst);
            if let Op::Call(call) = &edge.op {
                work.extend(call.callee.functions().iter().map(|&callee| program.functions[callee].entry()));
            }
        }
    }
    found
}

/// The locations from which edges, calls and returns lead to some given ones.
pub(crate) fn before(program: &Program, to: &[LocId]) -> BTreeSet<LocId> {
    let mut found: BTreeSet<LocId> = BTreeSet::new();
    let mut incoming: BTreeMap<LocId, Vec<LocId>> = BTreeMap::new();
    for edge in program.edges.values() {
        incoming.entry(edge.dst).or_default().push(edge.src);
        if let Op::Call(call) = &edge.op {
            for &callee in call.callee.functions() {
                incoming.entry(program.functions[callee].entry()).or_default().push(edge.src);
                incoming.entry(edge.dst).or_default().push(program.functions[callee].exit);
            }
        }
    }
    let mut work: Vec<LocId> = to.to_vec();
    while let Some(loc) = work.pop() {
        if found.insert(loc) {
            work.extend(incoming.get(&loc).into_iter().flatten());
        }
    }
    found
}
