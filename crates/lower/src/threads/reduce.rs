//! Reduction of scheduling points to those that matter: those whose step depends on something that another thread may
//! do later.
//!
//! What a thread may access from a place on is found once, before threads are put together. Two accesses depend on each
//! other where they overlap and one writes, unless both always happen while the thread holds one mutex.

use super::Point;
use super::flow::{Flows, Passed, Step};
use super::locks::{ACQUIRE, LOCK, RELEASE, UNLOCK};
use crate::analyse::bounds::{HEAP_NEXT, STACK_NEXT};
use beeline_ir::{Expr, ExprId, FuncId, Op, RegionId, VarId, copied_function};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Variables of Beeline's own, whose order no program sees.
const COUNTERS: [&str; 4] = [HEAP_NEXT, STACK_NEXT, "locals.next", "heap.objects"];
/// The role of an access: to data, or as part of an acquire or a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Data,
    Acquire,
    Release,
}

/// The place of an access.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Place {
    Var(VarId),
    /// A region; all of it, or so many bytes at an address.
    Region(RegionId, Option<(u64, u64)>),
    /// The end of a thread.
    End,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Access {
    place: Place,
    write: bool,
    role: Role,
    /// The mutexes that are held.
    locks: BTreeSet<u64>,
}

/// A set of accesses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn insert(&mut self, item: usize) {
        if self.0.len() <= item / 64 {
            self.0.resize(item / 64 + 1, 0);
        }
        self.0[item / 64] |= 1 << (item % 64);
    }

    /// Unites it with another set; returns whether anything is new.
    fn unite(&mut self, other: &Set) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut new = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            new |= more & !*word != 0;
            *word |= more;
        }
        new
    }

    fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

/// The accesses at all nodes of all threads, and what follows from them.
pub(crate) struct Reduction {
    /// By node, what may be accessed from there on.
    later: Vec<Set>,
    /// By node with a scheduling point, what depends on its step.
    against: FxHashMap<usize, Set>,
    /// By node with a scheduling point, what its step accesses.
    own: FxHashMap<usize, Set>,
    /// Points that always matter.
    waits: FxHashSet<usize>,
}

impl Reduction {
    pub(crate) fn new(flows: &Flows, points: &[Point]) -> Reduction {
        let held = Held::new(flows);
        let mut table = Table {
            flows,
            held: &held,
            list: Vec::new(),
            ids: FxHashMap::default(),
            kept: FxHashMap::default(),
        };
        let edges: Vec<Vec<Set>> = (0..flows.nodes.len())
            .map(|node| {
                let locks = held.at(node);
                let edges = 0..flows.nodes[node].edges.len();
                edges.map(|edge| table.of_edge(node, edge, &locks)).collect()
            })
            .collect();
        let end =
            table.id(Access { place: Place::End, write: true, role: Role::Data, locks: BTreeSet::new() });
        let list = table.list;
        let later = later(flows, &edges, end);
        let depends = dependences(&list);
        let (mut against, mut steps, mut waits) =
            (FxHashMap::default(), FxHashMap::default(), FxHashSet::default());
        for (node, data) in flows.nodes.iter().enumerate() {
            if !matches!(data.edges.first(), Some(edge) if matches!(edge.step, Step::Point(..))) {
                continue;
            }
            let (own, waiting) = step_of(flows, &edges, node);
            let mut set = Set::default();
            (0..list.len())
                .filter(|item| own.0.get(item / 64).is_some_and(|word| word >> (item % 64) & 1 == 1))
                .for_each(|item| {
                    set.unite(&depends[item]);
                });
            against.insert(node, set);
            steps.insert(node, own);
            let Some(Step::Point(passed, _)) = data.edges.first().map(|edge| edge.step.clone()) else {
                continue;
            };
            let always = matches!(passed, Passed::Program(number) if points[number].always);
            if waiting || always {
                waits.insert(node);
            }
        }
        Reduction { later, against, own: steps, waits }
    }

    /// Whether the steps after two points depend on each other.
    pub(crate) fn collide(&self, a: usize, b: usize) -> bool {
        self.against.get(&a).zip(self.own.get(&b)).is_none_or(|(against, own)| against.meets(own))
    }

    /// Whether a thread may stay in the step after a point.
    pub(crate) fn may_wait(&self, point: usize) -> bool {
        self.waits.contains(&point)
    }

