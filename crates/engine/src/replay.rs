//! Concrete execution of a path of steps: each counterexample goes through it before anyone hears of it.

use crate::eval::{self, Known, Outcome, addresses, split_cells};
use crate::place::{Place, Slot, Stacks, Step, condition, pointer_called};
use beeline_ir::{Bits, ExprId, Op, Program, RegionId, Value, VarId, cells_of};
use beeline_smt::memory::initial_cell;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What an execution reads that the program does not determine.
pub trait Oracle {
    /// The value that the step with an index gives to a variable.
    fn input(&mut self, step: usize, var: VarId) -> Value;
    /// The value of a variable that was never written; the number counts calls so far on the path, the
    /// one that made the variable's activation included.
    fn unwritten(&mut self, slot: Slot, activation: u32) -> Value;
    /// A cell that was never written; the step is the last one that havocked the region, if one did.
    fn cell(&mut self, region: RegionId, addr: u64, since: Option<usize>) -> Value;
}

/// The state of an execution.
pub struct Replay<'a, O> {
    program: &'a Program,
    stacks: &'a Stacks,
    oracle: RefCell<&'a mut O>,
    place: Place,
    vars: RefCell<FxHashMap<Slot, Value>>,
    cells: RefCell<FxHashMap<(RegionId, u64), Value>>,
    havocked: FxHashMap<RegionId, usize>,
    /// The number of the call that made each open activation.
    activations: FxHashMap<(beeline_ir::FuncId, u32), u32>,
    calls: u32,
}

impl<O: Oracle> Known for Replay<'_, O> {
    fn var(&self, var: VarId) -> Option<Value> {
        Some(self.slot(self.stacks.slot(self.program, self.place.stack, var)))
    }

    fn cell(&self, region: RegionId, addr: u64) -> Option<Value> {
        if let Some(value) = self.cells.borrow().get(&(region, addr)) {
            return Some(value.clone());
        }
        let since = self.havocked.get(&region).copied();
        let initial = initial_cell(&self.program.regions[region], &self.program.exprs, addr);
        let value = match (since, initial) {
            (None, Some(value)) => value.clone(),
            _ => self.oracle.borrow_mut().cell(region, addr, since),
        };
        self.cells.borrow_mut().insert((region, addr), value.clone());
        Some(value)
    }
}

