//! Symbolic execution of blocks.

mod account;
mod call;
mod invariant;
mod join;
mod pop;
mod range;
mod store;

pub use account::Account;
pub(crate) use account::Unlisted;
pub(crate) use call::{Below, SeenFrom};
pub(crate) use invariant::Broken;
pub(crate) use join::Tracked;
pub(crate) use pop::{Popping, Postconditions};

use crate::block::{Block, BlockEdge};
use crate::fold::{self, Folded, Known};
use crate::place::{Place, Slot, Stacks, Step};
use crate::state::{Cells, State, Sym, left_open};
use crate::truth::Truth;
use beeline_ir::{
    BinOp, EdgeId, Expr, ExprId, ExprPool, Op, Program, Region, RegionId, Type, UnOp, Value, VarId,
};
use beeline_smt::flat::Outside;
use beeline_smt::memory::initial_cell;
use beeline_smt::{
    Encoder, Formula, Memory, QueryLimits, Questions, Source, TICKS_PER_SECOND, Term, Unsupported, Valuation,
    flat,
};
use invariant::Met;
use join::Waiting;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// The meaning of the variables of a pool of expressions.
pub(crate) trait Names {
    /// The slot of a variable.
    fn slot(&self, var: VarId) -> Slot;
}

/// The slots of the program's expressions at a place.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    program: &'a Program,
    stacks: &'a Stacks,
    place: Place,
}

impl Names for At<'_> {
    fn slot(&self, var: VarId) -> Slot {
        self.stacks.slot(self.program, self.place.stack, var)
    }
}

/// The depth of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Only known values; all else is open. That costs little and needs no solver.
    Values,
    /// Values and formulas.
    Formulas,
}

/// The reason why the execution of a block ends early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Undone {
    /// Something has no exact encoding.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The time is up.
    #[error("the time limit was reached")]
    Time,
}

/// The ticks of a query during an execution.
const QUESTION: u64 = TICKS_PER_SECOND / 4;

/// The executor of one block.
pub(crate) struct Executor<'a> {
    program: &'a Program,
    stacks: &'a Stacks,
    tracked: &'a Tracked,
    limits: &'a QueryLimits,
    /// Its depth.
    pub depth: Depth,
    encoder: Encoder<'a>,
    /// Whether maps are used only where single cells do not suffice.
    flat: bool,
    /// Queries about what is impossible, if they are to be asked.
    questions: Option<Questions>,
    /// The contents of regions before the block writes to them.
    outside: Outside,
    /// Whether the block starts at the start of the program.
    at_start: bool,
    /// Facts about initial contents of regions that are used as maps.
    pub facts: Vec<Formula>,
    facts_of: FxHashSet<RegionId>,
    /// The edges of the block in the order of their execution, each with the condition under which it is
    /// taken.
    pub taken: Vec<(usize, Truth)>,
    /// What is known of popped calls, if calls may be popped.
    popping: Option<Popping<'a>>,
    /// The account that executions are compared with, if there is one.
    account: Option<&'a Account>,
    /// The edge that is executed.
    edge: Option<EdgeId>,
    /// What executions may do and the account does not list.
    pub unlisted: Vec<Unlisted>,
    /// When invariants of loops do not hold.
    pub broken: Vec<Broken>,
    met: Met<'a>,
}

