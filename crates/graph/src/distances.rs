//! Distances to targets: the static half of the directed search, and its half at run time.
//!
//! `exit(l)` is the length of the shortest path from a location to its function's exit, `abs(l)` that of the shortest
//! path to a target without returning to the caller, `through(f)` that of the shortest path from a function's entry to
//! its exit. One search goes backwards from all exits: when a function's entry is settled, so is the cost of crossing
//! calls of it. That is Knuth's generalisation of Dijkstra's algorithm and gives the least solution for recursive
//! functions too.

use crate::calls::{CallSite, Graph, InEdge, weight_in};
use crate::dist::Dist;
use crate::metric::Metric;
use crate::queue::Queue;
use beeline_ir::{EdgeId, FuncId, LocId, Program};
use cranelift_entity::EntityRef;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The estimate for calls whose callee is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Estimate {
    /// No context: a function may return to any of its callers.
    Fsm,
    /// The open calls count; an indirect call is the cheapest of its candidates.
    Efca,
    /// As `Efca`, but crossing an indirect call costs 2 until its callee is known, or as much as the cheapest candidate
    /// if that is less: else it would be no lower bound.
    Pfsm,
}

impl Estimate {
    /// All estimates, in the order of their tags in files.
    pub const ALL: [Estimate; 3] = [Estimate::Fsm, Estimate::Efca, Estimate::Pfsm];

    /// The name in files and options.
    pub fn name(self) -> &'static str {
        match self {
            Estimate::Fsm => "fsm",
            Estimate::Efca => "efca",
            Estimate::Pfsm => "pfsm",
        }
    }
}

/// The cost of an unresolved call in `Pfsm`: one step to enter, one to return.
const UNRESOLVED: u64 = 2;

/// The goal of a search: one of the locations of the first stage, then of the second ...
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Targets {
    /// The locations of each stage.
    pub stages: Vec<Vec<LocId>>,
}

impl Targets {
    /// Any target of the program.
    pub fn all(program: &Program) -> Targets {
        Targets { stages: vec![program.targets.iter().map(|target| target.loc).collect()] }
    }

    /// One location after the other.
    pub fn sequence(locations: impl IntoIterator<Item = LocId>) -> Targets {
        Targets { stages: locations.into_iter().map(|loc| vec![loc]).collect() }
    }
}

/// Why a call cannot be resolved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The edge is no call.
    #[error("{0} is not a call")]
    NoCall(EdgeId),
    /// The function is not among the candidates.
    #[error("{0} cannot call {1}, which is not among its candidates")]
    NoCandidate(EdgeId, FuncId),
    /// The distances are of another program than the graph.
    #[error("the distances belong to another program; measure this one with beeline-annotate")]
    Foreign,
}

/// The distances of a program in one metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distances {
    pub(crate) metric: Metric,
    pub(crate) estimate: Estimate,
    pub(crate) targets: Targets,
    pub(crate) exit: Vec<Dist>,
    /// Distances to each stage, by location.
    pub(crate) abs: Vec<Vec<Dist>>,
    /// The cost of crossing each function.
    pub(crate) through: Vec<Dist>,
    pub(crate) owner: Arc<[FuncId]>,
    /// The callees seen at each call site.
    pub(crate) resolved: Vec<Vec<FuncId>>,
    /// For each call site whose candidates `Pfsm` does not search: its cost as long as it is not resolved.
    pub(crate) unresolved: Vec<Option<Dist>>,
}

impl Distances {
    /// Measures a program.
    pub fn new(graph: &Graph<'_>, metric: Metric, estimate: Estimate, targets: Targets) -> Distances {
        let stages = targets.stages.len();
        let locs = graph.owners().len();
        let mut distances = Distances {
            metric,
            estimate,
            targets,
            exit: vec![Dist::INFINITE; locs],
            abs: vec![vec![Dist::INFINITE; locs]; stages],
            through: vec![Dist::INFINITE; graph.program().functions.len()],
            owner: graph.owners().into(),
            resolved: vec![Vec::new(); graph.calls().len()],
            unresolved: vec![None; graph.calls().len()],
        };
        distances.search_exits(graph, Scope::All);
        if estimate == Estimate::Pfsm && graph.calls().iter().any(|call| call.callees.len() > 1) {
            distances.forget_candidates(graph);
        }
        distances.search_targets(graph, Scope::All);
        distances
    }

