//! Reachability from the entry: which functions and globals a program uses, and which functions are recursive.

use crate::analyse::cfg::cyclic_blocks;
use crate::instruction::operands;
use crate::instruction::{callee, range_call};
use crate::libc::{Effect, effect};
use crate::options::Externals;
use beeline_graph::components;
use beeline_module::*;
use cranelift_entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The used part of a module.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// Functions that may run (or are declared and called), the entry first.
    pub functions: Vec<FnId>,
    /// Globals that are mentioned.
    pub globals: Vec<GlobalId>,
    /// Functions whose address is taken, in the order in which they are found.
    pub address_taken: Vec<FnId>,
    /// Functions without a body that may do anything, where the options ask for that.
    pub havoc: FxHashSet<FnId>,
    /// Functions that those without a body may call: all that they can know of except the entry, or those that they are
    /// given.
    pub callbacks: Vec<FnId>,
    recursive: SecondaryMap<FnId, bool>,
    /// Calls that run once at most.
    once: FxHashSet<(FnId, InstId)>,
    /// Functions that are called once at most.
    called_once: FxHashSet<FnId>,
    /// Functions whose number of calls has no bound that the call graph shows.
    unbounded: FxHashSet<FnId>,
}

/// The functions that are passed to ones without a body: which function passes which one.
pub(crate) type Givers = BTreeSet<(FnId, FnId)>;

/// The names of functions, such as targets, whose bodies do not matter.
pub(crate) type IsLeaf<'a> = &'a dyn Fn(&str) -> bool;

impl Reach {
    /// Follows calls and mentions from the entry; the bodies of functions for which `is_leaf` holds are ignored. The
    /// functions that `givers` pass on count as called by them.
    pub(crate) fn new(
        module: &Module,
        entry: FnId,
        is_leaf: IsLeaf,
        externals: Externals,
        givers: &Givers,
    ) -> Reach {
        let mut search = Search {
            module,
            reach: Reach::default(),
            functions: Default::default(),
            globals: Default::default(),
            taken: Default::default(),
            indirect: Vec::new(),
            havoc: Default::default(),
            exported: Vec::new(),
        };
        search.function(entry);
        search.find_externals(is_leaf, externals);
        let mut calls = search.follow(entry, is_leaf);
        let Search { mut reach, indirect, exported, taken, .. } = search;
        if !reach.havoc.is_empty() {
            let defined = |id: &FnId| !module.functions[*id].is_declaration() && *id != entry;
            let mut callbacks: Vec<FnId> =
                exported.into_iter().chain(reach.address_taken.iter().copied()).filter(defined).collect();
            callbacks.sort_unstable();
            callbacks.dedup();
            // A function without a body that knows another one by its name can have its address.
            reach.address_taken.extend(callbacks.iter().filter(|id| !taken.contains(id)));
            for &id in &reach.havoc {
                calls[id].extend(callbacks.iter().copied());
            }
            reach.callbacks = callbacks;
        }
        for &(giver, given) in givers {
            calls[giver].push(given);
            if !reach.callbacks.contains(&given) {
                reach.callbacks.push(given);
            }
        }
        // An indirect call may lead to any function whose address is known.
        for id in indirect {
            calls[id].extend(reach.address_taken.iter().copied());
        }
        reach.find_recursion(module, &calls);
        reach.count_calls(module, entry, &calls);
        reach
    }

    /// Whether a call runs once at most.
    pub(crate) fn runs_once(&self, function: FnId, call: InstId) -> bool {
        self.once.contains(&(function, call))
    }

    /// Whether a function is called once at most.
    pub(crate) fn is_called_once(&self, function: FnId) -> bool {
        self.called_once.contains(&function)
    }

    /// Whether a function may be called any number of times: from a loop, in a recursion, or by such a function.
    pub(crate) fn is_called_without_bound(&self, function: FnId) -> bool {
        self.unbounded.contains(&function)
    }

    /// Counts the calls of functions, as far as the call graph shows them: a function is called once at most if its
    /// only call is outside of loops, in a function that is called once at most itself.
    fn count_calls(&mut self, module: &Module, entry: FnId, calls: &SecondaryMap<FnId, Vec<FnId>>) {
        let mut sites: SecondaryMap<FnId, u32> = SecondaryMap::new();
        // The calls of each function, outside of loops and in them.
        let mut plain: SecondaryMap<FnId, Vec<FnId>> = SecondaryMap::new();
        let mut repeated: SecondaryMap<FnId, Vec<FnId>> = SecondaryMap::new();
        for &id in &self.functions {
            let function = &module.functions[id];
            let cyclic = cyclic_blocks(function);
            for (block, data) in function.blocks.iter() {
                for &inst in &data.insts {
                    let InstKind::Call(call) = &function.insts[inst].kind else { continue };
                    let list = if cyclic.contains(&block) { &mut repeated } else { &mut plain };
                    match callee(module, call) {
                        Some((target, _)) => {
                            sites[target] += 1;
                            list[id].push(target);
                        }
                        None if call.asm.is_none() && cyclic.contains(&block) => {
                            list[id].extend(self.address_taken.iter().copied());
                        }
                        None => {}
                    }
                }
            }
        }
        self.find_once(module, entry, &sites, &plain);
        let recursive = self.functions.iter().copied().filter(|&id| self.recursive[id]);
        let in_loops = self.functions.iter().flat_map(|&id| repeated[id].iter().copied());
        let mut open: Vec<FnId> = recursive.chain(in_loops).chain(self.callbacks.iter().copied()).collect();
        while let Some(id) = open.pop() {
            if self.unbounded.insert(id) {
                open.extend(calls[id].iter().copied());
            }
        }
    }

