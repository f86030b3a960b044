//! What of a program is open still: the edges that an execution may take on its way to a target that has no answer.
//!
//! As long as rests say something of an execution, it is followed call by call, with its labels. From an open state on, it
//! may go wherever edges lead. What leads to no target then is not open either.

use crate::labels::{Automata, Labels, all_open};
use crate::parts::Remaining;
use crate::share::{ahead, before};
use beeline_ir::{EdgeId, FuncId, LocId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// More places with labels than this are not followed.
const MOST: usize = 4_000_000;

/// What is open of a program.
#[derive(Debug, Clone, Default)]
pub struct OpenEdges {
    /// The edges, those of calls among them.
    pub edges: FxHashSet<EdgeId>,
    /// The functions that are entered.
    pub functions: FxHashSet<FuncId>,
}

/// Why it cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what is open is told by too many steps to follow")]
pub struct TooMany;

impl OpenEdges {
    /// What a chain of rests, the first one first, leaves open of a program for these targets.
    pub fn of(
        program: &Program,
        rests: &[Remaining<'_>],
        targets: &BTreeSet<LocId>,
    ) -> Result<OpenEdges, TooMany> {
        let targets: Vec<LocId> = targets.iter().copied().collect();
        let near = before(program, &targets);
        let mut walk = Walk::new(program, rests, &near);
        walk.run()?;
        let mut open = walk.on_the_way();
        let behind = ahead(program, walk.begins.iter().copied());
        let is_open = |loc: &LocId| behind.contains(loc) && near.contains(loc);
        for (id, edge) in program.edges.iter().filter(|(_, edge)| is_open(&edge.src)) {
            let leads = |loc: LocId| near.contains(&loc);
            let callees = edge.op.as_call().map_or(&[][..], |call| call.callee.functions());
            if leads(edge.dst) || callees.iter().any(|&callee| leads(program.functions[callee].entry())) {
                open.edges.insert(id);
            }
        }
        let functions = program.functions.iter();
        let entered = functions.filter(|(_, function)| is_open(&function.entry())).map(|(id, _)| id);
        open.functions.extend(entered);
        Ok(open)
    }
}

/// Calls that are open, each combination once; the first is that of the entry function.
struct CallStrings {
    frames: Vec<(Option<(u32, EdgeId)>, FuncId)>,
    ids: FxHashMap<(u32, EdgeId, FuncId), u32>,
}

impl CallStrings {
    fn push(&mut self, below: u32, call: EdgeId, callee: FuncId) -> u32 {
        *self.ids.entry((below, call, callee)).or_insert_with(|| {
            self.frames.push((Some((below, call)), callee));
            self.frames.len() as u32 - 1
        })
    }
}

/// A place with labels of which not all are open.
type Place = (LocId, u32, Labels);

/// All ways along which rests say something.
struct Walk<'a> {
    program: &'a Program,
    near: &'a BTreeSet<LocId>,
    strings: CallStrings,
    automata: Automata<u32>,
    places: Vec<Place>,
    ids: FxHashMap<Place, usize>,
    /// For each place, where one comes from, and along which edge; that of a call for a return.
    from: Vec<Vec<(usize, EdgeId)>>,
    /// The places from which an edge leads to where all is open, and the edge.
    ends: Vec<(usize, EdgeId)>,
    /// Where all is open.
    begins: BTreeSet<LocId>,
}

impl<'a> Walk<'a> {
    fn new(program: &'a Program, rests: &[Remaining<'_>], near: &'a BTreeSet<LocId>) -> Walk<'a> {
        let mut strings = CallStrings { frames: vec![(None, program.entry)], ids: FxHashMap::default() };
        let automata =
            Automata::new(rests.iter().copied(), 0, |below, call, callee| strings.push(below, call, callee));
        Walk {
            program,
            near,
            strings,
            automata,
            places: Vec::new(),
            ids: FxHashMap::default(),
            from: Vec::new(),
            ends: Vec::new(),
            begins: BTreeSet::new(),
        }
    }

    fn run(&mut self) -> Result<(), TooMany> {
        let entry = self.program.functions[self.program.entry].entry();
        self.enter(None, (entry, 0, self.automata.first()));
        let mut next = 0;
        while next < self.places.len() {
            if self.places.len() > MOST {
                return Err(TooMany);
            }
            self.steps(next);
            next += 1;
        }
        Ok(())
    }

    /// All steps from a place.
    fn steps(&mut self, index: usize) {
        let program = self.program;
        let (loc, string, _) = self.places[index];
        let (caller, function) = self.strings.frames[string as usize];
        if loc == program.functions[function].exit {
            if let Some((below, call)) = caller {
                self.step(index, call, program.edges[call].dst, below);
            }
            return;
        }
        for edge in program.out_edges(loc) {
            match &program.edges[edge].op {
                Op::Call(call) => {
                    for &callee in call.callee.functions() {
                        let string = self.strings.push(string, edge, callee);
                        self.step(index, edge, program.functions[callee].entry(), string);
                    }
                }
                _ => self.step(index, edge, program.edges[edge].dst, string),
            }
        }
    }

    fn step(&mut self, from: usize, edge: EdgeId, loc: LocId, string: u32) {
        let labels = self.places[from].2.clone();
        if let Some(labels) = self.automata.step(&labels, loc, string) {
            self.enter(Some((from, edge)), (loc, string, labels));
        }
    }

    fn enter(&mut self, from: Option<(usize, EdgeId)>, place: Place) {
        if all_open(&place.2) {
            self.begin(from, place.0, place.1);
            return;
        }
        let next = self.places.len();
        let id = *self.ids.entry(place.clone()).or_insert(next);
        if id == next {
            self.places.push(place);
            self.from.push(Vec::new());
        }
        self.from[id].extend(from);
    }

    /// From here on, all is open: there, and behind the calls that are.
    fn begin(&mut self, from: Option<(usize, EdgeId)>, loc: LocId, string: u32) {
        if !self.near.contains(&loc) {
            return;
        }
        self.ends.extend(from);
        self.begins.insert(loc);
        let mut next = self.strings.frames[string as usize].0;
        while let Some((below, call)) = next {
            self.begins.insert(self.program.edges[call].dst);
            next = self.strings.frames[below as usize].0;
        }
    }

    /// What lies on the way to where all is open.
    fn on_the_way(&self) -> OpenEdges {
        let mut found = OpenEdges::default();
        let mut met = vec![false; self.places.len()];
        let mut work = self.ends.clone();
        while let Some((index, edge)) = work.pop() {
            found.edges.insert(edge);
            if !std::mem::replace(&mut met[index], true) {
                let (loc, string, _) = self.places[index];
                let function = self.strings.frames[string as usize].1;
                if loc == self.program.functions[function].entry() {
                    found.functions.insert(function);
                }
                work.extend(&self.from[index]);
            }
        }
        found
    }
}
