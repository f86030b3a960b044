//! The parts into which a function is divided: itself, and each of its loops that becomes a function.
//!
//! A loop becomes one if it is entered at its head only. Its parent is the innermost loop around it that becomes one,
//! or else the function. A location from which neither a loop nor the end of the function is reachable, such as a
//! target, would be outside of all loops and an exit of those that lead there; instead it belongs to the innermost part
//! around everything that leads there.

use crate::depth_first::DepthFirst;
use crate::liveness::{Liveness, edges_of, locals_read};
use crate::loops::{LoopId, Loops};
use beeline_ir::{FuncId, InEdges, LocId, Program, VarId};
use cranelift_entity::EntityRef;
use std::collections::{BTreeMap, BTreeSet};

/// The unit that is the function itself.
pub(super) const FUNCTION: usize = 0;

/// An exit of a loop.
#[derive(Debug)]
pub(super) struct WayOut {
    /// Its destination, in the original program.
    pub to: LocId,
    /// The returned values: variables that the loop writes and that may be read there.
    pub vars: Vec<VarId>,
}

#[derive(Debug)]
struct Unit {
    parent: usize,
    /// The head of the loop; the entry, for the function itself.
    head: LocId,
    /// The variables of the function that are mentioned in it or in what is inside of it, and those written there.
    mentioned: BTreeSet<VarId>,
    written: BTreeSet<VarId>,
    params: Vec<VarId>,
    ways_out: Vec<WayOut>,
}

/// The units of a function, each after the one around it.
#[derive(Debug)]
pub(super) struct Units {
    start: usize,
    list: Vec<Unit>,
    /// The unit of each location, counted from the function's first.
    of: Vec<usize>,
}

impl Units {
    /// A function that is not divided.
    pub(super) fn none(program: &Program, func: FuncId) -> Units {
        let function = &program.functions[func];
        let unit = Unit {
            parent: FUNCTION,
            head: function.entry(),
            mentioned: BTreeSet::new(),
            written: BTreeSet::new(),
            params: Vec::new(),
            ways_out: Vec::new(),
        };
        Units { start: function.entry().index(), list: vec![unit], of: vec![FUNCTION; function.locs.len()] }
    }

    /// Divides a function.
    pub(super) fn new(program: &Program, func: FuncId, incoming: &InEdges) -> Units {
        let mut units = Units::none(program, func);
        let loops = Loops::new(program, func);
        if loops.is_empty() {
            return units;
        }
        let barred = entered_elsewhere(program, func, &loops);
        let mut unit_of: BTreeMap<LoopId, usize> = BTreeMap::new();
        // Outer loops come before inner ones.
        for (id, found) in loops.iter() {
            let parent = found.parent.map_or(FUNCTION, |parent| unit_of[&parent]);
            let unit = if barred.contains(&id) { parent } else { units.push(parent, found.head) };
            unit_of.insert(id, unit);
        }
        if units.len() == 1 {
            return units;
        }
        for loc in program.functions[func].locations() {
            units.of[loc.index() - units.start] = loops.innermost(loc).map_or(FUNCTION, |id| unit_of[&id]);
        }
        units.take_in_ends(program, func, &loops, incoming);
        units.use_variables(program, func);
        units.find_ways_out(program, func, incoming);
        units
    }

    fn push(&mut self, parent: usize, head: LocId) -> usize {
        let (mentioned, written) = (BTreeSet::new(), BTreeSet::new());
        let (params, ways_out) = (Vec::new(), Vec::new());
        self.list.push(Unit { parent, head, mentioned, written, params, ways_out });
        self.list.len() - 1
    }

    /// The number of units.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The loops among them.
    pub(super) fn loops(&self) -> std::ops::Range<usize> {
        FUNCTION + 1..self.list.len()
    }

    /// The unit that a location is in.
    pub(super) fn of(&self, loc: LocId) -> usize {
        self.of[loc.index() - self.start]
    }

    /// The unit around a loop.
    pub(super) fn parent(&self, unit: usize) -> usize {
        self.list[unit].parent
    }

    /// The head of a loop.
    pub(super) fn head(&self, unit: usize) -> LocId {
        self.list[unit].head
    }

    /// The variables that become parameters of a loop.
    pub(super) fn params(&self, unit: usize) -> &[VarId] {
        &self.list[unit].params
    }

    /// The exits of a loop.
    pub(super) fn ways_out(&self, unit: usize) -> &[WayOut] {
        &self.list[unit].ways_out
    }

    /// Whether a unit is another one, or inside of it.
    pub(super) fn is_within(&self, inner: usize, outer: usize) -> bool {
        self.around(inner).any(|unit| unit == outer)
    }