impl<'a> Executor<'a> {
    /// An executor for a block that starts at the start of the program, or elsewhere.
    pub(crate) fn new(
        program: &'a Program,
        stacks: &'a Stacks,
        tracked: &'a Tracked,
        at_start: bool,
        depth: Depth,
        limits: &'a QueryLimits,
    ) -> Executor<'a> {
        Executor {
            program,
            limits,
            stacks,
            tracked,
            depth,
            encoder: Encoder::new(program),
            flat: false,
            questions: None,
            outside: Outside::default(),
            at_start,
            facts: Vec::new(),
            facts_of: FxHashSet::default(),
            taken: Vec::new(),
            popping: None,
            account: None,
            edge: None,
            unlisted: Vec::new(),
            broken: Vec::new(),
            met: Met::default(),
        }
    }

    /// The same executor with calls that may be popped.
    pub(crate) fn popping(self, popping: Popping<'a>) -> Executor<'a> {
        Executor { popping: Some(popping), ..self }
    }

    /// The same executor with maps only where single cells do not suffice, and with operations on numbers
    /// folded.
    pub(crate) fn without_maps(self) -> Executor<'a> {
        let questions = Some(Questions::new(self.limits.each(QUESTION)));
        Executor { flat: true, questions, encoder: self.encoder.folding(), ..self }
    }

    /// What questions of this execution found to be impossible.
    pub(crate) fn refuted(&self) -> Vec<Formula> {
        self.questions.as_ref().map_or_else(Vec::new, |questions| questions.refuted().to_vec())
    }

    fn is_flat(&self, id: RegionId) -> bool {
        self.flat && flat::is_flat(&self.program.regions[id])
    }

    /// The symbolic value of a slot.
    pub(crate) fn slot(&self, state: &State, slot: Slot) -> Result<Sym, Unsupported> {
        if let Some(sym) = state.vars.get(&slot) {
            return Ok(sym.clone());
        }
        if let Some(value) = self.initial_value(slot.var) {
            return Ok(Sym::Value(value.clone()));
        }
        if self.depth == Depth::Values {
            return Ok(Sym::Open);
        }
        let var = &self.program.vars[slot.var];
        let begun = var.owner.and_then(|owner| state.begun.get(&(owner, slot.level)));
        let name = match begun {
            Some(edge) => format!("{}!{}!{}!{edge}", var.name, slot.var, slot.level),
            None => format!("{}!{}!{}", var.name, slot.var, slot.level),
        };
        Ok(Sym::Term(Term::named(&name, var.ty)?))
    }

    /// The initial value of a global, if the block starts at the start of the program.
    fn initial_value(&self, var: VarId) -> Option<&'a Value> {
        let init = self.program.vars[var].init.filter(|_| self.at_start)?;
        Some(self.program.exprs.value(init))
    }

    /// The content of a region at the start of the program, whatever it is.
    pub(crate) fn initial_cells(&self, id: RegionId) -> Result<Cells, Unsupported> {
        let base = self.map(|| {
            let region = &self.program.regions[id];
            Memory::named(&format!("{}!{id}!initial", region.name), region)
        })?;
        Ok(Cells { base, initial: true, over: BTreeMap::new() })
    }

    /// The content of a region.
    pub(crate) fn cells(&self, state: &State, id: RegionId) -> Result<Cells, Unsupported> {
        if let Some(cells) = state.regions.get(&id) {
            return Ok(cells.clone());
        }
        if self.at_start {
            return self.initial_cells(id);
        }
        let base = self.map(|| {
            let region = &self.program.regions[id];
            Memory::named(&format!("{}!{id}", region.name), region)
        })?;
        Ok(Cells { base, initial: false, over: BTreeMap::new() })
    }

    /// A map, if the depth includes formulas.
    fn map(&self, make: impl FnOnce() -> Result<Memory, Unsupported>) -> Result<Option<Memory>, Unsupported> {
        if self.depth == Depth::Values { Ok(None) } else { make().map(Some) }
    }

    /// A new value of which nothing is known.
    fn any(&self, name: &str, ty: Type) -> Result<Sym, Unsupported> {
        if self.depth == Depth::Values { Ok(Sym::Open) } else { Term::fresh(name, ty).map(Sym::Term) }
    }

    /// One cell.
    pub(crate) fn cell(&self, id: RegionId, cells: &Cells, addr: u64) -> Result<Sym, Unsupported> {
        if let Some(cell) = cells.over.get(&addr) {
            return Ok(cell.clone());
        }
        let region = &self.program.regions[id];
        let initial = initial_cell(region, &self.program.exprs, addr).filter(|_| cells.initial);
        match (initial, &cells.base) {
            (Some(value), _) => Ok(Sym::Value(value.clone())),
            (None, None) => Ok(Sym::Open),
            (None, Some(base)) if self.is_flat(id) => base.single_cell(region, addr).map(Sym::Term),
            (None, Some(base)) if self.flat => self.outside.cell(region, base, addr).map(Sym::Term),
            (None, Some(base)) => Ok(Sym::Term(base.cell(region, addr))),
        }
    }

    /// A cell of which nothing is known.
    pub(crate) fn any_cell(&self, id: RegionId) -> Result<Sym, Unsupported> {
        self.any("cell", self.program.regions[id].cell)
    }

    /// The content of a region as one map.
    pub(crate) fn flat(&mut self, id: RegionId, cells: &Cells) -> Result<Memory, Unsupported> {
        let region = &self.program.regions[id];
        let mut flat = cells.base.clone().ok_or_else(left_open)?;
        if cells.initial && self.facts_of.insert(id) {
            self.facts.push(flat.initially(region, &self.program.exprs)?);
        }
        if self.flat {
            self.facts.extend(self.outside.use_map(region, &flat));
        }
        for (&addr, cell) in &cells.over {
            flat = flat.with_cell(region, addr, &cell.term()?);
        }
        Ok(flat)
    }

    /// The content of a region as one map. From now on the state has it in this form, unless some of its
    /// cells are known.
    fn flatten(&mut self, state: &mut State, id: RegionId) -> Result<Memory, Unsupported> {
        let cells = self.cells(state, id)?;
        let flat = self.flat(id, &cells)?;
        if !cells.initial && cells.over.values().all(|cell| cell.value().is_none()) {
            let base = Some(flat.clone());
            state.regions.insert(id, Cells { base, initial: false, over: BTreeMap::new() });
        }
        Ok(flat)
    }

    /// The symbolic value of an expression. Executions in which it is stuck end.
    fn expr(&mut self, state: &mut State, names: At<'_>, expr: ExprId) -> Result<Sym, Unsupported> {
        let pool = &self.program.exprs;
        match fold::fold(pool, expr, &View { executor: self, state, names: &names }) {
            Folded::Value(value) => return Ok(Sym::Value(value)),
            Folded::Stuck => {
                self.ends_unless(state, Truth::Known(false));
                return Ok(Sym::Value(Value::zero(pool.ty(expr))));
            }
            Folded::Unknown if self.depth == Depth::Values => {
                self.may_end(state, expr);
                return Ok(Sym::Open);
            }
            Folded::Unknown => {}
        }
        let encoder = self.encoder;
        let encoded = encoder.expr(expr, &mut Reader::new(self, state, &names))?;
        self.ends_unless(state, encoded.defined.into());
        Ok(Sym::Term(encoded.term))
    }

    /// The formula that an expression of a pool is true and not stuck.
    pub(crate) fn holds(
        &mut self,
        state: &mut State,
        pool: &ExprPool,
        names: &impl Names,
        expr: ExprId,
    ) -> Result<Truth, Unsupported> {
        match fold::fold(pool, expr, &View { executor: self, state, names }) {
            Folded::Value(value) => return Ok(Truth::Known(value == Value::Bool(true))),
            Folded::Stuck => return Ok(Truth::Known(false)),
            Folded::Unknown if self.depth == Depth::Values => return Ok(Truth::Open),
            Folded::Unknown => {}
        }
        let encoder = self.encoder.with_pool(pool);
        Ok(encoder.holds(expr, &mut Reader::new(self, state, names))?.into())
    }

    /// Executes a block. `arrive` gets the states at its ends and returns whether to go on.
    pub(crate) fn block(
        &mut self,
        block: &Block,
        start: State,
        mut arrive: impl FnMut(&mut Self, usize, State) -> bool,
    ) -> Result<(), Undone> {
        let mut waiting: Vec<Waiting> = block.nodes.iter().map(|_| Waiting::default()).collect();
        waiting[0].states.push(start);
        for node in 0..block.nodes.len() {
            if self.limits.is_over() {
                return Err(Undone::Time);
            }
            for mut state in std::mem::take(&mut waiting[node]).states {
                if block.ends[node] {
                    if !arrive(self, node, state) {
                        return Ok(());
                    }
                    continue;
                }
                self.at_head(&mut state, block.nodes[node])?;
                for (edge, after) in self.leave(block, node, state)? {
                    self.taken.push((edge, after.guard.clone()));
                    self.wait(&mut waiting[block.edges[edge].dst], after)?;
                }
            }
        }
        Ok(())
    }

    /// The symbolic states after the steps from a node.
    fn leave(
        &mut self,
        block: &Block,
        node: usize,
        state: State,
    ) -> Result<Vec<(usize, State)>, Unsupported> {
        let leaving = block.leaving(node);
        let mut after = Vec::with_capacity(leaving.len());
        let last = leaving.end;
        let mut state = Some(state);
        for index in leaving {
            let mut next = if index + 1 == last { state.take() } else { state.clone() }
                .expect("the state is taken by the last edge");
            self.step(&mut next, block, index)?;
            if !next.guard.is(false) {
                after.push((index, next));
            }
        }
        // If several edges can be taken, each execution takes one of them: no path hides another one.
        if self.depth == Depth::Formulas && after.len() > 1 && !self.exclusive(block, &after) {
            let mut rest = Truth::Known(true);
            let count = after.len();
            for (_, next) in &mut after[..count - 1] {
                let choice = Truth::If(Formula::fresh("choice"));
                next.guard = Truth::all([next.guard.clone(), rest.clone(), choice.clone()]);
                rest = rest.and(&choice.not());
            }
            let (_, next) = &mut after[count - 1];
            next.guard = next.guard.and(&rest);
        }
        Ok(after)
    }

    /// Whether these are the two edges of one branch, so that no execution can take both.
    fn exclusive(&self, block: &Block, leaving: &[(usize, State)]) -> bool {
        let [(a, _), (b, _)] = leaving else { return false };
        let condition = |edge: usize| match block.edges[edge].step {
            Step::Edge(edge) => match self.program.edges[edge].op {
                Op::Assume(cond, _) => Some(cond),
                _ => None,
            },
            _ => None,
        };
        let (Some(a), Some(b)) = (condition(*a), condition(*b)) else { return false };
        let pool = &self.program.exprs;
        match (pool[a], pool[b]) {
            (Expr::Unary(UnOp::Not, inner), _) if inner == b => true,
            (_, Expr::Unary(UnOp::Not, inner)) if inner == a => true,
            (Expr::Binary(less, x, y), Expr::Binary(other, u, v)) => {
                use BinOp::{Sle, Slt, Ule, Ult};
                matches!((less, other), (Ult, Ule) | (Ule, Ult) | (Slt, Sle) | (Sle, Slt)) && (x, y) == (v, u)
            }
            _ => false,
        }
    }

    fn step(&mut self, state: &mut State, block: &Block, index: usize) -> Result<(), Unsupported> {
        let program = self.program;
        let BlockEdge { src, dst, step } = block.edges[index];
        let (from, to) = (block.nodes[src], block.nodes[dst]);
        let names = At { program, stacks: self.stacks, place: from };
        self.edge = Some(step.edge());
        match step {
            Step::Edge(edge) => match self.stacks.range(edge) {
                Some(range) => self.range(state, from, edge, range),
                None => self.operation(state, names, &program.edges[edge].op),
            },
            Step::Call(edge, func) => {
                let arguments = self.arguments(state, from, edge, func)?;
                self.note_entered(state, func);
                let level = self.stacks.top(to.stack).level;
                self.forget(state, func, level);
                state.begun.insert((func, level), index);
                for (&var, argument) in program.functions[func].params.iter().zip(arguments) {
                    state.vars.insert(Slot { var, level }, argument);
                }
                Ok(())
            }
            Step::Return(edge) => {
                let Some(call) = program.edges[edge].op.as_call() else { return Ok(()) };
                self.ensure(state, from, to, edge)?;
                let frame = self.stacks.top(from.stack);
                let (func, level) = (frame.callee, frame.level);
                let result = match program.functions[func].ret {
                    Some(var) => Some(self.slot(state, Slot { var, level })?),
                    None => None,
                };
                self.forget(state, func, level);
                if let (Some(var), Some(result)) = (call.ret, result) {
                    state.vars.insert(self.stacks.slot(program, to.stack, var), result);
                }
                Ok(())
            }
            Step::Pop(edge) => {
                *state = self.popped(std::mem::take(state), from, to, edge)?;
                Ok(())
            }
        }
    }

    /// Forgets the variables of an activation.
    pub(super) fn forget(&self, state: &mut State, func: beeline_ir::FuncId, level: u32) {
        for var in self.program.functions[func].variables() {
            state.vars.remove(&Slot { var, level });
        }
        state.begun.remove(&(func, level));
    }

    fn operation(&mut self, state: &mut State, names: At<'_>, op: &Op) -> Result<(), Unsupported> {
        match op {
            Op::Skip | Op::Call(_) => {}
            Op::Assume(cond, _) => {
                let holds = self.expr(state, names, *cond)?.truth();
                state.guard = state.guard.and(&holds);
                if self.depth == Depth::Values {
                    self.learn(state, names, *cond);
                }
            }
            Op::Assign(list) => {
                let mut values = Vec::with_capacity(list.len());
                for &(_, value) in list {
                    values.push(self.expr(state, names, value)?);
                }
                for (&(var, _), value) in list.iter().zip(values) {
                    state.vars.insert(names.slot(var), value);
                }
            }
            Op::Havoc(var, _) => {
                let variable = &self.program.vars[*var];
                let any = self.any(&format!("{}!any", variable.name), variable.ty)?;
                state.vars.insert(names.slot(*var), any);
            }
            Op::HavocRegion(id) => {
                let region = &self.program.regions[*id];
                let base = self.map(|| Memory::fresh(&format!("{}!any", region.name), region))?;
                state.regions.insert(*id, Cells { base, initial: false, over: BTreeMap::new() });
            }
            Op::Store { region, addr, value } => self.store(state, names, *region, *addr, *value)?,
        }
        Ok(())
    }

    /// Learns the values of variables from a condition that holds.
    fn learn(&self, state: &mut State, names: At<'_>, cond: ExprId) {
        let pool = &self.program.exprs;
        let (var, value) = match pool[cond] {
            Expr::Var(var) => (var, Value::Bool(true)),
            Expr::Unary(UnOp::Not, arg) => match pool[arg] {
                Expr::Var(var) if pool.ty(arg) == Type::Bool => (var, Value::Bool(false)),
                _ => return,
            },
            Expr::Binary(BinOp::BoolAnd, a, b) => {
                self.learn(state, names, a);
                return self.learn(state, names, b);
            }
            Expr::Binary(BinOp::Eq, a, b) => match (pool[a], pool[b]) {
                (Expr::Var(var), Expr::Const(value)) | (Expr::Const(value), Expr::Var(var)) => {
                    (var, pool.value(value).clone())
                }
                _ => return,
            },
            _ => return,
        };
        state.vars.insert(names.slot(var), Sym::Value(value));
    }
}

