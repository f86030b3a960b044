//! What the branches of an execution depend on: beside its values, terms over its inputs.
//!
//! A value that depends on no input has no term: it is what it is in this execution, so that only what depends on inputs
//! costs anything. Where a term would not do, as for an address that is written, the value of this execution stands for it.
//! An execution with other inputs may leave the path then; nothing else can go wrong.

use beeline_interp::replay::follow;
use beeline_interp::{Execution, Machine, Oracle, Run, Source};
use beeline_ir::walk::PostOrder;
use beeline_ir::{
    BinOp, EdgeId, Expr, ExprId, ExprPool, LocId, Op, Program, RegionId, Type, Value, VarId, cells_of,
};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The greatest number of cells among which a read at an address that depends on inputs chooses.
const MOST_CELLS: u64 = 512;
/// The greatest number of terms of an execution.
const MOST_TERMS: usize = 1_000_000;

/// A condition that holds along an execution.
#[derive(Debug)]
pub(super) struct Branch {
    /// The number of edges before it.
    pub before: usize,
    /// The condition of the edge that is taken.
    pub holds: ExprId,
    /// Other edges from there, with their conditions.
    pub others: Vec<(EdgeId, ExprId)>,
}

/// The conditions of an execution.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    /// The terms, with a variable for each input.
    pub pool: ExprPool,
    /// The inputs: which of the execution's values they are.
    pub inputs: Vec<usize>,
    /// The branches that depend on inputs, in the order of the execution.
    pub branches: Vec<Branch>,
}

/// Whether expressions read memory, and which variables they read.
pub(super) type Reads = FxHashMap<ExprId, Rc<(Vec<VarId>, bool)>>;

/// The conditions of an execution.
pub(super) fn conditions(
    program: &Program,
    machine: &Machine<'_>,
    run: &Run,
    reads: &mut Reads,
) -> Conditions {
    let asked = Rc::new(RefCell::new(Vec::new()));
    let mut oracle = Recorded::new(&run.values, Rc::clone(&asked));
    let execution = follow(machine, &run.trace, &mut oracle, &super::limits());
    let mut shadow = Shadow {
        program,
        run,
        reads,
        execution,
        asked,
        seen: 0,
        vars: FxHashMap::default(),
        cells: FxHashMap::default(),
        activations: vec![0],
        calls: Vec::new(),
        count: 0,
        known: FxHashMap::default(),
        found: Conditions::default(),
        before: 0,
    };
    shadow.run();
    shadow.found
}

/// The values of an execution as answers for its repetition, with a note of which was asked for.
struct Recorded {
    values: FxHashMap<Source, VecDeque<(usize, Value)>>,
    asked: Rc<RefCell<Vec<(usize, Source)>>>,
}

impl Recorded {
    fn new(values: &[(Source, Value)], asked: Rc<RefCell<Vec<(usize, Source)>>>) -> Recorded {
        let mut by_source: FxHashMap<Source, VecDeque<(usize, Value)>> = FxHashMap::default();
        for (index, (source, value)) in values.iter().enumerate() {
            by_source.entry(source.clone()).or_default().push_back((index, value.clone()));
        }
        Recorded { values: by_source, asked }
    }
}

impl Oracle for Recorded {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        let Some((index, value)) = self.values.get_mut(source).and_then(VecDeque::pop_front) else {
            return Value::zero(ty);
        };
        self.asked.borrow_mut().push((index, source.clone()));
        value
    }

    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

/// A variable of an activation; the number is 0 for globals.
type Slot = (VarId, u32);

struct Shadow<'r, 'm, 'o> {
    program: &'r Program,
    run: &'r Run,
    reads: &'r mut Reads,
    execution: Execution<'m, 'o>,
    /// What the execution asked for, and how much of that has terms already.
    asked: Rc<RefCell<Vec<(usize, Source)>>>,
    seen: usize,
    /// The terms of variables and cells.
    vars: FxHashMap<Slot, ExprId>,
    cells: FxHashMap<RegionId, FxHashMap<u64, ExprId>>,
    /// The numbers of open activations, and the edges of their calls.
    activations: Vec<u32>,
    calls: Vec<EdgeId>,
    count: u32,
    /// The terms of expressions at this step.
    known: FxHashMap<ExprId, Option<ExprId>>,
    found: Conditions,
    /// The number of edges so far.
    before: usize,
}

