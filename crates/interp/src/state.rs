//! The state of an execution: variables, memory and the oracle.

use crate::code::{Code, General, GeneralOp, Instr, Layout, Load, Place, Size};
use crate::eval::{self, StuckReason};
use crate::memory::{Access, Memory};
use crate::oracle::{Oracle, coerced};
use crate::run::Source;
use crate::word;
use beeline_ir::{EdgeId, Program, Type, Value, VarId};

/// The registers: intermediate results and constants.
#[derive(Debug)]
pub(crate) struct Registers {
    words: Vec<u64>,
    wides: Vec<Value>,
    /// For each shared node, the last evaluation that computed it.
    done: Vec<u64>,
    evaluation: u64,
    /// The return addresses of subroutines.
    returns: Vec<u32>,
}

impl Registers {
    pub(crate) fn new(layout: &Layout) -> Registers {
        let (words, wides) = (layout.words.clone(), layout.wides.clone());
        Registers { words, wides, done: Vec::new(), evaluation: 0, returns: Vec::new() }
    }

    /// Makes room for the registers of some code.
    pub(crate) fn grow(&mut self, code: &Code) {
        self.words.resize(self.words.len().max(code.size.words as usize), 0);
        self.wides.resize(self.wides.len().max(code.size.wides as usize), Value::Bool(false));
        self.done.resize(self.done.len().max(code.shared.len()), 0);
    }

    /// Whether a shared node has to be computed in this evaluation. Then the code there returns to a position.
    #[inline]
    fn calls(&mut self, shared: u32, from: u32) -> bool {
        let done = &mut self.done[shared as usize];
        let is_open = *done != self.evaluation;
        if is_open {
            *done = self.evaluation;
            self.returns.push(from);
        }
        is_open
    }

    pub(crate) fn word(&self, place: Place) -> u64 {
        let (Place::Word(index) | Place::Wide(index)) = place;
        self.words[index as usize]
    }

    pub(crate) fn value(&self, place: Place, ty: Type) -> Value {
        match place {
            Place::Word(index) => word::to_value(ty, self.words[index as usize]),
            Place::Wide(index) => self.wides[index as usize].clone(),
        }
    }

    fn set(&mut self, place: Place, value: Value) {
        match place {
            Place::Word(index) => self.words[index as usize] = word::of_value(&value),
            Place::Wide(index) => self.wides[index as usize] = value,
        }
    }
}

/// The variables of the globals, or of all activations in sequence.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables {
    words: Vec<u64>,
    known: Vec<bool>,
    wides: Vec<Option<Value>>,
}

/// A value that a variable has.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum Known<'v> {
    Word(u64),
    Wide(&'v Value),
}

/// The values of all variables and cells.
#[derive(Debug, Clone)]
pub(crate) struct Contents<'m> {
    pub globals: Variables,
    pub locals: Variables,
    /// The start of the active call's locals.
    pub base: Size,
    pub memory: Memory<'m>,
}

impl Variables {
    /// The value at a place, if there is one already: a word, or a wide value.
    pub(crate) fn at(&self, base: Size, place: Place) -> Option<Known<'_>> {
        match place {
            Place::Word(index) => {
                let index = (base.words + index) as usize;
                self.known[index].then(|| Known::Word(self.words[index]))
            }
            Place::Wide(index) => self.wides[(base.wides + index) as usize].as_ref().map(Known::Wide),
        }
    }

    /// The approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * 9 + self.wides.len() * size_of::<Value>()
    }

    pub(crate) fn resize(&mut self, words: usize, wides: usize) {
        self.words.resize(words, 0);
        self.known.resize(words, false);
        self.wides.resize(wides, None);
    }

    fn set_word(&mut self, slot: usize, word: u64) {
        self.words[slot] = word;
        self.known[slot] = true;
    }
}

pub(crate) struct State<'m, 'o> {
    program: &'m Program,
    layout: &'m Layout,
    oracle: &'o mut dyn Oracle,
    record: bool,
    pub contents: Contents<'m>,
    values: Vec<(Source, Value)>,
    choices: Vec<usize>,
}

impl<'m, 'o> State<'m, 'o> {
    pub(crate) fn new(
        program: &'m Program,
        layout: &'m Layout,
        globals: Size,
        oracle: &'o mut dyn Oracle,
        record: bool,
    ) -> State<'m, 'o> {
        let mut state = State {
            program,
            layout,
            oracle,
            record,
            contents: Contents {
                globals: Variables::default(),
                locals: Variables::default(),
                base: Size::default(),
                memory: Memory::new(program),
            },
            values: Vec::new(),
            choices: Vec::new(),
        };
        state.contents.globals.resize(globals.words as usize, globals.wides as usize);
        for (id, var) in program.globals() {
            if let Some(init) = var.init {
                state.set(id, program.exprs.value(init).clone());
            }
        }
        state
    }