/// A state as known values.
struct View<'e, 'a, 's, N> {
    executor: &'e Executor<'a>,
    state: &'s State,
    names: &'s N,
}

impl<N: Names> Known for View<'_, '_, '_, N> {
    fn var(&self, var: VarId) -> Option<Value> {
        let slot = self.names.slot(var);
        match self.state.vars.get(&slot) {
            Some(sym) => sym.value().cloned(),
            None => self.executor.initial_value(slot.var).cloned(),
        }
    }

    fn cell(&self, id: RegionId, addr: u64) -> Option<Value> {
        let cells = self.state.regions.get(&id);
        if let Some(cell) = cells.and_then(|cells| cells.over.get(&addr)) {
            return cell.value().cloned();
        }
        let initial = cells.map_or(self.executor.at_start, |cells| cells.initial);
        let program = self.executor.program;
        initial_cell(&program.regions[id], &program.exprs, addr).filter(|_| initial).cloned()
    }

    fn region(&self, region: RegionId) -> &Region {
        &self.executor.program.regions[region]
    }

    fn big_endian(&self) -> bool {
        self.executor.program.big_endian
    }
}

/// The terms of a state.
struct Reader<'e, 'a, 's, N> {
    executor: &'e mut Executor<'a>,
    state: &'s mut State,
    names: &'s N,
    /// Assumptions besides the state's guard under which a read matters.
    assumed: Vec<Formula>,
}

