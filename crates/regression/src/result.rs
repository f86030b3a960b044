//! Results in the ids of the new program.

use crate::alignment::Alignment;
use beeline_ir::{EdgeId, LocId, Program, VarId};
use beeline_run::{
    Certificate, Run, RunBroken, RunCall, RunContext, RunCuts, RunEnd, RunEnsures, RunExpr, RunInduction,
    RunInvariant, RunInvariants, RunKey, RunProof, RunStack, RunState, RunSummaries, RunTarget, RunUnrolling,
    RunVerdict, TargetVerdict, region_at_entry, region_of_invariant,
};

/// A proof of an old program as a proof of the new one, for all targets. `None` if there is none, if parts of it have no
/// match, or if its account may not hold any more. Only a check shows whether it is valid.
pub fn moved(run: &Run, (old, new): (&Program, &Program), alignment: &Alignment) -> Option<Run> {
    let is_plain = run.verdict == RunVerdict::Safe && run.resting.is_empty() && run.parts.is_empty();
    // In a changed program, an execution may reach an operation without a result that none reached before.
    let has_account = alignment.is_same() || run.undefined.is_empty() && run.broken.is_empty();
    if !is_plain || !has_account {
        return None;
    }
    let mover = Mover { alignment, old, new };
    let proofs: Vec<Certificate> =
        run.proofs.iter().map(|proof| mover.proof(proof)).collect::<Option<_>>()?;
    Some(Run {
        verdict: RunVerdict::Safe,
        targets: mover.targets(run)?,
        proofs,
        undefined: sorted(run.undefined.iter().filter_map(|&edge| mover.edge(edge))),
        broken: run.broken.iter().map(|broken| mover.broken(broken)).collect::<Option<_>>()?,
        paths: Vec::new(),
        statistics: run.statistics.clone(),
        rests: Vec::new(),
        resting: Vec::new(),
        parts: Vec::new(),
        precision: None,
        callees: Vec::new(),
    })
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// What renames the parts of a result.
pub(crate) struct Mover<'a> {
    pub(crate) alignment: &'a Alignment,
    pub(crate) old: &'a Program,
    pub(crate) new: &'a Program,
}

