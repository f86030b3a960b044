//! Blocks as formulas: symbolic execution of a whole block at once, with joins.
//!
//! A [`SymState`] maps variables to terms. While the executor *folds*, a known value stays a value, so the
//! solver sees only what depends on inputs. Each nondeterministic branch gets a selector, so that no path
//! through a block hides another one.

mod access;
mod branches;
mod join;
mod pop;
mod range;
pub mod state;

use crate::control::Control;
use crate::control::place::{Place, Slot, Step, pointer_called};
use crate::formula::state::{Sym, SymMemory, SymState, Undefined, Unwritten, View};
use crate::values::eval::{self, AbstractValue, addresses, split_cells};
use crate::values::layered::Layered;
use beeline_ir::{Bits, EdgeId, ExprId, FuncId, Op, Program, RegionId, Type, Value, VarId, cells_of};
use beeline_smt::flat::{self, Outside};
use beeline_smt::{Encoder, Formula, Memory, Questions, Source, Term, Unsupported, Valuation};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The symbolic executor of blocks.
pub struct Executor<'a> {
    program: &'a Program,
    control: &'a dyn Control,
    encoder: Encoder<'a>,
    /// Whether known values are kept as values instead of terms.
    fold: bool,
    /// Whether maps are used only where single cells do not suffice.
    flat: bool,
    /// Queries about what is impossible, if they are to be asked.
    pub(crate) questions: Option<Questions>,
    /// The contents of regions before the program writes to them.
    outside: Outside,
    /// Facts about initial contents of regions that are in use.
    pub facts: Vec<Formula>,
    /// Formulas which say that unknown addresses are as in real memory. No answer relies on them: executions
    /// that satisfy them can be repeated natively.
    pub plausible: Vec<Formula>,
    /// Variables that were read before they were written.
    pub unwritten: Vec<Unwritten>,
    /// Initial contents of regions.
    pub initial_regions: BTreeMap<RegionId, Memory>,
    /// The number of variables and cells that were processed one by one.
    pub work: u64,
    named: FxHashSet<(Slot, u32, u32)>,
    facts_of: FxHashSet<RegionId>,
    counter: u32,
    /// When the current step has no result.
    undefined: Undefined,
}