    /// Measures a program in several metrics, side by side.
    pub fn of_metrics(
        graph: &Graph<'_>,
        metrics: &[Metric],
        estimate: Estimate,
        targets: &Targets,
    ) -> Vec<Distances> {
        let measure = |metric| Distances::new(graph, metric, estimate, targets.clone());
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                metrics.iter().map(|&metric| scope.spawn(move || measure(metric))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no search panics")).collect()
        })
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The estimate.
    pub fn estimate(&self) -> Estimate {
        self.estimate
    }

    /// The targets.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Number of locations.
    pub fn num_locs(&self) -> usize {
        self.exit.len()
    }

    /// The distance from a location to its function's exit.
    pub fn exit_dist(&self, loc: LocId) -> Dist {
        self.exit[loc.index()]
    }

    /// The distance from a function's entry to its exit.
    pub fn through(&self, func: FuncId) -> Dist {
        self.through[func.index()]
    }

    /// The distance of a location from its function's exit minus that of the entry: nearly always negative. None where
    /// one of them has no path to the exit.
    pub fn exit_diff(&self, loc: LocId) -> Option<i64> {
        let whole = self.through[self.owner[loc.index()].index()].steps()?;
        let here = self.exit[loc.index()].steps()?;
        // Both are at most `Dist::FAR`.
        Some(here as i64 - whole as i64)
    }

    /// The distance from a location to a target of a stage without returning to the caller (with `Fsm`: returning to
    /// any caller).
    ///
    /// # Panics
    /// If there is no such stage.
    pub fn abs_dist(&self, stage: usize, loc: LocId) -> Dist {
        self.abs[stage][loc.index()]
    }

    /// The distance of a state (formula 3.1) from its location and the distance of the state that called
    /// the current function: infinite if there is none.
    pub fn dist(&self, stage: usize, loc: LocId, call: Dist) -> Dist {
        let abs = self.abs_dist(stage, loc);
        if self.estimate == Estimate::Fsm {
            return abs;
        }
        self.exit_diff(loc).map_or(abs, |difference| call.shifted(difference).min(abs))
    }

    /// The distance of the call for [`Self::dist`] inside a callee, from where the call returns to and the distance of
    /// the call that is open around it.
    ///
    /// Formula 3.1 takes the distance of the call state itself. That is too small where the path from the call to the
    /// target leads into the callee and the state inside has gone past it; this one is exact.
    pub fn call_dist(&self, stage: usize, callee: FuncId, returns_to: LocId, call: Dist) -> Dist {
        let back = Dist::new(self.metric.return_weight());
        self.through(callee) + back + self.dist(stage, returns_to, call)
    }

    /// Records that a call site was seen to call a function, and measures anew what depends on it: crossing the call
    /// costs as much as the cheapest function that it was seen to call, while paths into all of its candidates remain.
    /// Returns how many functions were measured.
    pub fn resolve(
        &mut self,
        graph: &Graph<'_>,
        edge: EdgeId,
        callee: FuncId,
    ) -> Result<usize, ResolveError> {
        if !self.fits(graph) {
            return Err(ResolveError::Foreign);
        }
        let index = graph.call_of(edge).ok_or(ResolveError::NoCall(edge))?;
        let call = &graph.calls()[index];
        if !call.callees.contains(&callee) {
            return Err(ResolveError::NoCandidate(edge, callee));
        }
        if call.callees.len() == 1 || self.resolved[index].contains(&callee) {
            return Ok(0);
        }
        self.resolved[index].push(callee);
        // Callees first: the cost of a function depends only on its callees.
        let mut measured = 0;
        let mut waiting = BTreeSet::from([graph.component_of(call.caller)]);
        while let Some(component) = waiting.pop_first() {
            let functions = &graph.components()[component];
            measured += functions.len();
            let before: Vec<Vec<Dist>> = functions.iter().map(|&func| self.summary(graph, func)).collect();
            self.search_exits(graph, Scope::Component(component));
            if self.estimate != Estimate::Fsm {
                self.search_targets(graph, Scope::Component(component));
            }
            for (&func, before) in functions.iter().zip(before) {
                if self.summary(graph, func) != before {
                    let callers = graph.callers(func).iter();
                    let callers =
                        callers.map(|&call| graph.component_of(graph.calls()[call as usize].caller));
                    waiting.extend(callers.filter(|&caller| caller != component));
                }
            }
        }
        if self.estimate == Estimate::Fsm {
            // Without context, the cost of a function depends on its callers as well.
            self.search_targets(graph, Scope::All);
        }
        Ok(measured)
    }