    fn find_once(
        &mut self,
        module: &Module,
        entry: FnId,
        sites: &SecondaryMap<FnId, u32>,
        plain: &SecondaryMap<FnId, Vec<FnId>>,
    ) {
        let known: FxHashSet<FnId> = self.address_taken.iter().chain(&self.callbacks).copied().collect();
        let single = |id: FnId, callers| sites[id] == callers && !known.contains(&id) && !self.recursive[id];
        let mut open: Vec<FnId> = if single(entry, 0) { vec![entry] } else { Vec::new() };
        let (mut functions, mut once) = (FxHashSet::default(), FxHashSet::default());
        while let Some(caller) = open.pop() {
            functions.insert(caller);
            open.extend(plain[caller].iter().copied().filter(|&id| single(id, 1)));
            let function = &module.functions[caller];
            let cyclic = cyclic_blocks(function);
            let blocks = function.blocks.iter().filter(|(block, _)| !cyclic.contains(block));
            let insts = blocks.flat_map(|(_, block)| &block.insts);
            let calls = insts.filter(|&&inst| matches!(function.insts[inst].kind, InstKind::Call(_)));
            once.extend(calls.map(|&inst| (caller, inst)));
        }
        (self.called_once, self.once) = (functions, once);
    }

    /// Whether the function may have two activations at a time.
    pub(crate) fn is_recursive(&self, function: FnId) -> bool {
        self.recursive[function]
    }

    /// Marks functions that reach themselves.
    fn find_recursion(&mut self, module: &Module, calls: &SecondaryMap<FnId, Vec<FnId>>) {
        let callees = |id: usize| calls[FnId::new(id)].iter().map(|callee| callee.index());
        for component in components(module.functions.len(), callees) {
            for &member in &component {
                let again = component.len() > 1 || callees(member).any(|callee| callee == member);
                self.recursive[FnId::new(member)] = again;
            }
        }
    }
}

struct Search<'a> {
    module: &'a Module,
    reach: Reach,
    functions: FxHashSet<FnId>,
    globals: FxHashSet<GlobalId>,
    taken: FxHashSet<FnId>,
    /// Functions that call through pointers.
    indirect: Vec<FnId>,
    /// Functions without a body that may do anything, and those that they can name.
    havoc: FxHashSet<FnId>,
    exported: Vec<FnId>,
}

impl Search<'_> {
    /// Finds unknown functions, and what such functions may call.
    fn find_externals(&mut self, is_leaf: IsLeaf, externals: Externals) {
        if externals != Externals::Havoc {
            return;
        }
        for (id, function) in self.module.functions.iter() {
            let name = function.name.as_str();
            let known = effect(name) != Effect::Unknown || name.starts_with("llvm.") || is_leaf(name);
            if !function.is_declaration() {
                self.exported.extend(function.exported.then_some(id));
            } else if !known && range_call(function).is_none() && !function.writes_nothing {
                self.havoc.insert(id);
            }
        }
    }

    /// Visits all functions that are found, from the first one. Returns by function those that it calls by name.
    fn follow(&mut self, entry: FnId, is_leaf: IsLeaf) -> SecondaryMap<FnId, Vec<FnId>> {
        let mut calls: SecondaryMap<FnId, Vec<FnId>> = SecondaryMap::new();
        let mut next = 0;
        while next < self.reach.functions.len() {
            let id = self.reach.functions[next];
            next += 1;
            let function = &self.module.functions[id];
            if is_leaf(&function.name) {
                continue;
            }
            if self.havoc.contains(&id) {
                self.reach.havoc.insert(id);
                let known: Vec<FnId> =
                    self.exported.iter().copied().filter(|&known| known != entry).collect();
                known.into_iter().for_each(|known| self.function(known));
            }
            for block in function.blocks.values() {
                for &inst in &block.insts {
                    self.inst(id, &function.insts[inst].kind, &mut calls[id]);
                }
            }
        }
        calls
    }

    fn function(&mut self, id: FnId) {
        if self.functions.insert(id) {
            self.reach.functions.push(id);
        }
    }

    fn inst(&mut self, id: FnId, kind: &InstKind, calls: &mut Vec<FnId>) {
        let mut list = operands(kind);
        if let InstKind::Call(call) = kind {
            match &call.callee {
                Operand::Const(_, Const::Func(callee)) => {
                    self.function(*callee);
                    calls.push(*callee);
                    list.remove(0);
                }
                _ if call.asm.is_some() => {}
                _ => self.indirect.push(id),
            }
        }
        for operand in list {
            if let Operand::Const(_, constant) = operand {
                self.constant(constant);
            }
        }
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::Func(id) => {
                self.function(*id);
                if self.taken.insert(*id) {
                    self.reach.address_taken.push(*id);
                }
            }
            Const::Global(id, _) => {
                if self.globals.insert(*id) {
                    self.reach.globals.push(*id);
                    if let Some(init) = &self.module.globals[*id].init {
                        self.constant(init);
                    }
                }
            }
            Const::Aggregate(parts) => parts.iter().for_each(|(_, part)| self.constant(part)),
            Const::Binary(_, a, b) => {
                self.constant(a);
                self.constant(b);
            }
            Const::Resize { value, .. } => self.constant(value),
            Const::Int(_)
            | Const::Float(..)
            | Const::Undef
            | Const::Zero
            | Const::Bytes(_)
            | Const::Unknown(_) => {}
        }
    }
}