impl<'e, 'a, 's, N> Reader<'e, 'a, 's, N> {
    fn new(executor: &'e mut Executor<'a>, state: &'s mut State, names: &'s N) -> Reader<'e, 'a, 's, N> {
        Reader { executor, state, names, assumed: Vec::new() }
    }
}

impl<N: Names> Valuation for Reader<'_, '_, '_, N> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        let slot = self.names.slot(var);
        let term = self.executor.slot(self.state, slot)?.term()?;
        if term.ty() != Type::Bv(self.executor.program.pointer_width) {
            return Ok(term);
        }
        let guard = self.state.guard.formula().unwrap_or(Formula::constant(true));
        let settled = self.executor.settled(Source::Var(var), &guard, term.clone());
        if settled != term {
            self.state.vars.insert(slot, Sym::Term(settled.clone()));
        }
        Ok(settled)
    }

    fn region(&mut self, region: RegionId) -> Result<Memory, Unsupported> {
        self.executor.flatten(self.state, region)
    }

    fn flat_load(&mut self, id: RegionId, addr: &Term, ty: Type) -> Result<Option<Term>, Unsupported> {
        let guard = self.state.guard.formula().unwrap_or(Formula::constant(true));
        let guard = Formula::all(std::iter::once(&guard).chain(&self.assumed).cloned());
        self.executor.load(self.state, &guard, id, addr, ty)
    }

    fn assume(&mut self, condition: &Formula) {
        self.assumed.push(condition.clone());
    }

    fn withdraw(&mut self) {
        self.assumed.pop();
    }
}