    /// Begins an activation with so many locals, none of which has a value.
    pub(crate) fn enter(&mut self, size: Size) {
        self.contents.base = Size {
            words: self.contents.locals.words.len() as u32,
            wides: self.contents.locals.wides.len() as u32,
        };
        let (words, wides) = (self.contents.base.words + size.words, self.contents.base.wides + size.wides);
        self.contents.locals.resize(words as usize, wides as usize);
    }

    /// Ends an activation. The caller's activation starts at `base`.
    pub(crate) fn leave(&mut self, base: Size) {
        self.contents.locals.resize(self.contents.base.words as usize, self.contents.base.wides as usize);
        self.contents.base = base;
    }

    /// The approximate size of variables and memory in bytes.
    pub(crate) fn used(&self) -> usize {
        self.contents.memory.used + self.contents.locals.bytes()
    }

    pub(crate) fn ask(&mut self, source: Source, ty: Type) -> Value {
        asked(self.oracle, self.record.then_some(&mut self.values), source, ty)
    }

    /// Chooses one of several edges by the oracle.
    pub(crate) fn choose(&mut self, enabled: &[EdgeId]) -> usize {
        let chosen = self.oracle.choose_edge(enabled).min(enabled.len() - 1);
        if self.record {
            self.choices.push(chosen);
        }
        chosen
    }

    /// Whether a value of the oracle is recorded.
    pub(crate) fn has_asked(&self) -> bool {
        !self.values.is_empty()
    }

    /// The recorded answers of the oracle: values and choices.
    pub(crate) fn into_record(self) -> (Vec<(Source, Value)>, Vec<usize>) {
        (self.values, self.choices)
    }

    fn variables(&mut self, var: VarId) -> (&mut Variables, usize, bool) {
        let slot = self.layout.slots[var];
        let (Place::Word(index) | Place::Wide(index)) = slot.place;
        let is_word = matches!(slot.place, Place::Word(_));
        match (slot.global, is_word) {
            (true, _) => (&mut self.contents.globals, index as usize, is_word),
            (false, true) => {
                (&mut self.contents.locals, (self.contents.base.words + index) as usize, is_word)
            }
            (false, false) => {
                (&mut self.contents.locals, (self.contents.base.wides + index) as usize, is_word)
            }
        }
    }

    /// The value of a variable, if it has one already.
    pub(crate) fn known(&mut self, var: VarId) -> Option<Value> {
        let ty = self.program.vars[var].ty;
        match self.variables(var) {
            (variables, index, true) => {
                variables.known[index].then(|| word::to_value(ty, variables.words[index]))
            }
            (variables, index, false) => variables.wides[index].clone(),
        }
    }

    pub(crate) fn set(&mut self, var: VarId, value: Value) {
        match self.variables(var) {
            (variables, index, true) => variables.set_word(index, word::of_value(&value)),
            (variables, index, false) => variables.wides[index] = Some(value),
        }
    }

    /// Assigns the value of a register to a variable.
    pub(crate) fn set_from(&mut self, var: VarId, registers: &Registers, place: Place) {
        match (place, self.variables(var)) {
            (Place::Word(src), (variables, index, true)) => {
                variables.set_word(index, registers.words[src as usize]);
            }
            (Place::Word(src) | Place::Wide(src), (variables, index, _)) => {
                variables.wides[index] = Some(registers.wides[src as usize].clone());
            }
        }
    }

    /// The value of a variable. If it has none, the oracle determines it.
    pub(crate) fn get(&mut self, var: VarId) -> Value {
        if let Some(value) = self.known(var) {
            return value;
        }
        let value = self.ask(Source::Variable(var), self.program.vars[var].ty);
        self.set(var, value.clone());
        value
    }

    /// The word of a local variable in a slot of the frame.
    #[inline]
    fn local(&mut self, slot: u32, var: VarId) -> u64 {
        let index = (self.contents.base.words + slot) as usize;
        match self.contents.locals.known[index] {
            true => self.contents.locals.words[index],
            false => word::of_value(&self.get(var)),
        }
    }

    /// The word of a global variable in a slot.
    #[inline]
    fn global(&mut self, slot: u32, var: VarId) -> u64 {
        match self.contents.globals.known[slot as usize] {
            true => self.contents.globals.words[slot as usize],
            false => word::of_value(&self.get(var)),
        }
    }

