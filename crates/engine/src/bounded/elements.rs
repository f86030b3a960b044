//! Candidates about all elements of memory that a loop has gone through: what it wrote there, what it found there, and
//! that it left the rest as it was.
//!
//! An access of the loop goes through elements if its address changes by a constant in each iteration. An iteration is then
//! known by the address of its element, and what the iteration wrote or found there becomes a fact about that address.

use super::candidates::added;
use crate::control::place::Slot;
use crate::state::precision::{PredId, Predicates};
use beeline_ir::walk::PostOrder;
use beeline_ir::{
    BinOp, Bits, CastOp, EdgeId, Expr, ExprId, Op, Program, RegionId, Type, Value, VarId, cells_of,
};
use beeline_run::{ANY_VALUE, AT_ENTRY, region_at_entry, region_of_invariant};
use beeline_smt::flat;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of candidates of a loop.
const MOST: usize = 60;
/// The greatest number of assignments through which an expression is followed.
const DEEPEST: u32 = 12;
/// The greatest number of objects in a region of which the rest is said to stay as it was.
const MOST_OBJECTS: usize = 16;

/// A loop.
#[derive(Clone, Copy)]
pub(super) struct Loop<'a> {
    pub program: &'a Program,
    /// Its edges.
    pub edges: &'a [EdgeId],
    /// The variables and regions that an iteration may write.
    pub vars: &'a BTreeSet<VarId>,
    pub regions: &'a BTreeSet<RegionId>,
    /// Those of the variables that are read later.
    pub live: &'a BTreeSet<VarId>,
}

/// An access at an address that changes by a constant in each iteration.
#[derive(Debug, Clone, Copy)]
struct Access {
    region: RegionId,
    ty: Type,
    /// Its address in the next iteration, and in the first one.
    now: ExprId,
    then: ExprId,
    /// The change of the address.
    stride: i64,
}

/// The candidates for a loop.
pub(super) fn elements(a_loop: Loop<'_>, predicates: &mut Predicates) -> Vec<PredId> {
    let mut finder = Finder {
        a_loop,
        predicates,
        assigned: FxHashMap::default(),
        steps: FxHashMap::default(),
        kept_in: FxHashMap::default(),
        resolved: FxHashMap::default(),
        found: Vec::new(),
    };
    finder.find_assignments();
    let stores = finder.stores();
    finder.resolved.clear();
    finder.written(&stores);
    let conditions = finder.conditions();
    finder.checked(&conditions);
    finder.rest(&stores);
    finder.last(&conditions);
    finder.found
}

/// A store: where it writes, and what, if that is known of every iteration.
struct Store {
    region: RegionId,
    access: Option<Access>,
    value: (EdgeId, ExprId),
}

struct Finder<'a> {
    a_loop: Loop<'a>,
    predicates: &'a mut Predicates,
    /// What an iteration assigns to variables, and where, for those that it does so once.
    assigned: FxHashMap<VarId, Option<(EdgeId, ExprId)>>,
    /// The variables that each iteration changes by a constant, and where.
    steps: FxHashMap<VarId, (EdgeId, Bits)>,
    /// Where variables are kept that an iteration sets to something unknown.
    kept_in: FxHashMap<VarId, Access>,
    /// The values of assignments at the head of the loop.
    resolved: FxHashMap<(EdgeId, ExprId), Option<ExprId>>,
    found: Vec<PredId>,
}

