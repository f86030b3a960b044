//! The product of all threads as one automaton: the location of each thread, and which one runs.

use super::flow::{Edge, Flows, Passed, Step};
use super::frontier::{Frontier, Switch};
use super::reduce::Reduction;
use super::shorten::shorten;
use super::{Point, Threads};
use crate::options::{LowerError, Options, Property};
use beeline_ir::{
    AssumeKind, Assumption, Call, Callee, Direction, Does, EdgeId, ExprId, InputId, LocId, Op, Program,
    SCHEDULE, Span, Turn, Type, UnOp, Value, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A thread is not started yet, or has ended.
const NEW: u32 = u32::MAX;
const ENDED: u32 = u32::MAX - 1;
/// Added to the node at which the first thread ended: what follows there runs when all threads have ended.
const LAST: u32 = 1 << 31;
/// The most places of the product: what is beyond them is not explored.
const MOST_PLACES: usize = 60_000;
/// The number of steps assumed from there to a target.
const BEYOND: u64 = 100;

/// The locations of all threads, and which one runs, if one does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) at: Rc<[u32]>,
    runs: Option<usize>,
}

impl Place {
    /// The place with a thread elsewhere, where none runs.
    fn with(&self, thread: usize, node: u32) -> Place {
        let mut at = self.at.to_vec();
        at[thread] = node;
        Place { at: at.into(), runs: None }
    }
}

/// Whether a thread has ended, from where it is.
fn has_ended(at: u32) -> bool {
    (LAST..NEW).contains(&at)
}

/// Makes one automaton of those of all threads.
pub(crate) fn interleave(
    program: &Program,
    threads: &Threads,
    options: &Options,
) -> Result<Program, LowerError> {
    let mut starts = vec![program.entry];
    for thread in &threads.list[1..] {
        let Some(start) = program.function_named(&thread.start) else { break };
        starts.push(start);
    }
    let mut flows = Flows::new(program, starts, options)?;
    let reduction = Reduction::new(&flows, &threads.points);
    shorten(&mut flows);
    let func = flows.func;
    let entry = flows.out.loc(func);
    let exit = flows.out.loc(func);
    flows.out.set_exit(func, exit);
    let selected = {
        let name = flows.unique("thread");
        flows.out.local(func, &name, Type::Bv(8))
    };
    let beyond = flows.out.loc(func);
    let mut product = Product {
        flows,
        reduction,
        places: FxHashMap::default(),
        open: Frontier::new(),
        cost: 0,
        targets: FxHashMap::default(),
        exit,
        selected,
        stops: FxHashMap::default(),
        beyond,
        threads,
        options,
        told: 0,
    };
    let mut at = vec![NEW; threads.list.len()];
    at[0] = product.flows.entries[0] as u32;
    let first = product.place(Place { at: at.into(), runs: Some(0) }, 0);
    product.flows.out.edge(entry, first, Op::Skip, None);
    while let Some((cost, (place, last))) = product.open.take() {
        let Some(known) = product.places.get_mut(&place).filter(|known| !known.explored) else { continue };
        known.explored = true;
        let loc = known.loc;
        product.cost = cost;
        match place.runs {
            Some(thread) => product.run(&place, thread, loc),
            None => product.schedule(&place, last, loc),
        }
    }
    product.add_unreached_targets();
    product.lead_on();
    product.finish()
}

/// A place that was met.
struct Known {
    loc: LocId,
    /// The least cost of a way to it.
    cost: usize,
    explored: bool,
}

pub(super) struct Product<'a> {
    pub(super) flows: Flows<'a>,
    pub(super) reduction: Reduction,
    places: FxHashMap<Place, Known>,
    /// Places with the thread that ran before.
    open: Frontier<(Place, usize)>,
    /// The cost of a place that is met next.
    cost: usize,
    targets: FxHashMap<(String, Option<Span>, String), LocId>,
    exit: LocId,
    /// The thread that goes on.
    selected: VarId,
    /// Locations where executions are not followed, by the reason.
    stops: FxHashMap<(&'static str, Option<Span>), LocId>,
    /// The location after those where executions are not followed.
    beyond: LocId,
    pub(super) threads: &'a Threads,
    options: &'a Options,
    /// The number of locations that describe what threads do.
    told: usize,
}