    /// Whether the order matters between a thread at a point and another one at a node.
    pub(crate) fn matters(&self, point: usize, other: usize) -> bool {
        self.may_wait(point) || self.against.get(&point).is_none_or(|set| set.meets(&self.later[other]))
    }
}

/// By access, the accesses that depend on it.
fn dependences(list: &[Access]) -> Vec<Set> {
    let depending = |access: &Access| {
        let mut set = Set::default();
        let others = list.iter().enumerate().filter(|(_, other)| depend(access, other));
        others.for_each(|(index, _)| set.insert(index));
        set
    };
    list.iter().map(depending).collect()
}

/// Whether the order of two accesses may be seen, if the first comes next and the other one later.
fn depend(a: &Access, b: &Access) -> bool {
    let overlap = match (&a.place, &b.place) {
        (Place::Var(a), Place::Var(b)) => a == b,
        (Place::Region(a, at), Place::Region(b, other)) => {
            a == b
                && match (at, other) {
                    (Some((a, size)), Some((b, other))) => {
                        *a < b.saturating_add(*other) && *b < a.saturating_add(*size)
                    }
                    _ => true,
                }
        }
        (Place::End, Place::End) => true,
        _ => false,
    };
    let gives_back = a.role == Role::Release && b.role == Role::Acquire;
    overlap && (a.write || b.write) && !gives_back && a.locks.is_disjoint(&b.locks)
}

/// The accesses of a thread from a point to the next one, and whether it may stay in between for ever or end the
/// program.
fn step_of(flows: &Flows, edges: &[Vec<Set>], point: usize) -> (Set, bool) {
    let (mut own, mut waits) = (Set::default(), false);
    let mut open: Vec<usize> = flows.nodes[point].edges.iter().map(|edge| edge.to).collect();
    let mut met: FxHashSet<usize> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        let data = &flows.nodes[node];
        waits |= data.edges.is_empty() && !data.ends && data.target.is_none();
        for (edge, set) in data.edges.iter().zip(&edges[node]) {
            if matches!(edge.step, Step::Point(..)) {
                continue;
            }
            waits |= match &edge.step {
                Step::Wait(_) => true,
                Step::Op(Op::Assume(_, kind)) => !kind.branch && flows.nodes[node].edges.len() == 1,
                _ => false,
            };
            own.unite(set);
            if met.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    (own, waits)
}

/// By node, what may be accessed from there on, also by threads that are started from there on.
fn later(flows: &Flows, edges: &[Vec<Set>], end: usize) -> Vec<Set> {
    let mut later: Vec<Set> = vec![Set::default(); flows.nodes.len()];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); flows.nodes.len()];
    for (node, data) in flows.nodes.iter().enumerate() {
        for edge in &data.edges {
            before[edge.to].push(node);
            if let Step::Start(thread) = edge.step {
                before[flows.entries[thread]].push(node);
            }
        }
    }
    let mut open: Vec<usize> = (0..flows.nodes.len()).collect();
    while let Some(node) = open.pop() {
        let mut set = std::mem::take(&mut later[node]);
        let mut new = false;
        let data = &flows.nodes[node];
        if data.ends || data.edges.iter().any(|edge| matches!(edge.step, Step::Exit)) {
            let mut ended = Set::default();
            ended.insert(end);
            new |= set.unite(&ended);
        }
        for (edge, own) in data.edges.iter().zip(&edges[node]) {
            new |= set.unite(own);
            if edge.to != node {
                new |= set.unite(&later[edge.to]);
            }
            if let Step::Start(thread) = edge.step {
                new |= set.unite(&later[flows.entries[thread]]);
            }
        }
        later[node] = set;
        if new {
            open.extend(&before[node]);
        }
    }
    later
}

/// All accesses, each once.
struct Table<'f, 'a> {
    flows: &'f Flows<'a>,
    held: &'f Held,
    list: Vec<Access>,
    ids: FxHashMap<Access, usize>,
    kept: FxHashMap<FuncId, Vec<(Place, bool)>>,
}

impl Table<'_, '_> {
    fn id(&mut self, access: Access) -> usize {
        let list = &mut self.list;
        *self.ids.entry(access.clone()).or_insert_with(|| {
            list.push(access);
            list.len() - 1
        })
    }