    /// Whether the distances, which may come from a file, have as many locations, functions and calls as the graph.
    pub fn fits(&self, graph: &Graph<'_>) -> bool {
        self.owner[..] == *graph.owners()
            && self.through.len() == graph.program().functions.len()
            && self.resolved.len() == graph.calls().len()
    }

    /// Everything about a function that its callers depend on.
    fn summary(&self, graph: &Graph<'_>, func: FuncId) -> Vec<Dist> {
        let entry = graph.program().functions[func].entry().index();
        std::iter::once(self.through[func.index()]).chain(self.abs.iter().map(|abs| abs[entry])).collect()
    }

    /// Gives every call with several candidates a constant cost.
    fn forget_candidates(&mut self, graph: &Graph<'_>) {
        for (index, call) in graph.calls().iter().enumerate() {
            if call.callees.len() > 1 {
                let cost = self.crossing(index, call).min(Dist::new(UNRESOLVED));
                self.unresolved[index] = Some(cost);
            }
        }
        self.search_exits(graph, Scope::All);
    }

    /// The cost from a call location to where the call returns.
    fn crossing(&self, index: usize, call: &CallSite) -> Dist {
        let callees = match (&self.resolved[index][..], self.unresolved[index]) {
            ([], Some(cost)) => return cost,
            ([], None) => &call.callees,
            (seen, _) => seen,
        };
        let inside = callees.iter().map(|func| self.through[func.index()]).min();
        let around = Dist::new(call.weight(self.metric) + self.metric.return_weight());
        inside.unwrap_or(Dist::INFINITE) + around
    }

    fn search_exits(&mut self, graph: &Graph<'_>, scope: Scope) {
        let mut exit = std::mem::take(&mut self.exit);
        let mut queue = Queue::new();
        for func in scope.functions(graph) {
            let function = &graph.program().functions[func];
            exit[function.locs.start as usize..function.locs.end as usize].fill(Dist::INFINITE);
            self.through[func.index()] = Dist::INFINITE;
            improve(&mut exit, &mut queue, function.exit.index(), Dist::ZERO);
        }
        while let Some((dist, loc)) = queue.pop() {
            let loc = loc as usize;
            if exit[loc] != dist {
                continue;
            }
            for &edge in graph.in_edges(loc) {
                match edge {
                    InEdge::Plain(src, weights) => {
                        let dist = dist + Dist::new(weight_in(weights, self.metric));
                        improve(&mut exit, &mut queue, src as usize, dist);
                    }
                    InEdge::Call(index) => {
                        let call = &graph.calls()[index as usize];
                        let dist = dist + self.crossing(index as usize, call);
                        improve(&mut exit, &mut queue, call.src.index(), dist);
                    }
                }
            }
            let func = self.owner[loc];
            if graph.program().functions[func].entry().index() == loc {
                self.through[func.index()] = dist;
                for &index in graph.callers(func) {
                    let call = &graph.calls()[index as usize];
                    if scope.contains(graph, call.caller) {
                        let dist = exit[call.dst.index()] + self.crossing(index as usize, call);
                        improve(&mut exit, &mut queue, call.src.index(), dist);
                    }
                }
            }
        }
        self.exit = exit;
    }

