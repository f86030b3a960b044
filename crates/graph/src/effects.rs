//! Effects of functions: which globals and regions they may read and write, by themselves or through functions that
//! they call.

use crate::calls::Graph;
use beeline_ir::{Expr, ExprId, FuncId, Op, Program, RegionId, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// The effects of a function beyond its own variables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Effects {
    /// Globals that may be read.
    pub reads: BTreeSet<VarId>,
    /// Globals that may be written.
    pub writes: BTreeSet<VarId>,
    /// Regions that may be read.
    pub region_reads: BTreeSet<RegionId>,
    /// Regions that may be written.
    pub region_writes: BTreeSet<RegionId>,
}

impl Effects {
    fn extend(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.region_reads.extend(&other.region_reads);
        self.region_writes.extend(&other.region_writes);
    }
}

/// The effects of all functions; functions that may call each other share theirs.
#[derive(Debug)]
pub struct EffectMap {
    of_component: Vec<Effects>,
}

impl EffectMap {
    /// Finds the effects of a program's functions; an indirect call may call every candidate.
    pub fn new(graph: &Graph<'_>) -> EffectMap {
        let mut of_component: Vec<Effects> = Vec::with_capacity(graph.components().len());
        let mut uses = Uses::new(graph.program());
        for (index, functions) in graph.components().iter().enumerate() {
            let mut effects = Effects::default();
            let mut called = BTreeSet::new();
            for &func in functions {
                own_effects(graph.program(), func, &mut uses, &mut effects);
                let callees = graph.calls_in(func).flat_map(|call| &call.callees);
                called.extend(callees.map(|&callee| graph.component_of(callee)));
            }
            called.remove(&index);
            called.into_iter().for_each(|component| effects.extend(&of_component[component]));
            of_component.push(effects);
        }
        EffectMap { of_component }
    }

    /// The effects of a function.
    pub fn of(&self, graph: &Graph<'_>, func: FuncId) -> &Effects {
        &self.of_component[graph.component_of(func)]
    }
}

fn own_effects(program: &Program, func: FuncId, uses: &mut Uses<'_>, effects: &mut Effects) {
    let is_global = |var: &VarId| program.vars[*var].owner.is_none();
    for edge in program.functions[func].locations().flat_map(|loc| program.out_edges(loc)) {
        let op = &program.edges[edge].op;
        for expr in op.expressions() {
            let used = uses.of(expr);
            effects.reads.extend(used.vars.iter().copied().filter(is_global));
            effects.region_reads.extend(&used.regions);
        }
        effects.writes.extend(op.writes().into_iter().filter(is_global));
        if let Op::Store { region, .. } | Op::HavocRegion(region) = op {
            effects.region_writes.insert(*region);
        }
    }
}

/// The reads of an expression.
#[derive(Debug, Default)]
pub(crate) struct Used {
    pub vars: BTreeSet<VarId>,
    /// The read variables on which an address depends.
    pub addresses: BTreeSet<VarId>,
    pub regions: BTreeSet<RegionId>,
}

/// The reads of expressions, computed once for each.
pub(crate) struct Uses<'a> {
    program: &'a Program,
    known: BTreeMap<ExprId, Used>,
}

impl<'a> Uses<'a> {
    pub(crate) fn new(program: &'a Program) -> Uses<'a> {
        Uses { program, known: BTreeMap::new() }
    }

    pub(crate) fn of(&mut self, expr: ExprId) -> &Used {
        let program = self.program;
        self.known.entry(expr).or_insert_with(|| used(program, expr))
    }
}

fn used(program: &Program, expr: ExprId) -> Used {
    let mut used = Used::default();
    let mut addresses = Vec::new();
    for (_, node) in program.exprs.parts([expr]) {
        match node {
            Expr::Var(var) => drop(used.vars.insert(var)),
            Expr::Load { region, addr, .. } => {
                used.regions.insert(region);
                addresses.push(addr);
            }
            _ => {}
        }
    }
    for (_, node) in program.exprs.parts(addresses) {
        if let Expr::Var(var) = node {
            used.addresses.insert(var);
        }
    }
    used
}