    fn of_edge(&mut self, node: usize, edge: usize, locks: &BTreeSet<u64>) -> Set {
        let flows = self.flows;
        let found = match &flows.nodes[node].edges[edge].step {
            Step::Op(op) => self.of_op(op),
            Step::Wait(expr) => self.reads(*expr),
            Step::Read(expr) => {
                let whole = |(place, write)| match place {
                    Place::Region(region, _) => (Place::Region(region, None), write),
                    place => (place, write),
                };
                self.reads(*expr).into_iter().map(whole).collect()
            }
            Step::Ended(_, thread) => {
                let mut found = self.reads(*thread);
                found.push((Place::End, false));
                found
            }
            Step::Point(..)
            | Step::Access(..)
            | Step::IsNew(..)
            | Step::Start(_)
            | Step::TooMany
            | Step::Exit => Vec::new(),
        };
        let role = match role(flows, flows.nodes[node].context) {
            // Unlocking a mutex that other threads hold has more effects than to let waiting threads go on.
            Role::Release if self.held.is_broken(flows, flows.nodes[node].context) => Role::Data,
            role => role,
        };
        let mut set = Set::default();
        for (place, write) in found {
            set.insert(self.id(Access { place, write, role, locks: locks.clone() }));
        }
        set
    }

    fn of_op(&mut self, op: &Op) -> Vec<(Place, bool)> {
        let mut found = self.without_callees(op);
        if let Op::Call(call) = op {
            for callee in call.callee.functions() {
                found.extend(self.of_kept(*callee));
            }
        }
        found
    }

    /// The accesses of an operation, without those of its callees.
    fn without_callees(&self, op: &Op) -> Vec<(Place, bool)> {
        let exprs = &self.flows.out.program().exprs;
        let mut found: Vec<(Place, bool)> =
            op.expressions().into_iter().flat_map(|expr| self.reads(expr)).collect();
        found.extend(op.writes().into_iter().filter_map(|var| Some((self.variable(var)?, true))));
        match op {
            Op::HavocRegion(region) => found.push((Place::Region(*region, None), true)),
            Op::Store { region, addr, value } => {
                let bytes = u64::from(exprs.ty(*value).memory_bits().unwrap_or(8).div_ceil(8));
                let at = exprs.as_bits(*addr).and_then(|bits| bits.to_u64()).map(|at| (at, bytes));
                found.push((Place::Region(*region, at), true));
            }
            _ => {}
        }
        found
    }

    fn variable(&self, var: VarId) -> Option<Place> {
        let data = &self.flows.out.program().vars[var];
        (data.owner.is_none() && !COUNTERS.contains(&data.name.as_str())).then_some(Place::Var(var))
    }

    fn reads(&self, root: ExprId) -> Vec<(Place, bool)> {
        let exprs = &self.flows.out.program().exprs;
        let place = |node: Expr| match node {
            Expr::Var(var) => self.variable(var),
            Expr::Load { region, addr, ty } => {
                let bytes = u64::from(ty.memory_bits().unwrap_or(8).div_ceil(8));
                let at = exprs.as_bits(addr).and_then(|bits| bits.to_u64()).map(|at| (at, bytes));
                Some(Place::Region(region, at))
            }
            _ => None,
        };
        exprs.parts([root]).filter_map(|(_, node)| Some((place(node)?, false))).collect()
    }

    /// The accesses of a function that is kept, and of its callees.
    fn of_kept(&mut self, func: FuncId) -> Vec<(Place, bool)> {
        if let Some(known) = self.kept.get(&func) {
            return known.clone();
        }
        let mut called = vec![func];
        let mut at = 0;
        let mut found: FxHashSet<(Place, bool)> = FxHashSet::default();
        while let Some(&func) = called.get(at) {
            at += 1;
            for op in self.flows.kept_ops(func) {
                found.extend(self.without_callees(op));
                if let Op::Call(call) = op {
                    let callees = call.callee.functions().iter().copied();
                    let new: Vec<FuncId> = callees.filter(|callee| !called.contains(callee)).collect();
                    called.extend(new);
                }
            }
        }
        let found: Vec<(Place, bool)> = found.into_iter().collect();
        self.kept.insert(func, found.clone());
        found
    }
}

/// The function of the models that a call is in, if it is one of these.
fn within(flows: &Flows, context: usize, names: &[&str]) -> Option<usize> {
    let mut at = Some(context);
    while let Some(context) = at {
        let name = copied_function(&flows.program.functions[flows.contexts[context].func].name);
        if names.contains(&name) {
            return Some(context);
        }
        at = flows.contexts[context].parent;
    }
    None
}