impl Mover<'_> {
    pub(crate) fn loc(&self, loc: LocId) -> Option<LocId> {
        self.alignment.locations.get(&loc).copied()
    }

    fn edge(&self, edge: EdgeId) -> Option<EdgeId> {
        self.alignment.edges.get(&edge).copied()
    }

    pub(crate) fn var(&self, var: VarId) -> Option<VarId> {
        self.alignment.symbols.variables.get(&var).copied()
    }

    pub(crate) fn region(&self, region: beeline_ir::RegionId) -> Option<beeline_ir::RegionId> {
        self.alignment.symbols.regions.get(&region).copied()
    }

    /// A region of an expression, perhaps as it was where a loop was entered.
    fn region_of_expr(&self, region: beeline_ir::RegionId) -> Option<beeline_ir::RegionId> {
        match region_of_invariant(self.old, region) {
            (region, true) => Some(region_at_entry(self.new, self.region(region)?)),
            (region, false) => self.region(region),
        }
    }

    pub(crate) fn func(&self, func: beeline_ir::FuncId) -> Option<beeline_ir::FuncId> {
        self.alignment.functions.get(&func).copied()
    }

    /// The verdicts on the targets of the new program. One that is new may follow from a proof for all targets.
    fn targets(&self, run: &Run) -> Option<Vec<RunTarget>> {
        let of_all = (run.proofs.len() == 1).then_some(TargetVerdict::Safe { proof: 0 });
        let mut targets = Vec::new();
        for target in &self.new.targets {
            let mut known = run.targets.iter().filter(|known| self.loc(known.loc) == Some(target.loc));
            let verdict = known.next().map(|known| known.verdict.clone()).or_else(|| of_all.clone())?;
            targets.push(RunTarget { loc: target.loc, verdict });
        }
        targets.sort_unstable_by_key(|target| target.loc);
        Some(targets)
    }

    /// A violation of a rule, at its new place.
    fn broken(&self, broken: &RunBroken) -> Option<RunBroken> {
        let mut edges = self.old.edges.keys();
        let edge = edges.find(|&edge| self.old.show_origin(edge) == broken.place)?;
        Some(RunBroken { place: self.new.show_origin(self.edge(edge)?), cause: broken.cause.clone() })
    }

    fn proof(&self, proof: &Certificate) -> Option<Certificate> {
        Some(match proof {
            Certificate::Graph(graph) => Certificate::Graph(self.graph(graph)?.0),
            Certificate::Summaries(summaries) => Certificate::Summaries(self.summaries(summaries)?),
            Certificate::Unrolling(unrolling) => Certificate::Unrolling(self.unrolling(unrolling)?),
            Certificate::Joined(_) => return None,
        })
    }

    /// The expressions of predicates.
    pub(crate) fn exprs(&self, exprs: &[RunExpr]) -> Option<Vec<RunExpr>> {
        let moved = exprs.iter().map(|expr| {
            Some(match expr {
                RunExpr::Value(value) => RunExpr::Value(self.alignment.value(value)),
                RunExpr::Var(var, level) => RunExpr::Var(self.var(*var)?, *level),
                RunExpr::Load(region, addr, ty) => RunExpr::Load(self.region_of_expr(*region)?, *addr, *ty),
                other => other.clone(),
            })
        });
        moved.collect()
    }

    /// A graph, and the new number of each state that is left.
    fn graph(&self, graph: &RunProof) -> Option<(RunProof, Vec<Option<u32>>)> {
        let (stacks, stack_of) = self.stacks(graph);
        let is_kept =
            |state: &RunState| self.loc(state.loc).is_some() && stack_of[state.stack as usize].is_some();
        let mut next = 0;
        let number_of: Vec<Option<u32>> = graph
            .states
            .iter()
            .map(|state| {
                is_kept(state).then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        let number = |state: u32| number_of[state as usize];
        let states = graph.states.iter().filter_map(|state| {
            let mut values: Vec<_> =
                state.values.iter().filter_map(|(key, value)| Some((self.key(*key)?, value))).collect();
            values.sort_unstable_by_key(|(key, _)| *key);
            values.dedup_by_key(|(key, _)| *key);
            let value =
                |value: &Option<beeline_ir::Value>| value.as_ref().map(|value| self.alignment.value(value));
            Some(RunState {
                loc: self.loc(state.loc)?,
                stack: stack_of[state.stack as usize]?,
                values: values.into_iter().map(|(key, known)| (key, value(known))).collect(),
                formula: state.formula,
                children: state.children.iter().filter_map(|&child| number(child)).collect(),
                covered_by: state.covered_by.and_then(number),
            })
        });
        let moved = RunProof {
            cuts: self.cuts(&graph.cuts),
            exprs: self.exprs(&graph.exprs)?,
            predicates: graph.predicates.clone(),
            nodes: graph.nodes.clone(),
            states: states.collect(),
            ensures: graph
                .ensures
                .iter()
                .filter_map(|ensures| Some(RunEnsures { func: self.func(ensures.func)?, pred: ensures.pred }))
                .collect(),
            stacks,
        };
        moved.well_formed().ok()?;
        Some((moved, number_of))
    }

    /// The stacks of a graph whose calls are left, and the new number of each.
    fn stacks(&self, graph: &RunProof) -> (Vec<RunStack>, Vec<Option<u32>>) {
        let stacks: Vec<Option<RunStack>> = graph
            .stacks
            .iter()
            .map(|stack| {
                let caller = match stack.caller {
                    None => None,
                    Some((below, call)) => Some((below, self.edge(call)?)),
                };
                Some(RunStack { caller, callee: self.func(stack.callee)? })
            })
            .collect();
        kept(stacks, |stack, numbers| match &mut stack.caller {
            None => true,
            Some((below, _)) => numbers[*below as usize].map(|number| *below = number).is_some(),
        })
    }

    fn key(&self, key: RunKey) -> Option<RunKey> {
        Some(match key {
            RunKey::Var(var, level) => RunKey::Var(self.var(var)?, level),
            RunKey::Pristine(region) => RunKey::Pristine(self.region(region)?),
            RunKey::Cell(region, addr) => {
                RunKey::Cell(self.region(region)?, self.alignment.symbols.address(addr))
            }
        })
    }

    /// Where blocks end. Blocks go on through locations that are new.
    fn cuts(&self, cuts: &RunCuts) -> RunCuts {
        match cuts {
            RunCuts::Everywhere if self.alignment.is_complete() => RunCuts::Everywhere,
            RunCuts::Everywhere => RunCuts::At(sorted(self.alignment.locations.values().copied())),
            RunCuts::At(locs) => RunCuts::At(sorted(locs.iter().filter_map(|&loc| self.loc(loc)))),
        }
    }

    fn summaries(&self, proof: &RunSummaries) -> Option<RunSummaries> {
        let (graph, number_of) = self.graph(&proof.graph)?;
        let number = |state: u32| number_of[state as usize];
        if graph.stacks.len() != proof.graph.stacks.len() {
            return None;
        }
        let calls = proof.calls.iter().filter_map(|call| {
            Some(RunCall {
                state: number(call.state)?,
                edge: self.edge(call.edge)?,
                callee: self.func(call.callee)?,
                context: call.context,
                children: call.children.iter().filter_map(|&child| number(child)).collect(),
            })
        });
        let mut calls: Vec<RunCall> = calls.collect();
        calls.sort_unstable_by_key(|call| (call.state, call.edge, call.callee));
        let entries = proof.entries.iter().map(|&entry| number(entry)).collect::<Option<_>>()?;
        let moved = RunSummaries { graph, entries, calls };
        moved.well_formed().ok()?;
        Some(moved)
    }

    fn unrolling(&self, proof: &RunUnrolling) -> Option<RunUnrolling> {
        let contexts: Vec<Option<RunContext>> = proof
            .contexts
            .iter()
            .map(|context| {
                let caller = match context.caller {
                    None => None,
                    Some((below, call)) => Some((below, self.edge(call)?)),
                };
                Some(RunContext {
                    caller,
                    callee: self.func(context.callee)?,
                    counts: context.counts.clone(),
                })
            })
            .collect();
        let (contexts, number_of) = kept(contexts, |context, numbers| match &mut context.caller {
            None => true,
            Some((below, _)) => numbers[*below as usize].map(|number| *below = number).is_some(),
        });
        let ends = proof.ends.iter().filter_map(|end| {
            Some(RunEnd { loc: self.loc(end.loc)?, context: number_of[end.context as usize]? })
        });
        let inductions = proof.inductions.iter().filter_map(|induction| {
            Some(RunInduction { head: self.loc(induction.head)?, turns: induction.turns })
        });
        let invariants =
            proof.invariants.list.iter().map(|invariant| {
                Some(RunInvariant { head: self.loc(invariant.head)?, expr: invariant.expr })
            });
        // Without one of them, the others may not suffice.
        let invariants = RunInvariants {
            exprs: self.exprs(&proof.invariants.exprs)?,
            list: invariants.collect::<Option<_>>()?,
        };
        Some(RunUnrolling {
            invariants,
            ends: ends.collect(),
            places: proof.places,
            entered: sorted(proof.entered.iter().filter_map(|&func| self.func(func))),
            inductions: inductions.collect(),
            contexts,
        })
    }
}

/// The entries that are left, and their new numbers. `link` renames the reference to an earlier entry, and says whether
/// that is left.
fn kept<T>(
    entries: Vec<Option<T>>,
    link: impl Fn(&mut T, &[Option<u32>]) -> bool,
) -> (Vec<T>, Vec<Option<u32>>) {
    let (mut left, mut numbers) = (Vec::new(), Vec::with_capacity(entries.len()));
    for entry in entries {
        let entry = entry.and_then(|mut entry| link(&mut entry, &numbers).then_some(entry));
        numbers.push(entry.is_some().then_some(left.len() as u32));
        left.extend(entry);
    }
    (left, numbers)
}