impl Finder<'_> {
    fn find_assignments(&mut self) {
        let program = self.a_loop.program;
        for &edge in self.a_loop.edges {
            let op = &program.edges[edge].op;
            for var in op.writes() {
                let value = match op {
                    Op::Assign(list) => {
                        list.iter().find(|(to, _)| *to == var).map(|(_, value)| (edge, *value))
                    }
                    _ => None,
                };
                self.assigned.entry(var).and_modify(|assigned| *assigned = None).or_insert(value);
            }
        }
        for &var in self.a_loop.live {
            let Some((edge, value)) = self.assigned(var) else { continue };
            if let Some(step) = added(&program.exprs, var, program.exprs[value]) {
                self.steps.insert(var, (edge, step));
            }
        }
    }

    /// The expression that an iteration assigns to a variable, if that is the only one, and where.
    fn assigned(&self, var: VarId) -> Option<(EdgeId, ExprId)> {
        self.assigned.get(&var).copied().flatten()
    }

    /// The stores of the loop. A variable that one keeps stands for the element from then on.
    fn stores(&mut self) -> Vec<Store> {
        let program = self.a_loop.program;
        let mut stores = Vec::new();
        for &edge in self.a_loop.edges {
            if let Op::Store { region, addr, value } = program.edges[edge].op {
                let access = self.access(region, (edge, addr), program.exprs.ty(value));
                if let (Some(access), Expr::Var(var)) = (access, program.exprs[value])
                    && access.stride != 0
                    && self.is_unknown(var)
                {
                    self.kept_in.insert(var, access);
                }
                access.iter().for_each(|access| self.in_step(access));
                stores.push(Store { region, access, value: (edge, value) });
            }
        }
        stores
    }

    /// That no address of an access is between two elements. Without an overflow, that is so.
    fn in_step(&mut self, access: &Access) {
        let stride = access.stride.unsigned_abs();
        if !stride.is_power_of_two() && stride != 0 {
            let pool = &mut self.predicates.pool;
            let by = pool.constant(Value::Bv(Bits::new(pool.width(access.now), stride)));
            let (from, to) =
                if access.stride > 0 { (access.then, access.now) } else { (access.now, access.then) };
            let distance = pool.sub(to, from);
            let rest = pool.binary(BinOp::URem, distance, by);
            let none = pool.constant(Value::Bv(Bits::zero(pool.width(rest))));
            let in_step = pool.eq(rest, none);
            self.keep(in_step);
        }
    }

    /// Whether an iteration sets the variable to something that is not known.
    fn is_unknown(&self, var: VarId) -> bool {
        self.a_loop.vars.contains(&var) && !self.a_loop.live.contains(&var) && self.assigned(var).is_none()
    }

    fn access(&mut self, region: RegionId, addr: (EdgeId, ExprId), ty: Type) -> Option<Access> {
        let now = self.resolve(addr, DEEPEST)?;
        self.access_at(region, now, ty)
    }

    fn access_at(&mut self, region: RegionId, now: ExprId, ty: Type) -> Option<Access> {
        if flat::is_flat(&self.a_loop.program.regions[region]) {
            return None;
        }
        let mut stride = 0i64;
        let mut then = FxHashMap::default();
        for (var, slot) in self.leaves(now) {
            if !self.a_loop.vars.contains(&slot.var) {
                continue;
            }
            let step = self.steps.get(&slot.var)?.1.to_i64()?;
            stride = stride.checked_add(self.coefficient(now, var)?.checked_mul(step)?)?;
            then.insert(
                var,
                self.predicates.slot_expr(self.a_loop.program, Slot { level: AT_ENTRY, ..slot }),
            );
        }
        let then = self.rewrite(now, &then, None);
        Some(Access { region, ty, now, then, stride })
    }

    /// An expression of an edge in variables as they are at the head of the loop. An edge that comes later in the program is
    /// taken to be taken later.
    fn resolve(&mut self, (edge, root): (EdgeId, ExprId), depth: u32) -> Option<ExprId> {
        let program = self.a_loop.program;
        let mut known = FxHashMap::default();
        let read = program.exprs.parts([root]).filter_map(|(_, node)| match node {
            Expr::Var(var) => Some(var),
            _ => None,
        });
        for var in read.collect::<BTreeSet<VarId>>() {
            let is_at_head = !self.a_loop.vars.contains(&var) || self.a_loop.live.contains(&var);
            let expr = if is_at_head || self.kept_in.contains_key(&var) {
                let at_head = self.predicates.slot_expr(program, Slot { var, level: 0 });
                match self.steps.get(&var) {
                    Some((stepped, step)) if *stepped < edge => {
                        let step = self.predicates.pool.constant(Value::Bv(step.clone()));
                        self.predicates.pool.add(at_head, step)
                    }
                    _ => at_head,
                }
            } else {
                let assigned = self.assigned(var).filter(|_| depth > 0)?;
                match self.resolved.get(&assigned) {
                    Some(known) => (*known)?,
                    None => {
                        let value = self.resolve(assigned, depth - 1);
                        self.resolved.insert(assigned, value);
                        value?
                    }
                }
            };
            known.insert(var, expr);
        }
        Some(self.predicates.pool.import(&program.exprs, root, |_, var| known[&var]))
    }

    /// The variables of the pool in an expression, with their slots.
    fn leaves(&self, root: ExprId) -> Vec<(VarId, Slot)> {
        let leaf = |(_, node)| match node {
            Expr::Var(var) => Some((var, self.predicates.slot(var))),
            _ => None,
        };
        self.predicates.pool.parts([root]).filter_map(leaf).collect()
    }

    /// The factor of a variable in a sum.
    fn coefficient(&self, root: ExprId, var: VarId) -> Option<i64> {
        let pool = &self.predicates.pool;
        let constant = |id: ExprId| pool.as_bits(id).and_then(Bits::to_i64);
        match pool[root] {
            Expr::Var(other) => Some(i64::from(other == var)),
            Expr::Binary(BinOp::Add, a, b) => {
                self.coefficient(a, var)?.checked_add(self.coefficient(b, var)?)
            }
            Expr::Binary(BinOp::Sub, a, b) => {
                self.coefficient(a, var)?.checked_sub(self.coefficient(b, var)?)
            }
            Expr::Binary(BinOp::Mul, a, b) if constant(b).is_some() => {
                self.coefficient(a, var)?.checked_mul(constant(b)?)
            }
            Expr::Binary(BinOp::Mul, a, b) if constant(a).is_some() => {
                self.coefficient(b, var)?.checked_mul(constant(a)?)
            }
            Expr::Binary(BinOp::Shl, a, b) => {
                let by = u32::try_from(constant(b)?).ok()?;
                self.coefficient(a, var)?.checked_mul(1i64.checked_shl(by)?)
            }
            Expr::Cast(CastOp::SExt | CastOp::ZExt, _, a) => self.coefficient(a, var),
            _ => {
                let has = pool.parts([root]).any(|(_, node)| node == Expr::Var(var));
                (!has).then_some(0)
            }
        }
    }

    /// An expression with others for some variables; and with another address for loads from one address.
    fn rewrite(
        &mut self,
        root: ExprId,
        vars: &FxHashMap<VarId, ExprId>,
        loads: Option<(ExprId, ExprId)>,
    ) -> ExprId {
        let pool = &mut self.predicates.pool;
        let mut copies: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(pool, |id| copies.contains_key(&id)) {
            let copy = match (pool[id], loads) {
                (Expr::Const(_), _) => id,
                (Expr::Var(var), _) => vars.get(&var).copied().unwrap_or(id),
                (Expr::Load { region, addr, ty }, Some((at, instead))) if addr == at => {
                    pool.load(region, instead, ty)
                }
                (node, _) => pool.folded(node.map_operands(|operand| copies[&operand]), pool.ty(id)),
            };
            copies.insert(id, copy);
        }
        copies[&root]
    }

    /// Any address of a region.
    fn element(&mut self, region: RegionId) -> Option<ExprId> {
        let program = self.a_loop.program;
        let ty = program.regions[region].addr;
        let var = program.vars.iter().find(|(_, var)| var.ty == ty)?.0;
        Some(self.predicates.slot_expr(program, Slot { var, level: ANY_VALUE }))
    }

    /// That an access went to an address in an earlier iteration.
    fn visited(&mut self, access: &Access, at: ExprId) -> ExprId {
        let stride = access.stride.unsigned_abs();
        let pool = &mut self.predicates.pool;
        let (distance, length) = match access.stride > 0 {
            true => (pool.sub(at, access.then), pool.sub(access.now, access.then)),
            false => (pool.sub(access.then, at), pool.sub(access.then, access.now)),
        };
        let is_within = pool.binary(BinOp::Ult, distance, length);
        if stride == 1 {
            return is_within;
        }
        let by = pool.constant(Value::Bv(Bits::new(pool.width(at), stride)));
        let rest = pool.binary(BinOp::URem, distance, by);
        let none = pool.constant(Value::Bv(Bits::zero(pool.width(at))));
        let is_first = pool.eq(rest, none);
        pool.and(is_within, is_first)
    }

    /// That an access went to an address, or past it, in an earlier iteration.
    fn passed(&mut self, access: &Access, at: ExprId) -> ExprId {
        let bytes = self.bytes(access);
        let pool = &mut self.predicates.pool;
        let mut number = |value: u64| pool.constant(Value::Bv(Bits::new(pool.width(at), value)));
        let (size, last) = (number(bytes), number(bytes - 1));
        let (distance, length) = match access.stride {
            0 => (pool.sub(at, access.then), size),
            1.. => (pool.sub(at, access.then), pool.sub(access.now, access.then)),
            _ => {
                let end = pool.add(access.then, last);
                (pool.sub(end, at), pool.sub(access.then, access.now))
            }
        };
        pool.binary(BinOp::Ult, distance, length)
    }

    /// The number of addresses of an access.
    fn bytes(&self, access: &Access) -> u64 {
        let region = &self.a_loop.program.regions[access.region];
        u64::from(cells_of(access.ty, region.cell).unwrap_or(1)) * region.stride()
    }

    /// An expression at the head of the loop, as it was in the iteration that went to an address.
    fn in_iteration(&mut self, expr: ExprId, access: &Access, at: ExprId) -> Option<ExprId> {
        let program = self.a_loop.program;
        let mut known = FxHashMap::default();
        for (var, slot) in self.leaves(expr) {
            if let Some(kept) = self.kept_in.get(&slot.var).copied() {
                let address = match kept.now == access.now {
                    true => at,
                    false => self.in_iteration(kept.now, access, at)?,
                };
                known.insert(var, self.predicates.pool.load(kept.region, address, kept.ty));
            } else if self.a_loop.vars.contains(&slot.var) {
                let step = self.steps.get(&slot.var)?.1.clone();
                let then = self.predicates.slot_expr(program, Slot { level: AT_ENTRY, ..slot });
                let pool = &mut self.predicates.pool;
                let (from, to) = if access.stride > 0 { (access.then, at) } else { (at, access.then) };
                let distance = pool.sub(to, from);
                let stride = Bits::new(pool.width(at), access.stride.unsigned_abs());
                let stride = pool.constant(Value::Bv(stride));
                let iteration = pool.binary(BinOp::UDiv, distance, stride);
                let iteration = pool.resize(iteration, step.width(), false);
                let step = pool.constant(Value::Bv(step));
                let change = pool.binary(BinOp::Mul, iteration, step);
                known.insert(var, pool.add(then, change));
            }
        }
        Some(self.rewrite(expr, &known, Some((access.now, at))))
    }

    /// That elements hold one of the values that the loop writes to them.
    fn written(&mut self, stores: &[Store]) {
        let mut places: BTreeMap<(RegionId, ExprId), (Access, Vec<ExprId>)> = BTreeMap::new();
        let mut open = FxHashSet::default();
        for store in stores {
            let Some(access) = store.access.filter(|access| access.stride != 0) else { continue };
            let place = (access.region, access.now);
            match self.resolve(store.value, DEEPEST) {
                Some(value) => places.entry(place).or_insert_with(|| (access, Vec::new())).1.push(value),
                None => _ = open.insert(place),
            }
        }
        for (place, (access, values)) in places {
            let Some(at) = self.element(access.region).filter(|_| !open.contains(&place)) else { continue };
            let holds = self.predicates.pool.load(access.region, at, access.ty);
            let mut one = Some(self.predicates.pool.bool(false));
            for value in values {
                let value = self.in_iteration(value, &access, at);
                one = one.zip(value).map(|(one, value)| {
                    let pool = &mut self.predicates.pool;
                    let same = match pool.ty(value) {
                        Type::Bv(_) | Type::Bool => pool.eq(holds, value),
                        Type::Float(_) => pool.binary(BinOp::FEq, holds, value),
                    };
                    pool.or(one, same)
                });
            }
            if let Some(one) = one {
                self.add(&access, at, one);
            }
        }
    }

    /// The conditions of branches, and those that variables are set to or functions are called with.
    fn conditions(&mut self) -> Vec<ExprId> {
        let exprs = &self.a_loop.program.exprs;
        let mut conditions = Vec::new();
        for &edge in self.a_loop.edges {
            match &self.a_loop.program.edges[edge].op {
                Op::Assume(cond, _) => conditions.push((edge, *cond)),
                Op::Assign(list) => {
                    let values = list.iter().map(|(_, value)| *value);
                    let truths = values.filter(|&value| exprs.ty(value) == Type::Bool);
                    conditions.extend(truths.map(|value| (edge, value)));
                }
                Op::Call(call) => {
                    let args = exprs.parts(call.args.iter().copied());
                    let truths = args.filter(|(id, _)| exprs.ty(*id) == Type::Bool);
                    conditions.extend(truths.map(|(id, _)| (edge, id)));
                }
                _ => {}
            }
        }
        conditions.into_iter().filter_map(|cond| self.resolve(cond, DEEPEST)).collect()
    }

    /// That conditions of the loop hold of elements that it read, or of what it found before it wrote that.
    fn checked(&mut self, conditions: &[ExprId]) {
        for &cond in conditions {
            let mut accesses: Vec<Access> = Vec::new();
            let nodes: Vec<Expr> = self.predicates.pool.parts([cond]).map(|(_, node)| node).collect();
            for node in nodes {
                match node {
                    Expr::Load { region, addr, ty } => accesses.extend(self.access_at(region, addr, ty)),
                    Expr::Var(var) => {
                        let slot = self.predicates.slot(var);
                        accesses.extend(self.kept_in.get(&slot.var));
                    }
                    _ => {}
                }
            }
            let Some(access) = accesses.into_iter().find(|access| access.stride != 0) else { continue };
            let Some(at) = self.element(access.region) else { continue };
            if let Some(held) = self.in_iteration(cond, &access, at) {
                self.add(&access, at, held);
            }
        }
    }

    /// That conditions of the loop held in the last iteration, if there was one: they bound what is next.
    fn last(&mut self, conditions: &[ExprId]) {
        let program = self.a_loop.program;
        for &cond in conditions {
            let (mut before, mut is_first) = (FxHashMap::default(), self.predicates.pool.bool(true));
            for (var, slot) in self.leaves(cond) {
                if let Some((_, step)) = self.steps.get(&slot.var).cloned() {
                    let [now, then] = [slot, Slot { level: AT_ENTRY, ..slot }]
                        .map(|slot| self.predicates.slot_expr(program, slot));
                    let pool = &mut self.predicates.pool;
                    let step = pool.constant(Value::Bv(step));
                    before.insert(var, pool.sub(now, step));
                    let same = pool.eq(now, then);
                    is_first = pool.and(is_first, same);
                }
            }
            let reads = self.predicates.pool.parts([cond]).any(|(_, node)| matches!(node, Expr::Load { .. }));
            if !before.is_empty() && !reads {
                let held = self.rewrite(cond, &before, None);
                let held = self.predicates.pool.or(is_first, held);
                self.keep(held);
            }
        }
    }

    /// That regions hold what they did where the loop was entered, except where it wrote.
    fn rest(&mut self, stores: &[Store]) {
        let program = self.a_loop.program;
        for &id in self.a_loop.regions {
            let region = &program.regions[id];
            let of_region: Vec<&Store> = stores.iter().filter(|store| store.region == id).collect();
            let accesses: Option<Vec<Access>> = of_region.iter().map(|store| store.access).collect();
            let (Some(accesses), Some(at)) = (accesses, self.element(id)) else { continue };
            if accesses.is_empty()
                || region.extents.len() > MOST_OBJECTS
                || !matches!(region.cell, Type::Bv(_))
            {
                continue;
            }
            let mut one = self.outside(id, at);
            for access in accesses {
                let written = self.passed(&access, at);
                one = self.predicates.pool.or(one, written);
            }
            let pool = &mut self.predicates.pool;
            let now = pool.load(id, at, region.cell);
            let then = pool.load(region_at_entry(program, id), at, region.cell);
            let same = pool.eq(now, then);
            let rest = pool.or(one, same);
            self.keep(rest);
        }
    }

    /// That an address is of no cell of a region.
    fn outside(&mut self, region: RegionId, at: ExprId) -> ExprId {
        let region = &self.a_loop.program.regions[region];
        let pool = &mut self.predicates.pool;
        let width = pool.width(at);
        let mut outside = pool.bool(!region.extents.is_empty());
        for extent in &region.extents {
            if let Some(last) = extent.size.checked_sub(region.stride()) {
                let [base, last] =
                    [extent.base, last].map(|value| pool.constant(Value::Bv(Bits::new(width, value))));
                let offset = pool.sub(at, base);
                let is_behind = pool.binary(BinOp::Ult, last, offset);
                outside = pool.and(outside, is_behind);
            }
        }
        outside
    }

    /// Adds that something holds of each element that an access went to.
    fn add(&mut self, access: &Access, at: ExprId, holds: ExprId) {
        let visited = self.visited(access, at);
        let pool = &mut self.predicates.pool;
        let not_yet = pool.not(visited);
        let fact = pool.or(not_yet, holds);
        self.keep(fact);
    }

    fn keep(&mut self, expr: ExprId) {
        let program = self.a_loop.program;
        let pool = &self.predicates.pool;
        // What such regions hold is a constant for each cell, which no map has.
        let reads_cells = pool.parts([expr]).any(|(_, node)| match node {
            Expr::Load { region, .. } => {
                flat::is_flat(&program.regions[region_of_invariant(program, region).0])
            }
            _ => false,
        });
        if self.found.len() < MOST && pool.as_const(expr).is_none() && !reads_cells {
            let pred = self.predicates.add(expr);
            if !self.found.contains(&pred) {
                self.found.push(pred);
            }
        }
    }
}