fn role(flows: &Flows, context: usize) -> Role {
    if within(flows, context, &RELEASE).is_some() {
        Role::Release
    } else if within(flows, context, &ACQUIRE).is_some() {
        Role::Acquire
    } else {
        Role::Data
    }
}

/// The mutexes that a thread surely holds, by node.
struct Held {
    locks: Vec<Option<BTreeSet<u64>>>,
    /// Mutexes that may not exclude other threads.
    broken: BTreeSet<u64>,
    all_broken: bool,
}

impl Held {
    fn new(flows: &Flows) -> Held {
        let mut held =
            Held { locks: vec![None; flows.nodes.len()], broken: BTreeSet::new(), all_broken: false };
        let mut open: Vec<usize> = flows.entries.clone();
        open.iter().for_each(|entry| held.locks[*entry] = Some(BTreeSet::new()));
        while let Some(node) = open.pop() {
            let here = held.locks[node].clone().unwrap_or_default();
            for edge in &flows.nodes[node].edges {
                let mut there = here.clone();
                match change(flows, node, edge.to) {
                    Some((true, Some(mutex))) => drop(there.insert(mutex)),
                    Some((false, Some(mutex))) => drop(there.remove(&mutex)),
                    Some((false, None)) => there.clear(),
                    Some((true, None)) | None => {}
                }
                let known = &mut held.locks[edge.to];
                let both = known.as_ref().map_or(there.clone(), |known| known & &there);
                if known.as_ref() != Some(&both) {
                    *known = Some(both);
                    open.push(edge.to);
                }
            }
        }
        held.find_broken(flows);
        held
    }

    /// Finds mutexes that are unlocked without being held, or written to.
    fn find_broken(&mut self, flows: &Flows) {
        let mutexes: BTreeSet<u64> = self.locks.iter().flatten().flatten().copied().collect();
        for (node, data) in flows.nodes.iter().enumerate() {
            let Some(here) = &self.locks[node] else { continue };
            for edge in &data.edges {
                match change(flows, node, edge.to) {
                    Some((false, Some(mutex))) if !here.contains(&mutex) => drop(self.broken.insert(mutex)),
                    Some((false, None)) => self.all_broken = true,
                    _ => {}
                }
                let Step::Op(Op::Store { addr, .. }) = &edge.step else { continue };
                if role(flows, data.context) != Role::Data
                    || within(flows, data.context, &["pthread_mutex_init", "pthread_spin_init"]).is_some()
                {
                    continue;
                }
                // What has a known place of its own is no mutex, unless it overlaps one.
                if let Some(addr) = flows.out.program().exprs.as_bits(*addr).and_then(|bits| bits.to_u64()) {
                    let overlaps = |mutex: &&u64| addr.wrapping_sub(**mutex) < 64;
                    self.broken.extend(mutexes.iter().filter(overlaps).copied().collect::<Vec<_>>());
                }
            }
        }
    }

    /// Whether a call is within that of a function which unlocks a mutex that some thread unlocks without holding it.
    fn is_broken(&self, flows: &Flows, context: usize) -> bool {
        let call = within(flows, context, &UNLOCK);
        let mutex = call.and_then(|call| mutex(flows, call));
        mutex.is_some_and(|mutex| self.broken.contains(&mutex))
    }

    fn at(&self, node: usize) -> BTreeSet<u64> {
        if self.all_broken {
            return BTreeSet::new();
        }
        self.locks[node].as_ref().map_or(BTreeSet::new(), |locks| locks - &self.broken)
    }
}

/// Whether an edge returns from a function that locks, or enters one that unlocks; with the mutex, where that is known.
fn change(flows: &Flows, from: usize, to: usize) -> Option<(bool, Option<u64>)> {
    let (from, to) = (flows.nodes[from].context, flows.nodes[to].context);
    if from == to {
        return None;
    }
    let name = |context: usize| copied_function(&flows.program.functions[flows.contexts[context].func].name);
    if flows.contexts[from].parent == Some(to) && LOCK.contains(&name(from)) {
        return Some((true, mutex(flows, from)));
    }
    (flows.contexts[to].parent == Some(from) && UNLOCK.contains(&name(to))).then(|| (false, mutex(flows, to)))
}

/// The mutex that is the argument of a call of a model, if it is known.
fn mutex(flows: &Flows, call: usize) -> Option<u64> {
    let arg = flows.contexts[call].args.first()?;
    flows.out.program().exprs.as_bits(*arg)?.to_u64()
}