impl Shadow<'_, '_, '_> {
    fn run(&mut self) {
        while self.found.pool.len() < MOST_TERMS {
            self.known.clear();
            let loc = self.execution.location();
            let function = &self.program.functions[self.program.function_of(loc)];
            let done = if loc == function.exit {
                self.leave(function.ret)
            } else if let Some(&edge) = self.run.trace.get(self.before) {
                self.take(edge)
            } else {
                self.end(loc);
                None
            };
            if done.is_none() {
                return;
            }
        }
    }

    /// The other edges where the execution ended, perhaps because none could be taken.
    fn end(&mut self, loc: LocId) {
        let others = self.others(loc, None);
        if !others.is_empty() {
            let holds = self.found.pool.bool(true);
            self.found.branches.push(Branch { before: self.before, holds, others });
        }
    }

    /// The edges from a location, except one, whose conditions depend on inputs.
    fn others(&mut self, loc: LocId, taken: Option<EdgeId>) -> Vec<(EdgeId, ExprId)> {
        let program = self.program;
        let mut others = Vec::new();
        for edge in program.out_edges(loc) {
            if Some(edge) != taken
                && let Op::Assume(cond, _) = program.edges[edge].op
                && let Some(term) = self.term(cond)
            {
                others.push((edge, term));
            }
        }
        others
    }

    /// Returns from a call.
    fn leave(&mut self, ret: Option<VarId>) -> Option<()> {
        let result = ret.and_then(|ret| self.vars.get(&self.slot(ret)).copied());
        self.execution.step().ok()?;
        self.activations.pop();
        let call = self.program.edges[self.calls.pop()?].op.as_call()?;
        if let Some(into) = call.ret {
            self.set(into, result);
        }
        Some(())
    }

    /// Takes an edge.
    fn take(&mut self, edge: EdgeId) -> Option<()> {
        let program = self.program;
        let loc = self.execution.location();
        match &program.edges[edge].op {
            Op::Skip => self.step()?,
            Op::Assume(cond, _) => {
                let holds = self.term(*cond);
                let others = self.others(loc, Some(edge));
                if holds.is_some() || !others.is_empty() {
                    let holds = holds.unwrap_or_else(|| self.found.pool.bool(true));
                    self.found.branches.push(Branch { before: self.before, holds, others });
                }
                self.step()?;
            }
            Op::Assign(list) => {
                let terms: Vec<Option<ExprId>> = list.iter().map(|&(_, value)| self.term(value)).collect();
                self.step()?;
                list.iter().zip(terms).for_each(|(&(var, _), term)| self.set(var, term));
            }
            Op::Havoc(var, _) => {
                self.note_asked();
                self.step()?;
                let term = self.note_asked();
                self.set(*var, term);
            }
            Op::HavocRegion(region) => {
                self.cells.remove(region);
                self.step()?;
            }
            &Op::Store { region, addr, value } => {
                let term = self.term(value);
                let cells = self.written(region, addr, program.exprs.ty(value))?;
                self.step()?;
                self.store(region, &cells, term);
            }
            Op::Call(call) => {
                let terms: Vec<Option<ExprId>> = call.args.iter().map(|&arg| self.term(arg)).collect();
                self.step()?;
                self.count += 1;
                self.activations.push(self.count);
                self.calls.push(edge);
                let callee = program.function_of(self.execution.location());
                let params = program.functions[callee].params.iter();
                params.zip(terms).for_each(|(&param, term)| self.set(param, term));
            }
        }
        self.before += 1;
        Some(())
    }

    fn step(&mut self) -> Option<()> {
        self.execution.step().ok()
    }

    fn slot(&self, var: VarId) -> Slot {
        let is_local = self.program.vars[var].owner.is_some();
        (var, if is_local { self.activations.last().copied().unwrap_or(0) } else { 0 })
    }

    fn set(&mut self, var: VarId, term: Option<ExprId>) {
        let slot = self.slot(var);
        match term {
            Some(term) => self.vars.insert(slot, term),
            None => self.vars.remove(&slot),
        };
    }

    /// Gives terms to what was asked for since the last time; the last one that is for no variable and no cell is returned.
    fn note_asked(&mut self) -> Option<ExprId> {
        let asked = Rc::clone(&self.asked);
        let mut last = None;
        for (index, source) in &asked.borrow()[self.seen..] {
            let ty = self.run.values[*index].1.ty();
            let term = self.found.pool.var(VarId::new(self.found.inputs.len()), ty);
            self.found.inputs.push(*index);
            match source {
                Source::Cell(region, addr) => {
                    self.cells.entry(*region).or_default().insert(*addr, term);
                }
                Source::Variable(var) => self.set(*var, Some(term)),
                _ => last = Some(term),
            }
        }
        self.seen = asked.borrow().len();
        last
    }

    /// The term of an expression, if it depends on inputs.
    fn term(&mut self, expr: ExprId) -> Option<ExprId> {
        if !self.may_depend(expr) {
            return None;
        }
        self.part(expr)
    }

    /// Whether an expression reads memory, or a variable that has a term.
    fn may_depend(&mut self, expr: ExprId) -> bool {
        let exprs = &self.program.exprs;
        let read = self.reads.entry(expr).or_insert_with(|| {
            let (mut vars, mut loads) = (Vec::new(), false);
            let mut walk = PostOrder::new(expr);
            let mut done = rustc_hash::FxHashSet::default();
            while let Some(id) = walk.next(exprs, |id| done.contains(&id)) {
                done.insert(id);
                match exprs[id] {
                    Expr::Var(var) => vars.push(var),
                    Expr::Load { .. } => loads = true,
                    _ => {}
                }
            }
            Rc::new((vars, loads))
        });
        let read = Rc::clone(read);
        read.1 || read.0.iter().any(|&var| self.vars.contains_key(&self.slot(var)))
    }

    fn part(&mut self, expr: ExprId) -> Option<ExprId> {
        if let Some(known) = self.known.get(&expr) {
            return *known;
        }
        let node = self.program.exprs[expr];
        let term = match node {
            Expr::Const(_) => None,
            Expr::Var(var) => self.vars.get(&self.slot(var)).copied(),
            Expr::Load { region, addr, ty } => self.load(expr, region, addr, ty),
            Expr::Ite(cond, yes, no) => self.choice(cond, yes, no),
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), left, right) => self.joined(op, left, right),
            node => self.applied(expr, node),
        };
        self.known.insert(expr, term);
        term
    }

    /// The value of an expression as a term.
    fn constant(&mut self, expr: ExprId) -> Option<ExprId> {
        let value = match self.program.exprs.as_const(expr) {
            Some(value) => value.clone(),
            None => self.execution.evaluate(expr).ok()?,
        };
        Some(self.found.pool.constant(value))
    }

    /// An operator of which some operand has a term.
    fn applied(&mut self, expr: ExprId, node: Expr) -> Option<ExprId> {
        let operands: Vec<ExprId> = node.operands().collect();
        let terms: Vec<Option<ExprId>> = operands.iter().map(|&operand| self.part(operand)).collect();
        if terms.iter().all(Option::is_none) {
            return None;
        }
        let mut all = Vec::with_capacity(terms.len());
        for (operand, term) in operands.into_iter().zip(terms) {
            all.push(term.or_else(|| self.constant(operand))?);
        }
        let mut all = all.into_iter();
        let node = node.map_operands(|operand| all.next().unwrap_or(operand));
        Some(self.found.pool.folded(node, self.program.exprs.ty(expr)))
    }

    fn choice(&mut self, cond: ExprId, yes: ExprId, no: ExprId) -> Option<ExprId> {
        let asked = self.part(cond);
        let chosen = if self.execution.holds(cond)? { yes } else { no };
        let Some(asked) = asked else { return self.part(chosen) };
        let side = |this: &mut Self, side: ExprId| this.part(side).or_else(|| this.constant(side));
        match (side(self, yes), side(self, no)) {
            (Some(yes), Some(no)) => Some(self.found.pool.ite(asked, yes, no)),
            _ => {
                let holds = if chosen == yes { asked } else { self.found.pool.not(asked) };
                self.require(holds);
                self.part(chosen)
            }
        }
    }

    /// A conjunction or disjunction, whose right side need not have a value.
    fn joined(&mut self, op: BinOp, left: ExprId, right: ExprId) -> Option<ExprId> {
        match self.part(left) {
            None if self.execution.holds(left)? == (op == BinOp::BoolOr) => None,
            None => self.part(right),
            Some(first) => match self.part(right).or_else(|| self.constant(right)) {
                Some(second) => Some(self.found.pool.binary(op, first, second)),
                None => Some(first),
            },
        }
    }

    /// Adds a condition that is no branch of the program.
    fn require(&mut self, holds: ExprId) {
        self.found.branches.push(Branch { before: self.before, holds, others: Vec::new() });
    }

    fn addresses(&self, region: RegionId, first: u64, ty: Type) -> Vec<u64> {
        let data = &self.program.regions[region];
        let count = u64::from(cells_of(ty, data.cell).unwrap_or(1));
        (0..count).map(|index| first.wrapping_add(index * data.stride())).collect()
    }

    /// The cells that a store writes. Other addresses are excluded.
    fn written(&mut self, region: RegionId, addr: ExprId, ty: Type) -> Option<Vec<u64>> {
        let term = self.term(addr);
        let value = self.execution.evaluate(addr).ok()?;
        let first = value.as_bits()?.to_u64()?;
        if let Some(term) = term {
            let value = self.found.pool.constant(value);
            let holds = self.found.pool.binary(BinOp::Eq, term, value);
            self.require(holds);
        }
        Some(self.addresses(region, first, ty))
    }

    fn store(&mut self, region: RegionId, cells: &[u64], term: Option<ExprId>) {
        let cell = self.program.regions[region].cell;
        for (index, addr) in cells.iter().enumerate() {
            let index = if self.program.big_endian { cells.len() - 1 - index } else { index };
            let part = term.and_then(|term| match (cells.len(), cell) {
                (1, _) => (self.found.pool.ty(term) == cell).then_some(term),
                (_, Type::Bv(width)) => {
                    let low = width * index as u32;
                    let is_whole = self.found.pool.ty(term) == Type::Bv(width * cells.len() as u32);
                    is_whole.then(|| self.found.pool.extract(low + width - 1, low, term))
                }
                _ => None,
            });
            let cells = self.cells.entry(region).or_default();
            match part {
                Some(part) => cells.insert(*addr, part),
                None => cells.remove(addr),
            };
        }
    }

    fn load(&mut self, load: ExprId, region: RegionId, addr: ExprId, ty: Type) -> Option<ExprId> {
        let moving = self.part(addr);
        let value = self.execution.evaluate(load).ok()?;
        self.note_asked();
        let address = self.execution.evaluate(addr).ok()?;
        let first = address.as_bits()?.to_u64()?;
        if let Some(moving) = moving {
            return self.looked_up(region, (moving, address), ty);
        }
        let cells = self.cells.get(&region)?;
        let terms: Vec<Option<ExprId>> =
            self.addresses(region, first, ty).iter().map(|addr| cells.get(addr).copied()).collect();
        if terms.iter().all(Option::is_none) {
            return None;
        }
        if let [Some(only)] = terms[..] {
            return (self.found.pool.ty(only) == ty).then_some(only);
        }
        let (Type::Bv(width), Type::Bv(all)) = (self.program.regions[region].cell, ty) else { return None };
        if all != width * terms.len() as u32 {
            return None;
        }
        let whole = self.found.pool.constant(value);
        let mut joined = None;
        for index in (0..terms.len()).rev() {
            let low = width * index as u32;
            let from = if self.program.big_endian { terms.len() - 1 - index } else { index };
            let pool = &mut self.found.pool;
            let part = terms[from].unwrap_or_else(|| pool.extract(low + width - 1, low, whole));
            joined = Some(joined.map_or(part, |high| pool.concat(high, part)));
        }
        joined
    }

    /// A cell at an address that depends on inputs: one of those of the object, if they are few.
    fn looked_up(
        &mut self,
        region: RegionId,
        (moving, address): (ExprId, Value),
        ty: Type,
    ) -> Option<ExprId> {
        let data = &self.program.regions[region];
        let here = address.as_bits()?.to_u64()?;
        let extent = data.extents.iter().rfind(|extent| extent.base <= here);
        let is_small = |size: u64| size / data.stride() <= MOST_CELLS;
        let extent = extent.filter(|extent| data.cell == ty && is_small(extent.size));
        let Some(extent) = extent else {
            let address = self.found.pool.constant(address);
            let holds = self.found.pool.binary(BinOp::Eq, moving, address);
            self.require(holds);
            return None;
        };
        let (base, count, stride) = (extent.base, extent.size / data.stride(), data.stride());
        // Neighbours with the same value are told together.
        let mut ranges: Vec<(u64, u64, ExprId)> = Vec::new();
        for index in 0..count {
            let addr = base + index * stride;
            let term = self.cells.get(&region).and_then(|cells| cells.get(&addr).copied());
            let value = term.is_none().then(|| self.execution.cell(region, addr)).flatten();
            let Some(value) = term.or_else(|| Some(self.found.pool.constant(value?))) else { continue };
            match ranges.last_mut() {
                Some((_, end, same)) if *end == index && *same == value => *end += 1,
                _ => ranges.push((index, index + 1, value)),
            }
        }
        let pool = &mut self.found.pool;
        let width = pool.ty(moving).bv_width()?;
        let start = pool.bv(width, base);
        let offset = pool.sub(moving, start);
        let (step, all) = (pool.bv(width, stride), pool.bv(width, count));
        let index = pool.binary(BinOp::UDiv, offset, step);
        let inside = pool.binary(BinOp::Ult, index, all);
        let (_, _, last) = ranges.pop()?;
        let chosen = ranges.into_iter().rev().fold(last, |other, (_, end, value)| {
            let end = pool.bv(width, end);
            let is_before = pool.binary(BinOp::Ult, index, end);
            pool.ite(is_before, value, other)
        });
        self.require(inside);
        Some(chosen)
    }
}
