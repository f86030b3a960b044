//! Constrained Horn clauses for some parts of a program, with a relation for each entry, exit and cut point:
//! a solution excludes all executions along these parts that reach a target.
//!
//! The relations of a function are about ghosts and current values. A call makes two clauses: one into the
//! entry of the callee, and one to the location after the call. The second has two premises, the place of the
//! call and the exit of the callee. A solution contains a summary of each function, recursive or not.

use super::call::Called;
use super::intraprocedural::{AT_ENTRY, Begins, Intraprocedural, at_entry, now};
use super::space::path::{Key, Part};
use crate::control::place::Slot;
use crate::formula::Executor;
use crate::formula::state::SymState;
use crate::refine::add_decoded;
use crate::state::precision::{Knowledge, Predicates};
use beeline_graph::Effects;
use beeline_ir::{EdgeId, FuncId, LocId, Program, RegionId};
use beeline_smt::decode::Leaves;
use beeline_smt::interpolate::{Arithmetic, Clause, End, invariants};
use beeline_smt::{Constant, Formula, Memory, QueryLimits, Term, Unsupported};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A place with a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    /// The entry of a called function, whose relation is about ghosts only.
    Entry(FuncId),
    /// A location.
    Loc(LocId),
}

/// A parameter of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Parameter {
    Slot(Slot),
    Region(RegionId),
}

type Signature = BTreeSet<Parameter>;

/// The index of a relation.
type Relation = usize;

/// The executions to exclude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// The path alone: each place on it has a relation of its own.
    Way,
    /// All executions that consist of parts of the path, in any order in which they fit together.
    Program,
}

/// A step from a place with a relation to others.
struct Transition<'a> {
    begins: Begins,
    /// `None` at the start of the program.
    from: Option<Relation>,
    executor: Executor<'a>,
    kind: Kind,
}

/// The kind of a step. A missing relation stands for the target.
enum Kind {
    Block { to: Option<Relation>, end: Box<SymState> },
    Call { edge: EdgeId, callee: FuncId, called: Box<Called>, into: Option<Relation>, back: Option<Back> },
}

/// The return of a call.
#[derive(Clone, Copy)]
struct Back {
    exit: Relation,
    behind: Option<Relation>,
}

/// What the clauses are made from.
pub(super) struct Source<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its functions, each on its own.
    pub control: &'a Intraprocedural,
    /// The effects of functions.
    pub effects: &'a dyn Fn(FuncId) -> &'a Effects,
    /// Whether a location is a target.
    pub is_target: &'a dyn Fn(LocId) -> bool,
}

/// The clauses of some parts of a program.
pub(super) struct Clauses<'a> {
    source: Source<'a>,
    shape: Shape,
    places: Vec<At>,
    signatures: Vec<Signature>,
    transitions: Vec<Transition<'a>>,
    /// The transitions made so far, if each is made only once.
    known: FxHashSet<Key>,
}