impl<'a, O: Oracle> Replay<'a, O> {
    /// An execution that has not begun.
    pub fn new(program: &'a Program, stacks: &'a Stacks, oracle: &'a mut O) -> Replay<'a, O> {
        let globals = program.globals().filter_map(|(var, global)| {
            Some((Slot { var, level: 0 }, program.exprs.value(global.init?).clone()))
        });
        Replay {
            program,
            stacks,
            oracle: RefCell::new(oracle),
            place: stacks.start(program),
            vars: RefCell::new(globals.collect()),
            cells: RefCell::new(FxHashMap::default()),
            havocked: FxHashMap::default(),
            activations: FxHashMap::default(),
            calls: 0,
        }
    }

    fn slot(&self, slot: Slot) -> Value {
        if let Some(value) = self.vars.borrow().get(&slot) {
            return value.clone();
        }
        let owner = self.program.vars[slot.var].owner;
        let activation = owner.and_then(|owner| self.activations.get(&(owner, slot.level))).copied();
        let value = self.oracle.borrow_mut().unwritten(slot, activation.unwrap_or(0));
        self.vars.borrow_mut().insert(slot, value.clone());
        value
    }

    fn eval(&self, expr: ExprId) -> Result<Value, String> {
        match eval::eval(self.program, expr, self) {
            Outcome::Value(value) => Ok(value),
            Outcome::Stuck => Err("an operation is stuck".into()),
            Outcome::Unknown => Err("an operation cannot be computed".into()),
        }
    }

    /// Takes a step, or says why it cannot be taken.
    pub fn step(&mut self, index: usize, step: Step, to: Place) -> Result<(), String> {
        let program = self.program;
        match step {
            Step::Edge(edge) => {
                if program.edges[edge].src != self.place.loc || to.stack != self.place.stack {
                    return Err("an edge does not start where the execution is".into());
                }
                match condition(program, step) {
                    Some(cond) if self.eval(cond)? != Value::Bool(true) => {
                        return Err(format!("the assumption of {edge} does not hold"));
                    }
                    Some(_) => {}
                    None => self.operation(index, &program.edges[edge].op)?,
                }
            }
            Step::Call(edge, callee) => self.call(edge, callee, to)?,
            Step::Return(edge) => {
                let frame = self.stacks.top(self.place.stack);
                let call = program.edges[edge].op.as_call().ok_or("a return from no call")?;
                let function = &program.functions[frame.callee];
                let level = frame.level;
                if frame.caller != Some((to.stack, edge)) || function.exit != self.place.loc {
                    return Err("a return from elsewhere".into());
                }
                let result = match (call.ret, function.ret) {
                    (Some(var), Some(ret)) => Some((var, self.slot(Slot { var: ret, level }))),
                    _ => None,
                };
                for var in function.variables() {
                    self.vars.borrow_mut().remove(&Slot { var, level });
                }
                self.activations.remove(&(frame.callee, level));
                if let Some((var, result)) = result {
                    self.vars.borrow_mut().insert(self.stacks.slot(program, to.stack, var), result);
                }
            }
        }
        self.place = to;
        Ok(())
    }

    fn call(
        &mut self,
        edge: beeline_ir::EdgeId,
        callee: beeline_ir::FuncId,
        to: Place,
    ) -> Result<(), String> {
        let program = self.program;
        let call = program.edges[edge].op.as_call().ok_or("a call along an edge that is none")?;
        if program.edges[edge].src != self.place.loc {
            return Err("a call does not start where the execution is".into());
        }
        if let Some((pointer, address)) = pointer_called(program, edge, callee)
            && self.eval(pointer)?.as_bits().and_then(Bits::to_u64) != address
        {
            return Err(format!("the pointer called by {edge} is not that of the callee"));
        }
        let mut arguments = Vec::with_capacity(call.args.len());
        for &argument in &call.args {
            arguments.push(self.eval(argument)?);
        }
        self.calls += 1;
        let level = self.stacks.top(to.stack).level;
        self.activations.insert((callee, level), self.calls);
        let params = &program.functions[callee].params;
        let slots = params.iter().map(|&var| Slot { var, level });
        self.vars.borrow_mut().extend(slots.zip(arguments));
        Ok(())
    }

    fn operation(&mut self, index: usize, op: &Op) -> Result<(), String> {
        let program = self.program;
        match op {
            Op::Skip | Op::Assume(..) | Op::Call(_) => {}
            Op::Assign(list) => {
                let mut values = Vec::with_capacity(list.len());
                for &(_, value) in list {
                    values.push(self.eval(value)?);
                }
                for (&(var, _), value) in list.iter().zip(values) {
                    let slot = self.stacks.slot(program, self.place.stack, var);
                    self.vars.borrow_mut().insert(slot, value);
                }
            }
            Op::Havoc(var, _) => {
                let value = self.oracle.borrow_mut().input(index, *var);
                let slot = self.stacks.slot(program, self.place.stack, *var);
                self.vars.borrow_mut().insert(slot, value);
            }
            Op::HavocRegion(region) => {
                self.havocked.insert(*region, index);
                self.cells.borrow_mut().retain(|(id, _), _| id != region);
            }
            Op::Store { region, addr, value } => {
                let (id, region) = (*region, &program.regions[*region]);
                let ty = program.exprs.ty(*value);
                let addr = self.eval(*addr)?.as_bits().and_then(Bits::to_u64).ok_or("a wide address")?;
                let value = self.eval(*value)?;
                if !eval::accessible(region, addr, ty) {
                    return Err("a store outside every object".into());
                }
                let cells = split_cells(region, program.big_endian, &value).ok_or("an untyped store")?;
                let count = cells_of(ty, region.cell).unwrap_or(1);
                let keys = addresses(region, addr, count).map(|addr| (id, addr));
                self.cells.borrow_mut().extend(keys.zip(cells));
            }
        }
        Ok(())
    }
}