    fn search_targets(&mut self, graph: &Graph<'_>, scope: Scope) {
        for stage in 0..self.abs.len() {
            let mut abs = std::mem::take(&mut self.abs[stage]);
            self.search_stage(graph, scope, stage, &mut abs);
            self.abs[stage] = abs;
        }
    }

    fn search_stage(&self, graph: &Graph<'_>, scope: Scope, stage: usize, abs: &mut [Dist]) {
        let mut queue = Queue::new();
        for func in scope.functions(graph) {
            let function = &graph.program().functions[func];
            abs[function.locs.start as usize..function.locs.end as usize].fill(Dist::INFINITE);
        }
        for &loc in &self.targets.stages[stage] {
            if scope.contains(graph, graph.function_of(loc)) {
                improve(abs, &mut queue, loc.index(), Dist::ZERO);
            }
        }
        if let Scope::Component(component) = scope {
            for &func in &graph.components()[component] {
                for index in graph.call_indices_in(func) {
                    self.enter_from(graph, index, scope, abs, &mut queue);
                }
            }
        }
        while let Some((dist, loc)) = queue.pop() {
            let loc = loc as usize;
            if abs[loc] != dist {
                continue;
            }
            for &edge in graph.in_edges(loc) {
                match edge {
                    InEdge::Plain(src, weights) => {
                        let dist = dist + Dist::new(weight_in(weights, self.metric));
                        improve(abs, &mut queue, src as usize, dist);
                    }
                    InEdge::Call(index) => {
                        self.step_over(graph, index as usize, dist, abs, &mut queue);
                    }
                }
            }
            let func = self.owner[loc];
            if graph.program().functions[func].entry().index() == loc {
                for &index in graph.callers(func) {
                    let call = &graph.calls()[index as usize];
                    if scope.contains(graph, call.caller) {
                        let dist = dist + Dist::new(call.weight(self.metric));
                        improve(abs, &mut queue, call.src.index(), dist);
                    }
                }
            }
        }
    }

    /// Updates a call by the targets in callees that are not searched.
    fn enter_from(&self, graph: &Graph<'_>, index: usize, scope: Scope, abs: &mut [Dist], queue: &mut Queue) {
        let call = &graph.calls()[index];
        for &callee in &call.callees {
            if !scope.contains(graph, callee) {
                let entry = graph.program().functions[callee].entry();
                let dist = abs[entry.index()] + Dist::new(call.weight(self.metric));
                improve(abs, queue, call.src.index(), dist);
            }
        }
    }

    /// Steps from where a call returns to, back over the call.
    fn step_over(&self, graph: &Graph<'_>, index: usize, dist: Dist, abs: &mut [Dist], queue: &mut Queue) {
        let call = &graph.calls()[index];
        improve(abs, queue, call.src.index(), dist + self.crossing(index, call));
        if self.estimate == Estimate::Fsm {
            let dist = dist + Dist::new(self.metric.return_weight());
            for &callee in &call.callees {
                improve(abs, queue, graph.program().functions[callee].exit.index(), dist);
            }
        }
    }
}

fn improve(dists: &mut [Dist], queue: &mut Queue, loc: usize, dist: Dist) {
    if dist < dists[loc] {
        dists[loc] = dist;
        queue.push(dist, loc as u32);
    }
}

/// The functions of a search; the results for others are known.
#[derive(Debug, Clone, Copy)]
enum Scope {
    All,
    Component(usize),
}

impl Scope {
    fn contains(self, graph: &Graph<'_>, func: FuncId) -> bool {
        match self {
            Scope::All => true,
            Scope::Component(component) => graph.component_of(func) == component,
        }
    }

    fn functions(self, graph: &Graph<'_>) -> Vec<FuncId> {
        match self {
            Scope::All => graph.program().functions.keys().collect(),
            Scope::Component(component) => graph.components()[component].clone(),
        }
    }
}