impl<'a> Clauses<'a> {
    /// The clauses of the parts of a path to a target.
    pub(super) fn new(source: Source<'a>, parts: &[Part], shape: Shape) -> Result<Clauses<'a>, Unsupported> {
        let mut made = Clauses {
            source,
            shape,
            places: Vec::new(),
            signatures: Vec::new(),
            transitions: Vec::new(),
            known: FxHashSet::default(),
        };
        let mut now = None;
        let mut open = Vec::new();
        for part in parts {
            now = made.part(part, now, &mut open)?;
        }
        made.seed();
        made.find_signatures()?;
        Ok(made)
    }

    /// The relation of a place: a new one, or the known one if a place has the same relation wherever it
    /// occurs. Targets have none.
    fn relation(&mut self, at: At) -> Option<Relation> {
        let program = self.source.program;
        let loc = match at {
            At::Entry(func) => program.functions[func].entry(),
            At::Loc(loc) => loc,
        };
        if (self.source.is_target)(loc) {
            return None;
        }
        let known = self.places.iter().position(|&place| place == at);
        Some(known.filter(|_| self.shape == Shape::Program).unwrap_or_else(|| {
            self.places.push(at);
            self.signatures.push(Signature::new());
            self.places.len() - 1
        }))
    }

    /// Adds a part that follows a place. Returns the place to which it leads.
    fn part(
        &mut self,
        part: &Part,
        now: Option<Relation>,
        open: &mut Vec<usize>,
    ) -> Result<Option<Relation>, Unsupported> {
        let program = self.source.program;
        match part {
            Part::Block(block, exit, begins) => {
                let loc = block.nodes[*exit].loc;
                let (from, to) = (self.from(*begins, now), self.relation(At::Loc(loc)));
                if self.is_new(part) {
                    let (mut executor, start) = self.start(*begins);
                    let end = Box::new(executor.block(block, start, *exit)?.state);
                    let kind = Kind::Block { to, end };
                    self.transitions.push(Transition { begins: *begins, from, executor, kind });
                }
                Ok(to)
            }
            Part::Call(edge, callee, begins) => {
                let (from, into) = (self.from(*begins, now), self.relation(At::Entry(*callee)));
                open.push(self.transitions.len());
                if self.is_new(part) {
                    let (mut executor, start) = self.start(*begins);
                    let called = Box::new(Called::new(&mut executor, program, start, *edge, *callee)?);
                    let back = if self.shape == Shape::Program { self.back(*edge, *callee) } else { None };
                    let kind = Kind::Call { edge: *edge, callee: *callee, called, into, back };
                    self.transitions.push(Transition { begins: *begins, from, executor, kind });
                }
                Ok(into)
            }
            Part::Return(edge) => {
                let behind = self.relation(At::Loc(program.edges[*edge].dst));
                let call = open.pop().filter(|_| self.shape == Shape::Way);
                if let (Some(call), Some(exit)) = (call, now)
                    && let Kind::Call { back, .. } = &mut self.transitions[call].kind
                {
                    *back = Some(Back { exit, behind });
                }
                Ok(behind)
            }
        }
    }

    fn back(&mut self, edge: EdgeId, callee: FuncId) -> Option<Back> {
        let program = self.source.program;
        let behind = self.relation(At::Loc(program.edges[edge].dst));
        Some(Back { exit: self.relation(At::Loc(program.functions[callee].exit))?, behind })
    }

    fn from(&mut self, begins: Begins, now: Option<Relation>) -> Option<Relation> {
        match (self.shape, begins) {
            (_, Begins::Program) => None,
            (Shape::Way, _) => now,
            (Shape::Program, Begins::Function(func)) => self.relation(At::Entry(func)),
            (Shape::Program, Begins::At(loc)) => self.relation(At::Loc(loc)),
        }
    }

    fn is_new(&mut self, part: &Part) -> bool {
        self.shape == Shape::Way || self.known.insert(part.key())
    }

    fn start(&self, begins: Begins) -> (Executor<'a>, SymState) {
        let executor = Executor::new(self.source.program, self.source.control, true);
        let state = if begins == Begins::Program { executor.start() } else { executor.somewhere(1) };
        (executor, state)
    }

    /// Adds the parameters of summaries: the parameters of the function, and the globals that matter to it.
    fn seed(&mut self) {
        let program = self.source.program;
        for transition in &self.transitions {
            let Kind::Call { callee, back: Some(Back { exit, .. }), .. } = transition.kind else { continue };
            let effects = (self.source.effects)(callee);
            let params = program.functions[callee].params.iter().map(|&param| at_entry(param));
            let globals = effects
                .reads
                .iter()
                .map(|&var| if effects.writes.contains(&var) { at_entry(var) } else { now(var) });
            self.signatures[exit].extend(params.chain(globals).map(Parameter::Slot));
        }
    }

    /// Computes the parameters of each relation: what a step reads, and what it passes on to its successors.
    fn find_signatures(&mut self) -> Result<(), Unsupported> {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for transition in &mut self.transitions {
                for (relation, wanted) in transition.wanted(&self.source, &self.signatures)? {
                    let signature = &mut self.signatures[relation];
                    let before = signature.len();
                    signature.extend(wanted);
                    changed |= signature.len() > before;
                }
            }
        }
        Ok(())
    }

    /// The constants for the parameters of a relation.
    fn contents(&self, relation: Relation) -> Result<Vec<Constant>, Unsupported> {
        let (mut executor, mut state) = self.start(Begins::At(LocId::from_u32(0)));
        let signature = self.signatures[relation].iter();
        signature.map(|&key| content(&mut executor, &mut state, key)).collect()
    }

    /// Solves the clauses and adds predicates from the solution. Returns whether one of them was new; `None`
    /// if there is no solution.
    pub(super) fn learn(
        &mut self,
        known: &mut Knowledge,
        arithmetic: Arithmetic,
        limits: &QueryLimits,
        ticks: u64,
    ) -> Option<bool> {
        let relations: Result<Vec<_>, _> = (0..self.places.len()).map(|index| self.contents(index)).collect();
        let relations = relations.ok()?;
        let mut clauses = Vec::new();
        for transition in &mut self.transitions {
            transition.clauses(&self.source, &self.signatures, &relations, &mut clauses).ok()?;
        }
        let formulas = invariants(&relations, &clauses, arithmetic, limits, ticks)?;
        let mut new = false;
        for (relation, formula) in formulas.iter().enumerate() {
            let mut preds = Vec::new();
            let leaves = self.leaves(relation, &relations[relation], &mut known.predicates);
            add_decoded(formula, &leaves, &mut known.predicates, &mut preds);
            let loc = match self.places[relation] {
                At::Entry(func) => self.source.program.functions[func].entry(),
                At::Loc(loc) => loc,
            };
            for pred in preds {
                new |= known.precision.add_pred(self.source.program, loc, pred);
            }
        }
        Some(new)
    }

