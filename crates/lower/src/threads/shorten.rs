//! Shortens the automata of threads before they are put together: the product has a copy of a node for each combination of places of
//! the other threads.
//!
//! Variables and memory with one value, as most of what a model of a lock asks for, are replaced by it; branches that are never taken,
//! assignments that nothing reads, and nodes that do nothing are left out. Nodes keep their numbers.

use super::flow::{Edge, Flows, Step};
use beeline_ir::walk::PostOrder;
use beeline_ir::{
    ConstId, EdgeId, Expr, ExprId, ExprPool, Op, Program, Region, RegionId, Type, Value, VarId,
};
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// Shortens all automata. What depends on what, and which accesses may race, is known before.
pub(super) fn shorten(flows: &mut Flows) {
    while replace_known(flows) {}
    while drop_unread(flows) {}
    skip_over(flows);
    while join_branches(flows) {
        skip_over(flows);
    }
}

/// An expression with other expressions in the place of variables and of what memory holds.
pub(super) fn replaced(
    exprs: &mut ExprPool,
    root: ExprId,
    mut known: impl FnMut(&mut ExprPool, Expr) -> Option<ExprId>,
) -> ExprId {
    let mut copies: FxHashMap<ExprId, ExprId> = FxHashMap::default();
    let mut walk = PostOrder::new(root);
    while let Some(id) = walk.next(exprs, |id| copies.contains_key(&id)) {
        let (node, ty) = (exprs[id].map_operands(|operand| copies[&operand]), exprs.ty(id));
        let copy = match known(exprs, node) {
            Some(other) => other,
            None if matches!(node, Expr::Const(_) | Expr::Var(_)) => id,
            None => exprs.folded(node, ty),
        };
        copies.insert(id, copy);
    }
    copies[&root]
}

/// The nodes that some thread may reach.
fn reachable(flows: &Flows) -> Vec<usize> {
    let mut met: FxHashSet<usize> = flows.entries.iter().copied().collect();
    let mut found = flows.entries.clone();
    let mut at = 0;
    while let Some(&node) = found.get(at) {
        at += 1;
        let new = flows.nodes[node].edges.iter().map(|edge| edge.to).filter(|to| met.insert(*to));
        found.extend(new.collect::<Vec<_>>());
    }
    found
}

/// The only value of a variable or of memory, if it has one.
type Only = Option<ConstId>;

/// A write to memory: its address, the type, and the value if that is a constant.
type Write = (u64, Type, Only);

/// The values of variables and memory that never change.
struct Known {
    vars: FxHashMap<VarId, Only>,
    /// The writes of a region, with their addresses and types; `None` if one may be anywhere.
    writes: FxHashMap<RegionId, Option<Vec<Write>>>,
}

impl Known {
    fn new(flows: &mut Flows, nodes: &[usize]) -> Known {
        let mut known = Known { vars: FxHashMap::default(), writes: FxHashMap::default() };
        let program = flows.out.program();
        program.globals().for_each(|(id, var)| known.write(id, var.init));
        for &node in nodes {
            for edge in &flows.nodes[node].edges {
                match &edge.step {
                    Step::Op(op) => known.note(program, op),
                    Step::Ended(Some(var), _) | Step::IsNew(Some(var), _) => known.write(*var, None),
                    _ => {}
                }
            }
        }
        for &func in flows.kept.values() {
            flows.kept_ops(func).for_each(|op| known.note(program, op));
        }
        // The caller sets parameters of the entry function, and what a thread begins with may be anything.
        let given = program.functions[flows.func].params.clone();
        given.into_iter().chain(flows.unset_at_starts()).for_each(|var| known.write(var, None));
        known
    }

    fn write(&mut self, var: VarId, value: Only) {
        let only = self.vars.entry(var).or_insert(value);
        if *only != value {
            *only = None;
        }
    }