impl Product<'_> {
    /// The location of a place that a thread gets to.
    fn place(&mut self, place: Place, thread: usize) -> LocId {
        let cost = self.cost;
        if let Some(known) = self.places.get_mut(&place) {
            let loc = known.loc;
            if cost < known.cost && !known.explored {
                known.cost = cost;
                self.open.add(cost, (place, thread));
            }
            return loc;
        }
        let loc = self.flows.out.loc(self.flows.func);
        if let Some(thread) = place.runs
            && let Some(passed) = self.point(place.at[thread] as usize)
        {
            let does = match passed {
                Passed::Start => Does::Starts(self.threads.list[thread].function.clone()),
                Passed::Yield => Does::Yields,
                Passed::Program(number) => {
                    let Point { function, ordinal, .. } = self.threads.points[number].clone();
                    Does::Passes { function, ordinal }
                }
            };
            self.tell(loc, thread, does);
        }
        self.places.insert(place.clone(), Known { loc, cost, explored: false });
        self.open.add(cost, (place, thread));
        loc
    }

    /// Records what a thread does at a location.
    pub(super) fn tell(&mut self, loc: LocId, thread: usize, does: Does) {
        let turn = Turn { thread: thread as u32 + 1, does };
        self.told += 1;
        let label = turn.label(self.told);
        self.flows.out.set_label(loc, &label);
    }

    pub(super) fn edge(
        &mut self,
        src: LocId,
        dst: LocId,
        op: Op,
        span: Option<Span>,
        origin: Option<EdgeId>,
    ) {
        let edge = self.flows.out.edge(src, dst, op, span);
        if let Some(origin) = origin {
            self.flows.assume(origin, edge);
        }
    }

    /// Adds the next step of a thread that runs.
    fn run(&mut self, place: &Place, thread: usize, loc: LocId) {
        let node = place.at[thread] as usize;
        if self.places.len() > MOST_PLACES {
            return self.stop(loc, "interleavings of threads beyond the limit reach an error", None);
        }
        if let Some(target) = self.flows.nodes[node].target {
            let (to, span) = (self.target(target), self.flows.program.targets[target].span);
            return self.edge(loc, to, Op::Skip, span, None);
        }
        if self.flows.nodes[node].ends {
            let to = self.end(place, thread);
            return self.edge(loc, to, Op::Skip, None, None);
        }
        let begins = self.next_span(node);
        for mut edge in self.flows.nodes[self.behind_point(node)].edges.clone() {
            edge.span = edge.span.or(begins);
            let arrive = |product: &mut Self| product.arrive(place, thread, edge.to);
            let (to, op) = match edge.step {
                Step::Op(op) => (arrive(self), op),
                Step::Point(..) | Step::Access(..) | Step::Read(_) => (arrive(self), Op::Skip),
                Step::Wait(holds) => (arrive(self), Op::assume(holds)),
                Step::Ended(ret, number) => {
                    let value = self.ended(place, number);
                    let op = ret.map_or(Op::Skip, |var| Op::assign(var, value));
                    (arrive(self), op)
                }
                Step::IsNew(ret, number) => {
                    let is_new = u64::from(place.at.get(number).is_some_and(|at| *at == NEW));
                    let value = self.flows.out.exprs().bv(32, is_new);
                    let taken = ret.and_then(|var| self.branch_taken(edge.to, (var, value)));
                    let op = ret.filter(|_| taken.is_none()).map_or(Op::Skip, |var| Op::assign(var, value));
                    (self.arrive(place, thread, taken.unwrap_or(edge.to)), op)
                }
                Step::Start(started) => {
                    let mut at = place.at.to_vec();
                    at[started] = self.flows.entries[started] as u32;
                    let place = Place { at: at.into(), runs: place.runs };
                    let to = self.arrive(&place, thread, edge.to);
                    let created = self.flows.out.loc(self.flows.func);
                    self.tell(created, thread, Does::Creates(started as u32 + 1));
                    self.edge(created, to, Op::Skip, edge.span, None);
                    (created, Op::Skip)
                }
                Step::Exit if thread == 0 => (self.place(place.with(0, LAST | edge.to as u32), 0), Op::Skip),
                Step::Exit => (self.end(place, thread), Op::Skip),
                Step::TooMany => {
                    self.stop(loc, "threads beyond the limit, created here, reach an error", edge.span);
                    continue;
                }
            };
            self.edge(loc, to, op, edge.span, edge.origin);
        }
    }

    /// The node behind a scheduling point, where its step begins, unless there is more to say of that than what its edges do.
    fn behind_point(&self, node: usize) -> usize {
        match &self.flows.nodes[node].edges[..] {
            [Edge { to, step: Step::Point(..), .. }] => {
                let behind = &self.flows.nodes[*to];
                let is_plain = behind.target.is_none() && !behind.ends && self.point(*to).is_none();
                if is_plain { *to } else { node }
            }
            _ => node,
        }
    }

    /// The branch edge that is taken on a variable with a known value that nothing else reads.
    fn branch_taken(&mut self, branch: usize, (var, value): (VarId, ExprId)) -> Option<usize> {
        let values = [(var, value)].into_iter().collect();
        for edge in self.flows.nodes[branch].edges.clone() {
            let Step::Op(Op::Assume(cond, _)) = edge.step else { continue };
            let cond = self.with(cond, &values);
            if self.flows.out.program().exprs.as_const(cond).and_then(Value::as_bool) == Some(true) {
                return Some(edge.to);
            }
        }
        None
    }

    /// The location that a thread reaches, before which others may go on.
    fn arrive(&mut self, place: &Place, thread: usize, to: usize) -> LocId {
        let others = place.at.iter().enumerate().filter(|(other, at)| *other != thread && **at < LAST);
        let others: Vec<usize> = others.map(|(_, at)| *at as usize).collect();
        let matters = self.point(to).is_some_and(|passed| {
            let loops = matches!(passed, Passed::Program(number) if self.threads.points[number].loops);
            // A thread that is alone may wait for ever.
            self.options.properties.contains(&Property::NoDeadlock) && self.reduction.may_wait(to)
                || others.iter().any(|other| self.reduction.matters(to, *other))
                || loops && !others.is_empty() && self.comes_back(to, &others)
        });
        let mut at = place.at.to_vec();
        at[thread] = to as u32;
        self.place(Place { at: at.into(), runs: (!matters).then_some(thread) }, thread)
    }

    /// The scheduling point that a node is, if it is one.
    pub(super) fn point(&self, node: usize) -> Option<Passed> {
        match self.flows.nodes[node].edges.first()?.step {
            Step::Point(passed, _) => Some(passed),
            _ => None,
        }
    }

    /// Whether a thread may return to a point without passing one that matters, while the others stay where they are.
    fn comes_back(&self, point: usize, others: &[usize]) -> bool {
        let mut open = vec![point];
        let mut met: FxHashSet<usize> = FxHashSet::default();
        while let Some(node) = open.pop() {
            for edge in &self.flows.nodes[node].edges {
                if edge.to == point {
                    return true;
                }
                let matters = |node: usize| others.iter().any(|other| self.reduction.matters(node, *other));
                let passes = self.point(edge.to).is_none() || !matters(edge.to);
                if !matches!(edge.step, Step::Start(_)) && passes && met.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        false
    }

    /// Ends a thread; the return of the first one ends the program.
    fn end(&mut self, place: &Place, thread: usize) -> LocId {
        let returns = self.flows.nodes[place.at[thread] as usize].ends;
        if thread == 0 && returns {
            return self.exit;
        }
        self.place(place.with(thread, ENDED), thread)
    }

    /// What it costs that another thread goes on than one that ran.
    fn switch_from(&self, place: &Place, thread: usize) -> Switch {
        match place.at[thread] {
            at if at >= LAST => Switch::None,
            at if self.reduction.may_wait(at as usize) => Switch::MayWait,
            _ => Switch::Preempts,
        }
    }

    /// Whether a thread would begin before one that was created to do the same.
    fn overtakes(&self, place: &Place, living: &[usize], thread: usize) -> bool {
        let is_new = |thread: usize| place.at[thread] as usize == self.flows.entries[thread];
        let list = &self.threads.list;
        let is_alike = |other: usize| is_new(other) && list[other].function == list[thread].function;
        is_new(thread) && living.iter().any(|&other| other > 0 && other < thread && is_alike(other))
    }

    /// Lets some thread go on, after one that ran.
    fn schedule(&mut self, place: &Place, last: usize, loc: LocId) {
        let living: Vec<usize> = (0..place.at.len()).filter(|thread| place.at[*thread] < LAST).collect();
        if living.is_empty() {
            let to = match place.at[0] {
                ENDED => self.exit,
                first => self.place(Place { runs: Some(0), ..place.with(0, first & !LAST) }, 0),
            };
            return self.edge(loc, to, Op::Skip, None, None);
        }
        if self.options.properties.contains(&Property::NoDeadlock) {
            self.deadlock(place, &living, loc);
        }
        if let [thread] = living[..] {
            let to = self.place(Place { at: place.at.clone(), runs: Some(thread) }, thread);
            return self.edge(loc, to, Op::Skip, None, None);
        }
        if self.options.properties.contains(&Property::NoDataRace) {
            self.races(place, &living, loc);
        }
        let func = self.flows.func;
        let chosen = self.flows.out.loc(func);
        let input = self.schedule_input();
        self.edge(loc, chosen, Op::Havoc(self.selected, Some(input)), None, None);
        let (cost, switch) = (self.cost, self.switch_from(place, last));
        for &thread in &living {
            let overtakes = usize::from(self.overtakes(place, &living, thread));
            self.cost = cost + overtakes + if thread == last { 0 } else { switch as usize };
            let to = self.place(Place { at: place.at.clone(), runs: Some(thread) }, thread);
            let exprs = self.flows.out.exprs();
            let (selected, number) = (exprs.var(self.selected, Type::Bv(8)), exprs.bv(8, thread as u64 + 1));
            let is_it = exprs.eq(selected, number);
            let span = self.next_span(place.at[thread] as usize);
            self.edge(chosen, to, Op::assume(is_it), span, None);
        }
    }

    fn schedule_input(&mut self) -> InputId {
        self.flows.out.input(SCHEDULE)
    }

    pub(super) fn next_span(&self, node: usize) -> Option<Span> {
        self.flows.nodes[node].edges.first().and_then(|edge| edge.span)
    }

    /// One if the thread with a number has ended, else zero.
    pub(super) fn ended(&mut self, place: &Place, number: ExprId) -> ExprId {
        let ended: Vec<usize> = (0..place.at.len()).filter(|thread| has_ended(place.at[*thread])).collect();
        let exprs = self.flows.out.exprs();
        let width = exprs.width(number);
        let mut value = exprs.bv(32, 0);
        for thread in ended {
            let exprs = self.flows.out.exprs();
            let (it, one) = (exprs.bv(width, thread as u64 + 1), exprs.bv(32, 1));
            let same = exprs.eq(number, it);
            value = exprs.ite(same, one, value);
        }
        value
    }

    /// The location of a target of the program; copies of one function for several threads have one.
    fn target(&mut self, target: usize) -> LocId {
        let target = self.flows.program.targets[target].clone();
        let key = target.name.split(" (").next().unwrap_or(&target.name);
        self.violation((&target.property, key, &target.name, target.span))
    }

    /// Adds targets that no execution gets to, so that they are known to be checked.
    fn add_unreached_targets(&mut self) {
        let targets: BTreeSet<usize> = self.flows.nodes.iter().filter_map(|node| node.target).collect();
        for target in targets {
            self.target(target);
        }
    }

    /// Adds an edge to a violation: its property, what all places of it have in common, its name, and its location.
    pub(super) fn violate(&mut self, loc: LocId, op: Op, described: (&str, &str, &str, Option<Span>)) {
        let at = self.violation(described);
        self.edge(loc, at, op, described.3, None);
    }

    /// The location of a violation.
    fn violation(&mut self, (property, key, name, span): (&str, &str, &str, Option<Span>)) -> LocId {
        let key = (property.to_string(), span, key.to_string());
        let known = self.targets.get(&key).copied();
        known.unwrap_or_else(|| {
            let at = self.flows.out.loc(self.flows.func);
            self.flows.out.target(at, property, name, span);
            self.targets.insert(key, at);
            at
        })
    }

    /// Ends executions that are not followed further. That they reach a target is a guess, which a proof has to exclude
    /// and a native run to confirm.
    pub(super) fn stop(&mut self, loc: LocId, what: &'static str, span: Option<Span>) {
        if let Some(&known) = self.stops.get(&(what, span)) {
            return self.edge(loc, known, Op::Skip, span, None);
        }
        let stop = self.flows.out.loc(self.flows.func);
        self.stops.insert((what, span), stop);
        self.edge(loc, stop, Op::Skip, span, None);
        let edge = self.flows.out.edge(stop, self.beyond, Op::Skip, span);
        self.flows.out.assumption(Assumption {
            kind: "threads".into(),
            text: what.into(),
            direction: Direction::MayInventBug,
            edge: Some(edge),
            span,
        });
    }

    /// Connects the places where executions are not followed with each target, which they may reach. The path is long,
    /// so that a search explores others first.
    fn lead_on(&mut self) {
        if self.stops.is_empty() {
            return;
        }
        let mut at = self.beyond;
        let kind = AssumeKind { branch: true, ..AssumeKind::default() };
        for step in 0..BEYOND {
            let next = self.flows.out.loc(self.flows.func);
            let exprs = self.flows.out.exprs();
            let (selected, number) = (exprs.var(self.selected, Type::Bv(8)), exprs.bv(8, 128 + step));
            let same = exprs.eq(selected, number);
            let differs = exprs.unary(UnOp::Not, same);
            self.edge(at, next, Op::Assume(differs, kind), None, None);
            at = next;
        }
        if self.targets.is_empty() && self.flows.kept_targets().is_empty() {
            // Without a target there would be nothing to exclude.
            let property = self.options.properties.first().map_or("unreach-call", |property| property.name());
            let name = "what is not looked at";
            return self.violate(at, Op::Skip, (property, name, name, None));
        }
        let targets: Vec<LocId> = self.targets.values().copied().collect();
        for target in targets {
            self.edge(at, target, Op::Skip, None, None);
        }
        // Functions that are called as one step may have targets as well.
        for func in self.flows.kept_targets() {
            let params = self.flows.out.program().functions[func].params.clone();
            let mut args = Vec::new();
            for param in params {
                let ty = self.flows.out.program().vars[param].ty;
                let name = self.flows.unique("any");
                let any = self.flows.out.local(self.flows.func, &name, ty);
                args.push(self.flows.out.exprs().var(any, ty));
            }
            let behind = self.flows.out.loc(self.flows.func);
            let call = Call { callee: Callee::Direct(func), args, ret: None };
            self.edge(at, behind, Op::Call(Box::new(call)), None, None);
        }
    }

    fn finish(self) -> Result<Program, LowerError> {
        let Product { mut flows, .. } = self;
        for assumption in flows.program.assumptions.iter().filter(|known| known.edge.is_none()) {
            flows.out.assumption(assumption.clone());
        }
        let text = "every thread can be created and has a number of its own as its handle, memory is sequentially consistent, \
            and no thread sees a copy of a structure or a call of the library half done";
        let signals = "a wait for a condition ends only by a signal";
        for text in [text].into_iter().chain(flows.signals_counted.then_some(signals)) {
            flows.out.assumption(Assumption {
                kind: "threads".into(),
                text: text.into(),
                direction: Direction::MayHideBug,
                edge: None,
                span: None,
            });
        }
        flows.out.drop_unused_variables();
        let program = flows.out.finish();
        program.map_err(|faults| LowerError::Invalid(faults[0].to_string()))
    }
}