    fn leaves(&self, relation: Relation, contents: &[Constant], predicates: &mut Predicates) -> Leaves {
        let program = self.source.program;
        let mut leaves = Leaves::default();
        for (key, constant) in self.signatures[relation].iter().zip(contents) {
            match (*key, constant) {
                (Parameter::Slot(slot), Constant::Term(term)) => {
                    leaves.term(term.clone(), predicates.slot_expr(program, slot));
                }
                (Parameter::Region(region), Constant::Memory(memory)) => {
                    leaves.memory(memory.clone(), region, program.regions[region].cell);
                }
                _ => {}
            }
        }
        leaves
    }
}

/// The content of a variable or region.
fn content(
    executor: &mut Executor<'_>,
    state: &mut SymState,
    key: Parameter,
) -> Result<Constant, Unsupported> {
    Ok(match key {
        Parameter::Slot(slot) => Constant::Term(executor.slot(state, slot)?.term()?),
        Parameter::Region(id) => Constant::Memory(executor.flat_region(state, id)?),
    })
}

impl Transition<'_> {
    /// The parameters that are needed at the places of the step, given those of their neighbours.
    fn wanted(
        &mut self,
        source: &Source<'_>,
        signatures: &[Signature],
    ) -> Result<Vec<(Relation, Signature)>, Unsupported> {
        let mut wanted = Vec::new();
        let executor = &mut self.executor;
        let regions: Vec<RegionId> = match &mut self.kind {
            Kind::Block { to, end } => {
                for &key in to.iter().flat_map(|&to| &signatures[to]) {
                    content(executor, end, key)?;
                }
                end.regions.keys().collect()
            }
            Kind::Call { edge, callee, called, into, back } => {
                for &key in into.iter().flat_map(|&into| &signatures[into]) {
                    passed(executor, source.program, called, key)?;
                }
                if let Some(Back { exit, behind }) = *back {
                    let effects = (source.effects)(*callee);
                    let mut of_exit = Signature::new();
                    for &key in behind.iter().flat_map(|&behind| &signatures[behind]) {
                        match changed(source.program, *edge, *callee, effects, key) {
                            Some(key) => drop(of_exit.insert(key)),
                            None => drop(content(executor, &mut called.state, key)?),
                        }
                    }
                    for &key in &signatures[exit] {
                        if !is_made(source.program, *callee, effects, key) {
                            passed(executor, source.program, called, key)?;
                        }
                    }
                    wanted.push((exit, of_exit));
                }
                called.state.regions.keys().collect()
            }
        };
        if let Some(from) = self.from {
            let unwritten = executor.unwritten.iter().filter(|unwritten| unwritten.activation == 0);
            let slots = unwritten.filter_map(|unwritten| self.begins.sees(source.program, unwritten.slot));
            let regions = regions.into_iter().map(Parameter::Region);
            wanted.push((from, slots.map(Parameter::Slot).chain(regions).collect()));
        }
        Ok(wanted)
    }

    /// Adds the clauses of the step.
    fn clauses(
        &mut self,
        source: &Source<'_>,
        signatures: &[Signature],
        relations: &[Vec<Constant>],
        clauses: &mut Vec<Clause>,
    ) -> Result<(), Unsupported> {
        let program = source.program;
        let before: Vec<End> = (self.from.iter())
            .map(|&relation| End { relation, arguments: relations[relation].clone() })
            .collect();
        let mut parts = self.entered(signatures)?;
        let executor = &mut self.executor;
        let end = |to: Option<Relation>, arguments| to.map(|relation| End { relation, arguments });
        match &mut self.kind {
            Kind::Block { to, end: state } => {
                let keys = to.iter().flat_map(|&to| &signatures[to]);
                let arguments: Vec<Constant> =
                    keys.map(|&key| content(executor, state, key)).collect::<Result<_, _>>()?;
                parts.push(state.guard.clone());
                parts.extend_from_slice(&executor.facts);
                clauses.push(Clause { from: before, formula: Formula::all(parts), to: end(*to, arguments) });
            }
            Kind::Call { edge, callee, called, into, back } => {
                let keys = into.iter().flat_map(|&into| &signatures[into]);
                let arguments: Vec<Constant> =
                    keys.map(|&key| passed(executor, program, called, key)).collect::<Result<_, _>>()?;
                parts.push(called.state.guard.clone());
                parts.extend_from_slice(&executor.facts);
                let formula = Formula::all(parts.clone());
                clauses.push(Clause { from: before.clone(), formula, to: end(*into, arguments) });
                let Some(Back { exit, behind }) = *back else { return Ok(()) };
                let effects = (source.effects)(*callee);
                let (mut inside, mut after) = called.returned(executor, program, *edge, effects)?;
                let mut arguments = Vec::with_capacity(signatures[exit].len());
                for &key in &signatures[exit] {
                    arguments.push(named(program, content(executor, &mut inside, key)?, key, &mut parts)?);
                }
                let keys = behind.iter().flat_map(|&behind| &signatures[behind]);
                let behind_it: Vec<Constant> =
                    keys.map(|&key| content(executor, &mut after, key)).collect::<Result<_, _>>()?;
                let mut from = before;
                from.push(End { relation: exit, arguments });
                clauses.push(Clause { from, formula: Formula::all(parts), to: end(behind, behind_it) });
            }
        }
        Ok(())
    }

    /// At the entry of a function, current values equal the ghosts.
    fn entered(&mut self, signatures: &[Signature]) -> Result<Vec<Formula>, Unsupported> {
        let (Begins::Function(_), Some(from)) = (self.begins, self.from) else { return Ok(Vec::new()) };
        let mut parts = Vec::new();
        let mut state = self.executor.somewhere(1);
        for key in &signatures[from] {
            if let Parameter::Slot(slot) = key {
                let ghost = self.executor.slot(&mut state, *slot)?.term()?;
                let current = self.executor.slot(&mut state, now(slot.var))?.term()?;
                parts.push(ghost.same(&current));
            }
        }
        Ok(parts)
    }
}