    fn note(&mut self, program: &Program, op: &Op) {
        let constant = |id: ExprId| match program.exprs[id] {
            Expr::Const(value) => Some(value),
            _ => None,
        };
        match op {
            Op::Assign(list) => list.iter().for_each(|&(var, value)| self.write(var, constant(value))),
            Op::Store { region, addr, value } => {
                let writes = self.writes.entry(*region).or_insert_with(|| Some(Vec::new()));
                match (writes, program.exprs.as_bits(*addr).and_then(|bits| bits.to_u64())) {
                    (Some(writes), Some(addr)) => {
                        writes.push((addr, program.exprs.ty(*value), constant(*value)))
                    }
                    (writes, _) => *writes = None,
                }
            }
            Op::HavocRegion(region) => drop(self.writes.insert(*region, None)),
            _ => op.writes().into_iter().for_each(|var| self.write(var, None)),
        }
    }

    /// The one value of a variable or of memory that is read.
    fn value(&self, regions: &PrimaryMap<RegionId, Region>, exprs: &ExprPool, node: Expr) -> Only {
        match node {
            Expr::Var(var) => self.vars.get(&var).copied().flatten(),
            Expr::Load { region, addr, ty } => {
                self.held(region, &regions[region], exprs.as_bits(addr)?.to_u64()?, ty)
            }
            _ => None,
        }
    }

    /// The value that memory holds from the beginning, if all writes there are of this one.
    fn held(&self, region: RegionId, data: &Region, addr: u64, ty: Type) -> Only {
        let size = data.stride();
        if ty != data.cell || !data.allows(addr, size) {
            return None;
        }
        let run = &data.init[data.init.partition_point(|run| run.addr <= addr).checked_sub(1)?];
        let offset = addr - run.addr;
        if !offset.is_multiple_of(size) || offset / size >= run.count {
            return None;
        }
        let writes = match self.writes.get(&region) {
            None => &Vec::new(),
            Some(writes) => writes.as_ref()?,
        };
        let differs = |&(at, other, written): &Write| {
            let bytes = u64::from(other.memory_bits().unwrap_or(8).div_ceil(8));
            at < addr + size && addr < at + bytes && (at, other, written) != (addr, ty, Some(run.value))
        };
        (!writes.iter().any(differs)).then_some(run.value)
    }
}

/// Replaces what has only one value; returns whether anything changed.
fn replace_known(flows: &mut Flows) -> bool {
    let nodes = reachable(flows);
    let known = Known::new(flows, &nodes);
    let program = flows.out.program_mut();
    let (exprs, regions) = (&mut program.exprs, &program.regions);
    let mut changed = false;
    let mut replace = |root: &mut ExprId| {
        let new = replaced(exprs, *root, |exprs, node| {
            let value = exprs.value(known.value(regions, exprs, node)?).clone();
            Some(exprs.constant(value))
        });
        changed |= new != *root;
        *root = new;
    };
    for &node in &nodes {
        for edge in &mut flows.nodes[node].edges {
            match &mut edge.step {
                Step::Op(op) => op.map_expressions(|mut root| {
                    replace(&mut root);
                    root
                }),
                Step::Point(_, addresses) | Step::Access(_, addresses) => {
                    addresses.iter_mut().for_each(&mut replace);
                }
                Step::Wait(expr) | Step::Ended(_, expr) => replace(expr),
                // It has been looked at.
                Step::Read(_) => edge.step = Step::Op(Op::Skip),
                Step::IsNew(..) | Step::Start(_) | Step::TooMany | Step::Exit => {}
            }
        }
    }
    for node in nodes {
        let truth = |step: &Step| match step {
            Step::Op(Op::Assume(cond, _)) => {
                flows.out.program().exprs.as_const(*cond).and_then(Value::as_bool)
            }
            _ => None,
        };
        let edges = &mut flows.nodes[node].edges;
        let before = edges.len();
        edges.retain(|edge| truth(&edge.step) != Some(false));
        changed |= edges.len() != before;
        let truth = |step: &Step| match step {
            Step::Wait(holds) => flows.out.program().exprs.as_const(*holds).and_then(Value::as_bool),
            step => truth(step),
        };
        for edge in edges.iter_mut().filter(|edge| truth(&edge.step) == Some(true)) {
            edge.step = Step::Op(Op::Skip);
        }
    }
    changed
}

