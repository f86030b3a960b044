//! Branches that were not taken, and what they would have set.

use crate::execution::{Executed, Place, Read};
use beeline_graph::{EffectMap, Graph, Postdominators};
use beeline_ir::{EdgeId, LocId, Op, Program, RegionId, VarId};
use beeline_run::RunStep;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A target of assignments in a branch: a variable, or memory of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Variable(VarId),
    Memory(RegionId),
}

impl From<Place> for Kind {
    fn from(place: Place) -> Kind {
        match place {
            Place::Global(var) | Place::Local(var, _) => Kind::Variable(var),
            Place::Cell(region, _) => Kind::Memory(region),
        }
    }
}

/// The assignments on branches that an execution did not take.
pub(crate) struct Untaken<'a> {
    program: &'a Program,
    executed: &'a Executed,
    graph: Graph<'a>,
    effects: EffectMap,
    postdominators: Postdominators<'a>,
    /// What the other branches may set, by the edge that was taken.
    set: FxHashMap<EdgeId, Rc<FxHashSet<Kind>>>,
    /// The branches that may set something, in their order.
    branches: FxHashMap<Kind, Vec<usize>>,
}

impl<'a> Untaken<'a> {
    pub(crate) fn new(program: &'a Program, executed: &'a Executed) -> Untaken<'a> {
        let graph = Graph::new(program);
        Untaken {
            program,
            executed,
            effects: EffectMap::new(&graph),
            graph,
            postdominators: Postdominators::new(program),
            set: FxHashMap::default(),
            branches: FxHashMap::default(),
        }
    }

    /// The branches that decided that a place is not set again: those since it was set, if it was, until a
    /// step reads it.
    pub(crate) fn decisions(&mut self, read: &Read, reader: usize) -> Vec<usize> {
        let kind = Kind::from(read.place);
        if !self.branches.contains_key(&kind) {
            let steps = 0..self.executed.steps.len();
            let found = steps.filter(|&index| self.may_set(index, kind)).collect();
            self.branches.insert(kind, found);
        }
        let is_local = matches!(read.place, Place::Local(..));
        let depth = self.executed.steps[reader].depth;
        let between = |index: &&usize| read.writer.is_none_or(|writer| writer < **index) && **index < reader;
        // In between, the calls at the depth of the reader are its own.
        let visible = |index: &&usize| !is_local || self.executed.steps[**index].depth == depth;
        self.branches[&kind].iter().filter(between).filter(visible).copied().collect()
    }

    /// Whether a step is a branch whose other edges may lead to an assignment of something.
    fn may_set(&mut self, index: usize, kind: Kind) -> bool {
        let step = &self.executed.steps[index];
        let edge = step.edge();
        let from = self.program.edges[edge].src;
        if matches!(step.step, RunStep::Return(_)) || self.program.out_edges(from).len() < 2 {
            return false;
        }
        let set = match self.set.get(&edge) {
            Some(set) => Rc::clone(set),
            None => {
                let set = Rc::new(self.of_other_ways(edge, from));
                self.set.insert(edge, Rc::clone(&set));
                set
            }
        };
        set.contains(&kind)
    }

    /// What may be set on the other branches from a location until they join the one that was taken.
    fn of_other_ways(&mut self, taken: EdgeId, from: LocId) -> FxHashSet<Kind> {
        let program = self.program;
        let meeting = self.postdominators.of(from);
        let mut set = FxHashSet::default();
        let mut seen = FxHashSet::from_iter([from]);
        let mut open: Vec<EdgeId> = program.out_edges(from).filter(|edge| *edge != taken).collect();
        while let Some(edge) = open.pop() {
            let edge_data = &program.edges[edge];
            self.add_effects(edge, &mut set);
            if Some(edge_data.dst) != meeting && seen.insert(edge_data.dst) {
                open.extend(program.out_edges(edge_data.dst));
            }
        }
        set
    }

    /// Adds what an edge may set, with the functions that it calls.
    fn add_effects(&self, edge: EdgeId, set: &mut FxHashSet<Kind>) {
        let op = &self.program.edges[edge].op;
        set.extend(op.writes().into_iter().map(Kind::Variable));
        if let Op::Store { region, .. } | Op::HavocRegion(region) = *op {
            set.insert(Kind::Memory(region));
        }
        for callee in self.graph.callees(edge) {
            let effects = self.effects.of(&self.graph, *callee);
            set.extend(effects.writes.iter().copied().map(Kind::Variable));
            set.extend(effects.region_writes.iter().copied().map(Kind::Memory));
        }
    }
}