impl Begins {
    /// The parameter of the relation at a beginning, for a slot that is read.
    fn sees(self, program: &Program, slot: Slot) -> Option<Slot> {
        let Begins::Function(func) = self else { return Some(slot) };
        let has_ghost =
            program.vars[slot.var].owner.is_none() || program.functions[func].params.contains(&slot.var);
        has_ghost.then_some(at_entry(slot.var))
    }
}

/// The argument for a parameter of a callee's relation, from the state at the call.
fn passed(
    executor: &mut Executor<'_>,
    program: &Program,
    called: &mut Called,
    key: Parameter,
) -> Result<Constant, Unsupported> {
    match key {
        Parameter::Slot(slot) => Ok(Constant::Term(called.passed(executor, program, slot.var)?.term()?)),
        Parameter::Region(_) => content(executor, &mut called.state, key),
    }
}

/// Whether the callee produces what a parameter at its exit is about, so that it does not exist at the call.
fn is_made(program: &Program, callee: FuncId, effects: &Effects, key: Parameter) -> bool {
    match key {
        Parameter::Slot(slot) if slot.level == AT_ENTRY => false,
        Parameter::Slot(slot) => {
            program.vars[slot.var].owner == Some(callee) || effects.writes.contains(&slot.var)
        }
        Parameter::Region(region) => effects.region_writes.contains(&region),
    }
}

/// The parameter of the exit of a callee for something that the call may change and that matters after the
/// call.
fn changed(
    program: &Program,
    edge: EdgeId,
    callee: FuncId,
    effects: &Effects,
    key: Parameter,
) -> Option<Parameter> {
    match key {
        Parameter::Slot(slot) if slot.level == AT_ENTRY => None,
        Parameter::Slot(slot) => {
            let is_result = program.edges[edge].op.as_call().is_some_and(|call| call.ret == Some(slot.var));
            let ret = program.functions[callee].ret.filter(|_| is_result).map(now);
            let written = effects.writes.contains(&slot.var).then_some(slot);
            ret.or(written).map(Parameter::Slot)
        }
        Parameter::Region(region) => effects.region_writes.contains(&region).then_some(key),
    }
}

/// Names an argument in the premise of a clause by a constant, as premises require.
fn named(
    program: &Program,
    content: Constant,
    key: Parameter,
    parts: &mut Vec<Formula>,
) -> Result<Constant, Unsupported> {
    Ok(match (content, key) {
        (Constant::Term(term), _) if !term.is_symbol() => {
            let name = Term::fresh("passed", term.ty())?;
            parts.push(name.same(&term));
            Constant::Term(name)
        }
        (Constant::Memory(memory), Parameter::Region(id)) if !memory.is_symbol() => {
            let name = Memory::fresh("passed", &program.regions[id])?;
            parts.push(name.same(&memory));
            Constant::Memory(name)
        }
        (content, _) => content,
    })
}