/// Drops assignments to variables that nothing reads; returns whether there were any.
fn drop_unread(flows: &mut Flows) -> bool {
    let nodes = reachable(flows);
    let program = flows.out.program();
    let mut read: FxHashSet<VarId> = program.functions[flows.func].ret.into_iter().collect();
    for edge in nodes.iter().flat_map(|node| &flows.nodes[*node].edges) {
        let roots = match &edge.step {
            Step::Op(op) => op.expressions().to_vec(),
            Step::Point(_, addresses) | Step::Access(_, addresses) => addresses.clone(),
            Step::Wait(expr) | Step::Ended(_, expr) => vec![*expr],
            Step::Read(_) | Step::IsNew(..) | Step::Start(_) | Step::TooMany | Step::Exit => Vec::new(),
        };
        read.extend(program.exprs.parts(roots).filter_map(|(_, node)| match node {
            Expr::Var(var) => Some(var),
            _ => None,
        }));
    }
    // What a person named is told on a path.
    let is_unread = |var: VarId| {
        let data = &program.vars[var];
        data.owner == Some(flows.func) && data.source.is_none() && !read.contains(&var)
    };
    let mut changed = false;
    for node in nodes {
        for edge in &mut flows.nodes[node].edges {
            let Step::Op(op) = &mut edge.step else { continue };
            let is_dropped = match op {
                Op::Assign(list) => {
                    let before = list.len();
                    list.retain(|(var, value)| !is_unread(*var) || !has_result(program, *value));
                    changed |= list.len() != before;
                    list.is_empty()
                }
                Op::Havoc(var, None) => is_unread(*var),
                _ => false,
            };
            if is_dropped {
                *op = Op::Skip;
                changed = true;
            }
        }
    }
    changed
}

/// Whether an expression has a result whatever the values are.
fn has_result(program: &Program, root: ExprId) -> bool {
    let exprs = &program.exprs;
    exprs.is_total_if(root, |region, addr, ty| {
        let bytes = u64::from(ty.memory_bits().unwrap_or(8).div_ceil(8));
        let addr = exprs.as_bits(addr).and_then(|bits| bits.to_u64());
        addr.is_some_and(|addr| program.regions[region].allows(addr, bytes))
    })
}

/// The edges of the program that assumptions are about.
fn assumed(flows: &Flows) -> FxHashSet<EdgeId> {
    flows.program.assumptions.iter().filter_map(|known| known.edge).collect()
}

/// Makes one edge of a branch whose ways lead to the same node; returns whether there was one.
fn join_branches(flows: &mut Flows) -> bool {
    let (mut joined, assumed) = (Vec::new(), assumed(flows));
    for node in reachable(flows) {
        let [one, other] = &flows.nodes[node].edges[..] else { continue };
        let (Step::Op(Op::Assume(cond, kind)), Step::Op(Op::Assume(negated, _))) = (&one.step, &other.step)
        else {
            continue;
        };
        let (cond, negated) = (*cond, *negated);
        let is_assumed = |edge: &Edge| edge.origin.is_some_and(|origin| assumed.contains(&origin));
        if kind.branch
            && one.to == other.to
            && !is_assumed(one)
            && !is_assumed(other)
            && has_result(flows.out.program(), cond)
            && flows.out.exprs().not(cond) == negated
        {
            joined.push(node);
        }
    }
    for &node in &joined {
        let edges = &mut flows.nodes[node].edges;
        edges.truncate(1);
        edges[0].step = Step::Op(Op::Skip);
    }
    !joined.is_empty()
}

/// Leads past nodes that do nothing, unless they tell where the thread is in the source.
fn skip_over(flows: &mut Flows) {
    let assumed = assumed(flows);
    let nodes = reachable(flows);
    for &node in &nodes {
        for index in 0..flows.nodes[node].edges.len() {
            let mut passed = FxHashSet::default();
            loop {
                let edge = &flows.nodes[node].edges[index];
                let (to, span) = (edge.to, edge.span);
                let data = &flows.nodes[to];
                let [Edge { to: next, step: Step::Op(Op::Skip), span: other, origin }] = data.edges[..]
                else {
                    break;
                };
                let is_plain = data.target.is_none() && !data.ends && (other.is_none() || other == span);
                if !is_plain || origin.is_some_and(|origin| assumed.contains(&origin)) || !passed.insert(to) {
                    break;
                }
                flows.nodes[node].edges[index].to = next;
            }
        }
    }
}