    /// A unit and those around it, the function last.
    fn around(&self, unit: usize) -> impl Iterator<Item = usize> {
        let parent = |&unit: &usize| (unit != FUNCTION).then(|| self.list[unit].parent);
        std::iter::successors(Some(unit), parent)
    }

    /// Moves what leads neither into a loop nor to the exit to the innermost unit around everything that leads there.
    fn take_in_ends(&mut self, program: &Program, func: FuncId, loops: &Loops, incoming: &InEdges) {
        let function = &program.functions[func];
        let mut goes_on = vec![false; function.locs.len()];
        let in_loop = function.locations().filter(|&loc| loops.innermost(loc).is_some());
        let mut waiting: Vec<LocId> = in_loop.chain([function.exit]).collect();
        while let Some(loc) = waiting.pop() {
            if !std::mem::replace(&mut goes_on[loc.index() - self.start], true) {
                waiting.extend(incoming.of(loc).iter().map(|&edge| program.edges[edge].src));
            }
        }
        let order = DepthFirst::new(function.locs.len(), [0], |node| {
            let edges = program.out_edges(LocId::new(self.start + node));
            edges.map(|edge| program.edges[edge].dst.index() - self.start).collect::<Vec<_>>()
        });
        // No loop is among them: what leads to each comes before it. What is never reached stays in the function.
        for node in order.reverse_post_order().filter(|&node| !goes_on[node]) {
            let sources = incoming.of(LocId::new(self.start + node)).iter();
            let sources = sources.map(|&edge| self.of(program.edges[edge].src));
            self.of[node] = sources.reduce(|a, b| self.common(a, b)).unwrap_or(FUNCTION);
        }
    }

    /// The innermost unit around two.
    fn common(&self, a: usize, b: usize) -> usize {
        self.around(a).find(|&unit| self.is_within(b, unit)).unwrap_or(FUNCTION)
    }

    fn use_variables(&mut self, program: &Program, func: FuncId) {
        for edge in edges_of(program, func) {
            let (unit, op) = (self.of(program.edges[edge].src), &program.edges[edge].op);
            self.list[unit].mentioned.extend(locals_read(program, op));
            for var in op.writes().into_iter().filter(|&var| program.vars[var].owner.is_some()) {
                self.list[unit].mentioned.insert(var);
                self.list[unit].written.insert(var);
            }
        }
        // Inner ones come after those around them.
        for unit in self.loops().rev() {
            let (mentioned, written) = (self.list[unit].mentioned.clone(), self.list[unit].written.clone());
            let parent = self.list[unit].parent;
            let around = &mut self.list[parent];
            around.mentioned.extend(mentioned);
            around.written.extend(written);
        }
    }

    fn find_ways_out(&mut self, program: &Program, func: FuncId, incoming: &InEdges) {
        let mut leads_to = vec![BTreeSet::new(); self.len()];
        for edge in edges_of(program, func) {
            let edge = &program.edges[edge];
            let to = self.of(edge.dst);
            for unit in self.around(self.of(edge.src)).take_while(|&unit| !self.is_within(to, unit)) {
                leads_to[unit].insert(edge.dst);
            }
        }
        let heads = self.loops().map(|unit| self.list[unit].head);
        let places: BTreeSet<LocId> = heads.chain(leads_to.iter().flatten().copied()).collect();
        let in_loops = self.list[FUNCTION + 1..].iter().flat_map(|unit| &unit.mentioned).copied().collect();
        let live = Liveness::new(program, func).at(program, incoming, &places, &in_loops);
        for (unit, leads_to) in leads_to.into_iter().enumerate().skip(FUNCTION + 1) {
            let unit = &mut self.list[unit];
            unit.params = unit.mentioned.intersection(&live[&unit.head]).copied().collect();
            let handed = |to: LocId| unit.written.intersection(&live[&to]).copied().collect();
            unit.ways_out = leads_to.into_iter().map(|to| WayOut { to, vars: handed(to) }).collect();
        }
    }
}

/// The loops that are entered elsewhere than at their heads.
fn entered_elsewhere(program: &Program, func: FuncId, loops: &Loops) -> BTreeSet<LoopId> {
    let function = &program.functions[func];
    let mut barred: BTreeSet<LoopId> =
        loops.iter().filter(|(_, found)| found.irreducible).map(|(id, _)| id).collect();
    let mut enter = |from: &[LoopId], to: LocId| {
        let entered = loops.around(to).filter(|id| !from.contains(id));
        barred.extend(entered.filter(|&id| loops.get(id).head != to));
    };
    enter(&[], function.entry());
    for edge in edges_of(program, func) {
        let edge = &program.edges[edge];
        if loops.innermost(edge.dst).is_some() {
            let from: Vec<LoopId> = loops.around(edge.src).collect();
            enter(&from, edge.dst);
        }
    }
    barred
}