impl<'a> Executor<'a> {
    /// An executor that folds values, or one that turns all values into terms.
    pub fn new(program: &'a Program, control: &'a dyn Control, fold: bool) -> Executor<'a> {
        Executor {
            program,
            control,
            encoder: Encoder::new(program),
            fold,
            flat: false,
            questions: None,
            outside: Outside::default(),
            facts: Vec::new(),
            plausible: Vec::new(),
            unwritten: Vec::new(),
            initial_regions: BTreeMap::new(),
            work: 0,
            named: FxHashSet::default(),
            facts_of: FxHashSet::default(),
            counter: 0,
            undefined: Undefined::default(),
        }
    }

    /// An executor that folds values and avoids maps where single cells suffice.
    pub(crate) fn without_maps(
        program: &'a Program,
        control: &'a dyn Control,
        questions: Questions,
    ) -> Executor<'a> {
        let encoder = Encoder::new(program).folding();
        Executor { flat: true, encoder, questions: Some(questions), ..Executor::new(program, control, true) }
    }

    fn is_flat(&self, id: RegionId) -> bool {
        self.flat && flat::is_flat(&self.program.regions[id])
    }

    /// The control that places refer to.
    pub fn control(&self) -> &'a dyn Control {
        self.control
    }

    /// The encoder of the program's expressions.
    pub fn encoder(&self) -> Encoder<'a> {
        self.encoder
    }

    /// The state at the start of the program.
    pub fn start(&self) -> SymState {
        self.somewhere(0)
    }

    /// A state of which nothing is known. States of different epochs share no constants.
    pub fn somewhere(&self, epoch: u32) -> SymState {
        SymState {
            guard: Formula::constant(true),
            vars: Layered::default(),
            regions: Layered::default(),
            activations: Layered::default(),
            epoch,
        }
    }

    /// The symbolic value of a slot.
    pub fn slot(&mut self, state: &mut SymState, slot: Slot) -> Result<Sym, Unsupported> {
        if let Some(sym) = state.vars.get(&slot) {
            return Ok(sym.clone());
        }
        let sym = self.unwritten_slot(state, slot)?;
        state.vars.insert(slot, sym.clone());
        Ok(sym)
    }

    fn unwritten_slot(&mut self, state: &SymState, slot: Slot) -> Result<Sym, Unsupported> {
        let var = &self.program.vars[slot.var];
        if state.epoch == 0
            && let Some(init) = var.init
        {
            let value = self.program.exprs.value(init).clone();
            return if self.fold { Ok(Sym::Value(value)) } else { Ok(Sym::Term(Term::value(&value)?)) };
        }
        let activation = match var.owner {
            Some(owner) => state.activations.get(&(owner, slot.level)).copied().unwrap_or(0),
            None => 0,
        };
        let name = format!("{}!{}!{}!{}!{activation}", var.name, slot.var, slot.level, state.epoch);
        let term = Term::named(&name, var.ty)?;
        if self.named.insert((slot, state.epoch, activation)) {
            self.unwritten.push(Unwritten { slot, activation, term: term.clone() });
        }
        Ok(Sym::Term(term))
    }

    /// The content of a region.
    pub fn region(&mut self, state: &mut SymState, id: RegionId) -> Result<SymMemory, Unsupported> {
        if let Some(memory) = state.regions.get(&id) {
            return Ok(memory.clone());
        }
        let region = &self.program.regions[id];
        let base = Memory::named(&format!("{}!{id}!{}", region.name, state.epoch), region)?;
        let initial = state.epoch == 0;
        if initial {
            self.initial_regions.entry(id).or_insert_with(|| base.clone());
        }
        let memory = SymMemory { base, initial, cells: Rc::default() };
        state.regions.insert(id, memory.clone());
        Ok(memory)
    }

    /// Gives a region its initial content.
    pub fn make_initial(&mut self, state: &mut SymState, id: RegionId) -> Result<(), Unsupported> {
        let region = &self.program.regions[id];
        let base = Memory::named(&format!("{}!{id}!initial", region.name), region)?;
        let cells = state.regions.remove(&id).map(|memory| memory.cells).unwrap_or_default();
        state.regions.insert(id, SymMemory { base, initial: true, cells });
        Ok(())
    }

    /// Gives a cell a value, or any value.
    pub fn set_cell(
        &mut self,
        state: &mut SymState,
        id: RegionId,
        addr: u64,
        value: Option<Value>,
    ) -> Result<(), Unsupported> {
        let memory = self.region(state, id)?;
        let cell = match value {
            Some(value) => Sym::Value(value),
            None => Sym::Term(Term::fresh("cell", self.program.regions[id].cell)?),
        };
        state.put(id, memory, [(addr, cell)]);
        Ok(())
    }

    /// The content of a region as one map.
    pub fn flat_region(&mut self, state: &mut SymState, id: RegionId) -> Result<Memory, Unsupported> {
        let memory = self.region(state, id)?;
        self.flatten(id, &memory)
    }

    fn flatten(&mut self, id: RegionId, memory: &SymMemory) -> Result<Memory, Unsupported> {
        let region = &self.program.regions[id];
        if memory.initial && self.facts_of.insert(id) {
            self.facts.push(memory.base.initially(region, &self.program.exprs)?);
        }
        self.use_map(id, &memory.base);
        let mut flat = memory.base.clone();
        for (&addr, cell) in &*memory.cells {
            flat = flat.with_cell(region, addr, &cell.term()?);
        }
        Ok(flat)
    }

    fn eval(&self, state: &SymState, place: Place, expr: ExprId) -> AbstractValue {
        if !self.fold {
            return AbstractValue::Unknown;
        }
        let view = View { program: self.program, control: self.control, state, place };
        match eval::eval(self.program, expr, &view) {
            (outcome @ AbstractValue::Value(_), true) | (outcome @ AbstractValue::Stuck, _) => outcome,
            _ => AbstractValue::Unknown,
        }
    }

    /// The symbolic value of an expression. The guard gets the condition that it is not stuck.
    pub(crate) fn expr(
        &mut self,
        state: &mut SymState,
        place: Place,
        expr: ExprId,
    ) -> Result<Sym, Unsupported> {
        match self.eval(state, place, expr) {
            AbstractValue::Value(value) => return Ok(Sym::Value(value)),
            AbstractValue::Stuck => {
                self.undefined.unless(&state.guard, &Formula::constant(false));
                state.guard = Formula::constant(false);
                return Ok(Sym::Value(Value::zero(self.program.exprs.ty(expr))));
            }
            AbstractValue::Unknown => {}
        }
        let encoder = self.encoder;
        let encoded = encoder.expr(expr, &mut Reader::new(self, state, place))?;
        self.undefined.unless(&state.guard, &encoded.defined);
        state.guard = state.guard.and(&encoded.defined);
        Ok(Sym::Term(encoded.term))
    }

    /// Executes a step.
    fn step(
        &mut self,
        state: &mut SymState,
        from: Place,
        step: Step,
        to: Place,
        made: &mut Made,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        match step {
            Step::Edge(edge) => match self.control.range(edge) {
                Some(range) => self.range(state, from, edge, &range, made),
                None => self.operation(state, from, &program.edges[edge].op, made),
            },
            Step::Call(edge, callee) => {
                let arguments = self.arguments(state, from, edge, callee)?;
                self.counter += 1;
                let level = self.control.frame(to.stack).level;
                state.activations.insert((callee, level), self.counter);
                for (&var, argument) in program.functions[callee].params.iter().zip(arguments) {
                    state.vars.insert(Slot { var, level }, argument);
                }
                Ok(())
            }
            Step::Return(edge) => {
                let Some(call) = program.edges[edge].op.as_call() else { return Ok(()) };
                self.ensure(state, from, edge, to)?;
                let frame = self.control.frame(from.stack);
                let (callee, level) = (frame.callee, frame.level);
                let result = match (call.ret, program.functions[callee].ret) {
                    (Some(var), Some(ret)) => Some((var, self.slot(state, Slot { var: ret, level })?)),
                    _ => None,
                };
                for var in program.functions[callee].variables() {
                    state.vars.remove(&Slot { var, level });
                }
                state.activations.remove(&(callee, level));
                if let Some((var, result)) = result {
                    state.vars.insert(self.control.slot(program, to.stack, var), result);
                }
                Ok(())
            }
            Step::Pop(edge) => self.pop(state, from, edge, to),
        }
    }

    /// The arguments of a call of a function. The guard gets the conditions that this function is called, and
    /// that the arguments have values.
    pub(crate) fn arguments(
        &mut self,
        state: &mut SymState,
        from: Place,
        edge: EdgeId,
        callee: FuncId,
    ) -> Result<Vec<Sym>, Unsupported> {
        let program = self.program;
        if let Some((pointer, address)) = pointer_called(program, edge, callee) {
            let width = program.exprs.width(pointer);
            let pointer = self.expr(state, from, pointer)?;
            let address = address.map(|address| Value::bv(width, address));
            self.require_equal(state, &pointer, address)?;
        }
        let arguments = program.edges[edge].op.as_call().map_or(&[][..], |call| &call.args);
        arguments.iter().map(|&argument| self.expr(state, from, argument)).collect()
    }

    /// When the last step has no result; resets it.
    pub(crate) fn take_undefined(&mut self) -> Undefined {
        std::mem::take(&mut self.undefined)
    }

    fn require_equal(
        &mut self,
        state: &mut SymState,
        sym: &Sym,
        value: Option<Value>,
    ) -> Result<(), Unsupported> {
        let equal = match (sym, value) {
            (_, None) => Formula::constant(false),
            (Sym::Value(a), Some(b)) => Formula::constant(*a == b),
            (Sym::Term(a), Some(b)) => a.same(&Term::value(&b)?),
        };
        state.guard = state.guard.and(&equal);
        Ok(())
    }

    fn operation(
        &mut self,
        state: &mut SymState,
        place: Place,
        op: &Op,
        made: &mut Made,
    ) -> Result<(), Unsupported> {
        match op {
            Op::Skip | Op::Call(_) => {}
            Op::Assume(cond, _) => {
                let cond = self.expr(state, place, *cond)?.term()?;
                let holds = cond.as_formula().expect("a condition is a truth value");
                state.guard = state.guard.and(holds);
            }
            Op::Assign(list) => {
                let mut values = Vec::with_capacity(list.len());
                for &(_, value) in list {
                    values.push(self.expr(state, place, value)?);
                }
                for (&(var, _), value) in list.iter().zip(values) {
                    state.vars.insert(self.control.slot(self.program, place.stack, var), value);
                }
            }
            Op::Havoc(var, _) => {
                let variable = &self.program.vars[*var];
                let term = Term::fresh(&format!("{}!input", variable.name), variable.ty)?;
                made.input = Some(term.clone());
                state.vars.insert(self.control.slot(self.program, place.stack, *var), Sym::Term(term));
            }
            Op::HavocRegion(id) => {
                let region = &self.program.regions[*id];
                let base = Memory::fresh(&format!("{}!havoc", region.name), region)?;
                made.region = Some(base.clone());
                state.regions.insert(*id, SymMemory { base, initial: false, cells: Rc::default() });
            }
            Op::Store { region, addr, value } => self.store(state, place, *region, *addr, *value)?,
        }
        Ok(())
    }

    fn store(
        &mut self,
        state: &mut SymState,
        place: Place,
        id: RegionId,
        addr: ExprId,
        value: ExprId,
    ) -> Result<(), Unsupported> {
        let region = &self.program.regions[id];
        let ty = self.program.exprs.ty(value);
        let at = match self.eval(state, place, addr) {
            AbstractValue::Value(at) => at.as_bits().and_then(Bits::to_u64),
            _ => None,
        };
        let Some(at) = at else { return self.store_somewhere(state, place, id, addr, value) };
        if !eval::accessible(region, at, ty) {
            self.undefined.unless(&state.guard, &Formula::constant(false));
            state.guard = Formula::constant(false);
            return Ok(());
        }
        let big_endian = self.program.big_endian;
        let cells: Vec<Sym> = match self.expr(state, place, value)? {
            Sym::Value(value) => {
                let cells = split_cells(region, big_endian, &value).expect("stores are typed");
                cells.into_iter().map(Sym::Value).collect()
            }
            Sym::Term(term) => {
                let cells = Memory::split(region, big_endian, &term).expect("stores are typed");
                cells.into_iter().map(Sym::Term).collect()
            }
        };
        let memory = self.region(state, id)?;
        let count = cells_of(ty, region.cell).unwrap_or(1);
        state.put(id, memory, addresses(region, at, count).zip(cells));
        Ok(())
    }
}