    /// Runs code to its end.
    pub(crate) fn run(
        &mut self,
        code: &Code,
        registers: &mut Registers,
        start: u32,
    ) -> Result<(), StuckReason> {
        let mut pc = start as usize;
        registers.evaluation += 1;
        registers.returns.clear();
        loop {
            let words = &mut registers.words;
            match code.instrs[pc] {
                Instr::End => return Ok(()),
                Instr::Local { dst, slot, var } => words[dst as usize] = self.local(slot, var),
                Instr::Global { dst, slot, var } => words[dst as usize] = self.global(slot, var),
                Instr::SetLocal { slot, src } => {
                    let index = (self.contents.base.words + slot) as usize;
                    self.contents.locals.set_word(index, words[src as usize]);
                }
                Instr::SetGlobal { slot, src } => {
                    self.contents.globals.set_word(slot as usize, words[src as usize])
                }
                Instr::WideVar { dst, var } => registers.wides[dst as usize] = self.get(var),
                Instr::SetWide { var, src } => self.set(var, registers.wides[src as usize].clone()),
                Instr::Binary { op, width, dst, a, b } => {
                    let (a, b) = (words[a as usize], words[b as usize]);
                    words[dst as usize] = word::binary(op, u32::from(width), a, b)?;
                }
                Instr::Unary { op, width, dst, a } => {
                    words[dst as usize] = word::unary(op, u32::from(width), words[a as usize]);
                }
                Instr::SExt { from, to, dst, a } => {
                    words[dst as usize] = word::sext(u32::from(from), u32::from(to), words[a as usize]);
                }
                Instr::Extract { lo, width, dst, a } => {
                    words[dst as usize] = word::extract(u32::from(lo), u32::from(width), words[a as usize]);
                }
                Instr::Copy { dst, src } => words[dst as usize] = words[src as usize],
                Instr::CopyWide { dst, src } => {
                    registers.wides[dst as usize] = registers.wides[src as usize].clone();
                }
                Instr::JumpIf { cond, to } => {
                    if words[cond as usize] != 0 {
                        pc = to as usize;
                        continue;
                    }
                }
                Instr::JumpUnless { cond, to } => {
                    if words[cond as usize] == 0 {
                        pc = to as usize;
                        continue;
                    }
                }
                Instr::Jump { to } => {
                    pc = to as usize;
                    continue;
                }
                Instr::General(index) => general(&code.general[index as usize], registers)?,
                Instr::Load(index) => self.load(&code.loads[index as usize], registers)?,
                Instr::Force { shared } => {
                    if registers.calls(shared, pc as u32) {
                        pc = code.shared[shared as usize] as usize;
                        continue;
                    }
                }
                Instr::Return => pc = registers.returns.pop().unwrap_or(0) as usize,
            }
            pc += 1;
        }
    }

    fn load(&mut self, load: &Load, registers: &mut Registers) -> Result<(), StuckReason> {
        let Load { region, ty, cells, dst, .. } = *load;
        let addr = registers.words[load.addr as usize];
        let data = &self.program.regions[region];
        if !data.allows(addr, u64::from(cells) * data.stride()) {
            return Err(StuckReason::OutsideObject(addr));
        }
        let State { contents: Contents { memory, .. }, oracle, values, record, .. } = self;
        let fresh = |addr: u64, ty: Type| {
            asked(*oracle, record.then_some(&mut *values), Source::Cell(region, addr), ty)
        };
        let access = Access { region, addr, cells };
        match dst {
            Place::Word(dst) => registers.words[dst as usize] = memory.load_word(access, ty, fresh),
            Place::Wide(dst) => registers.wides[dst as usize] = memory.load(access, ty, fresh),
        }
        Ok(())
    }
}

/// The answer of the oracle, which is added to the record if there is one.
fn asked(
    oracle: &mut dyn Oracle,
    record: Option<&mut Vec<(Source, Value)>>,
    source: Source,
    ty: Type,
) -> Value {
    let value = coerced(&oracle.value(&source, ty), ty);
    if let Some(record) = record {
        record.push((source, value.clone()));
    }
    value
}

fn general(general: &General, registers: &mut Registers) -> Result<(), StuckReason> {
    let arg = |index: usize| {
        let (place, ty) = general.args[index];
        registers.value(place, ty)
    };
    let value = match general.op {
        GeneralOp::Unary(op) => eval::unary(op, &arg(0)),
        GeneralOp::Binary(op) => eval::binary(op, &arg(0), &arg(1)),
        GeneralOp::Fma => eval::fma(&arg(0), &arg(1), &arg(2)),
        GeneralOp::Extract { hi, lo } => eval::extract(hi, lo, &arg(0)),
        GeneralOp::Cast(op, to) => eval::cast(op, to, &arg(0)),
    }?;
    registers.set(general.dst, value);
    Ok(())
}
