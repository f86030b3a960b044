//! The paths along which residual conditions exclude something: places with labels, and the steps between
//! them.
//!
//! As long as residual conditions exclude something of an execution, it is followed call by call, with its
//! labels. Where everything is open, the walk ends: from there on, an execution may follow all edges.

use crate::labels::{Automata, Labels, all_open};
use crate::parts::Remaining;
use crate::share::{ahead, before};
use beeline_ir::{EdgeId, FuncId, LocId, Op, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The greatest number of places with labels. Beyond it, everything counts as open.
const MOST: usize = 1_000_000;

/// Call strings, each once; the first is that of the entry function.
#[derive(Debug)]
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

/// A place with labels that are not all open.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The location.
    pub loc: LocId,
    /// The call string, by number.
    pub string: u32,
    labels: Labels,
}

/// All paths along which residual conditions exclude something.
#[derive(Debug)]
pub struct Walk<'a> {
    /// The program.
    pub(crate) program: &'a Program,
    /// The locations from which edges lead to a target.
    pub(crate) near: BTreeSet<LocId>,
    strings: CallStrings,
    automata: Automata<u32>,
    pub(crate) places: Vec<Place>,
    ids: FxHashMap<Place, usize>,
    /// For each place, the steps that may be on a path to a target: the edge, which is that of the call for a
    /// return, and the next place; `None` where everything is open.
    pub(crate) steps: Vec<Vec<(EdgeId, Option<usize>)>>,
    /// The locations where everything is open, and those after the open calls.
    begins: BTreeSet<LocId>,
    /// Whether each place leads to where everything is open.
    pub(crate) leads: Vec<bool>,
}

impl<'a> Walk<'a> {
    /// The paths along which a chain of residual conditions, the first one first, excludes something about
    /// these targets.
    pub fn new(program: &'a Program, rests: &[Remaining<'_>], targets: &BTreeSet<LocId>) -> Walk<'a> {
        let mut strings = CallStrings { frames: vec![(None, program.entry)], ids: FxHashMap::default() };
        let automata =
            Automata::new(rests.iter().copied(), 0, |below, call, callee| strings.push(below, call, callee));
        let targets: Vec<LocId> = targets.iter().copied().collect();
        let mut walk = Walk {
            program,
            near: before(program, &targets),
            strings,
            automata,
            places: Vec::new(),
            ids: FxHashMap::default(),
            steps: Vec::new(),
            begins: BTreeSet::new(),
            leads: Vec::new(),
        };
        walk.run();
        walk.leads = walk.leading();
        walk
    }

    /// The locations that executions may reach after everything was open.
    pub(crate) fn behind(&self) -> BTreeSet<LocId> {
        ahead(self.program, self.begins.iter().copied())
    }

    /// The function that is executed at a place.
    pub(crate) fn function(&self, place: usize) -> FuncId {
        self.strings.frames[self.places[place].string as usize].1
    }

    fn run(&mut self) {
        let entry = self.program.functions[self.program.entry].entry();
        self.enter(None, Place { loc: entry, string: 0, labels: self.automata.first() });
        let mut next = 0;
        while next < self.places.len() {
            self.steps_from(next);
            next += 1;
        }
    }

    /// All steps from a place.
    fn steps_from(&mut self, index: usize) {
        let program = self.program;
        let Place { loc, string, .. } = self.places[index];
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
        let labels = self.places[from].labels.clone();
        if let Some(labels) = self.automata.step(&labels, loc, string) {
            self.enter(Some((from, edge)), Place { loc, string, labels });
        }
    }

    fn enter(&mut self, from: Option<(usize, EdgeId)>, place: Place) {
        let is_too_much = self.places.len() >= MOST && !self.ids.contains_key(&place);
        let is_open = is_too_much || all_open(&place.labels);
        if is_open && !self.near.contains(&place.loc) {
            return;
        }
        let id = if is_open {
            self.begin(place.loc, place.string);
            None
        } else {
            let next = self.places.len();
            let id = *self.ids.entry(place.clone()).or_insert(next);
            if id == next {
                self.places.push(place);
                self.steps.push(Vec::new());
            }
            Some(id)
        };
        if let Some((from, edge)) = from {
            self.steps[from].push((edge, id));
        }
    }

    /// Opens everything from a location on, and after the open calls.
    fn begin(&mut self, loc: LocId, string: u32) {
        self.begins.insert(loc);
        let mut next = self.strings.frames[string as usize].0;
        while let Some((below, call)) = next {
            self.begins.insert(self.program.edges[call].dst);
            next = self.strings.frames[below as usize].0;
        }
    }

    /// Whether each place leads to where everything is open.
    fn leading(&self) -> Vec<bool> {
        let mut from = vec![Vec::new(); self.places.len()];
        let mut work = Vec::new();
        for (index, steps) in self.steps.iter().enumerate() {
            for (_, next) in steps {
                match next {
                    Some(next) => from[*next].push(index),
                    None => work.push(index),
                }
            }
        }
        let mut leads = vec![false; self.places.len()];
        while let Some(index) = work.pop() {
            if !std::mem::replace(&mut leads[index], true) {
                work.extend(&from[index]);
            }
        }
        leads
    }

    /// Whether a step reaches a place where everything is open, or leads to one.
    pub(crate) fn leads_on(&self, next: Option<usize>) -> bool {
        next.is_none_or(|next| self.leads[next])
    }
}