/// Fresh symbols that a step introduced.
#[derive(Default)]
struct Made {
    input: Option<Term>,
    region: Option<Memory>,
    range: Vec<Sym>,
}

/// The terms of a state, for the encoder.
struct Reader<'a, 'b> {
    executor: &'b mut Executor<'a>,
    state: &'b mut SymState,
    place: Place,
    /// Assumptions besides the state's guard under which a read matters.
    assumed: Vec<Formula>,
}

impl<'a, 'b> Reader<'a, 'b> {
    fn new(executor: &'b mut Executor<'a>, state: &'b mut SymState, place: Place) -> Reader<'a, 'b> {
        Reader { executor, state, place, assumed: Vec::new() }
    }
}

impl Valuation for Reader<'_, '_> {
    fn var(&mut self, var: VarId) -> Result<Term, Unsupported> {
        let slot = self.executor.control.slot(self.executor.program, self.place.stack, var);
        let term = self.executor.slot(self.state, slot)?.term()?;
        if term.ty() != Type::Bv(self.executor.program.pointer_width) {
            return Ok(term);
        }
        let settled = self.executor.settled(Source::Var(var), &self.state.guard, term.clone());
        if settled != term {
            self.state.vars.insert(slot, Sym::Term(settled.clone()));
        }
        Ok(settled)
    }

    fn region(&mut self, region: RegionId) -> Result<Memory, Unsupported> {
        self.executor.flat_region(self.state, region)
    }

    fn flat_load(&mut self, id: RegionId, addr: &Term, ty: Type) -> Result<Option<Term>, Unsupported> {
        let guard = Formula::all(std::iter::once(&self.state.guard).chain(&self.assumed).cloned());
        self.executor.load(self.state, &guard, id, addr, ty)
    }

    fn assume(&mut self, condition: &Formula) {
        self.assumed.push(condition.clone());
    }

    fn withdraw(&mut self) {
        self.assumed.pop();
    }

    fn accessed(&mut self, plausible: Formula) {
        self.executor.plausible.push(self.state.guard.implies(&plausible));
    }
}
