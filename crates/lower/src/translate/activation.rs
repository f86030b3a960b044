//! Lifetimes of a frame's variables that are memory: they begin when the function is called, when a declaration is
//! executed and where a scope begins, each time as a new object that holds any value; they end with the scope or the
//! frame.
//!
//! [`Activations`](crate::analyse::activation::Activations) says what of that a program can notice.

use super::Body;
use crate::analyse::activation::{Activations, scope_mark};
use crate::analyse::cfg::{successors, terminator};
use crate::analyse::memory::Run;
use crate::analyse::points_to::Key;
use crate::analyse::promote::Object;
use crate::instruction::{callee, constant_u64, operands};
use beeline_ir::{BinOp, Direction, ExprId, Op, RegionId, Type, Value, VarId};
use beeline_module::*;
use rustc_hash::FxHashSet;

/// The number of cells that get a value in one step.
const CELLS_A_STEP: u64 = 64;

/// Bytes of a variable that get any value, or an address, when its lifetime begins, as encoded in the names of IR
/// variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Begun {
    /// The variable's name in the source.
    pub variable: String,
    /// The line of its declaration.
    pub line: u32,
    /// The distance of the bytes from its start.
    pub offset: u64,
    /// Whether it is declared in a block, so that its lifetime begins there and not with the call.
    pub in_block: bool,
}

impl Begun {
    /// Parses the name of a variable of the IR, where it is one of these.
    pub fn of(name: &str) -> Option<Begun> {
        let (in_block, rest) = match name.strip_prefix("unset.block.") {
            Some(rest) => (true, rest),
            None => (false, name.strip_prefix("unset.call.")?),
        };
        let mut parts = rest.splitn(4, '.');
        let variable = parts.next()?.to_string();
        let (line, offset) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        Some(Begun { variable, line, offset, in_block })
    }

    fn name(&self) -> String {
        let place = if self.in_block { "block" } else { "call" };
        format!("unset.{place}.{}.{}.{}", self.variable, self.line, self.offset)
    }
}

/// An object of a frame whose lifetime ends with the frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaving {
    alloca: InstId,
    /// Its rooms.
    region: RegionId,
    /// The variable of its address, null as long as there is none.
    addr: VarId,
}

impl Body<'_, '_> {
    pub(super) fn alloca(&mut self, inst: InstId, ty: TyId, count: &Operand, dynamic: bool) {
        let object = Object::Alloca(self.id, inst);
        if self.cx.scope.promotion.cells(object).is_some() {
            return;
        }
        if !dynamic && let Some(addr) = self.cx.layout.object(object) {
            let addr = self.word(addr);
            self.define_scalar(inst, addr);
            if !self.cx.scope.reach.is_called_once(self.id) {
                self.forget(inst, addr, false);
                self.note_met_again(object);
            }
            if !self.cx.activations.is_scoped(object) {
                self.set_lives(object, true);
            }
            return;
        }
        if !dynamic
            && self.cx.activations.is_scoped(object)
            && let Some(left) = self.leaving_of(inst)
        {
            // Its lifetime begins with its scope.
            let addr = self.read(left.addr);
            return self.define_scalar(inst, addr);
        }
        let bytes = self.alloca_size(ty, count);
        let addr = self.reserve(inst, bytes);
        self.define_scalar(inst, addr);
        // A new address holds any value.
        if !self.cx.activations.is_apart(object) {
            self.forget(inst, addr, false);
        }
    }

    /// The size in bytes of an `alloca`.
    fn alloca_size(&mut self, ty: TyId, count: &Operand) -> ExprId {
        let size = self.cx.scope.module.types[ty].size;
        match constant_u64(count) {
            Some(count) => self.word(size.saturating_mul(count)),
            None => {
                let (count, size) = (self.address(count), self.word(size));
                self.cx.builder.exprs().binary(BinOp::Mul, count, size)
            }
        }
    }

    /// Executes the declaration of a variable outside of the entry block, perhaps again; `rest` are the instructions
    /// that follow in the block.
    pub(super) fn begin(&mut self, alloca: InstId, rest: &[InstId]) {
        let object = Object::Alloca(self.id, alloca);
        if self.cx.scope.promotion.cells(object).is_some() {
            return self.begin_cells(alloca, rest);
        }
        // The start of its scope is marked separately.
        if self.cx.activations.is_repeated(object) && !self.cx.activations.is_scoped(object) {
            self.renew(alloca);
        }
    }

    /// Begins a new lifetime of a variable that had one before.
    fn renew(&mut self, alloca: InstId) {
        let object = Object::Alloca(self.id, alloca);
        let InstKind::Alloca { dynamic: false, ty, ref count, .. } = self.function.insts[alloca].kind else {
            return;
        };
        if let Some(addr) = self.cx.layout.object(object) {
            if self.cx.activations.is_repeated(object) {
                let addr = self.word(addr);
                self.forget(alloca, addr, true);
                self.note_met_again(object);
            }
        } else if let Some(left) = self.leaving_of(alloca) {
            if self.cx.activations.is_repeated(object) {
                let (old, none) = (self.read(left.addr), self.word(0));
                self.set_room(left.region, old, none);
            }
            let bytes = self.alloca_size(ty, count);
            self.take_slot(left.addr, self.cx.locals, self.cx.layout.locals);
            let new = self.read(left.addr);
            self.open_room(left.region, new, bytes);
        } else if let Some(addr) = self.values.get(&alloca).and_then(|val| val.first().copied()) {
            self.forget(alloca, addr, true);
        }
    }

    /// Gives a variable that is declared inside a loop any value in each iteration, unless what follows in the block
    /// sets it.
    fn begin_cells(&mut self, alloca: InstId, rest: &[InstId]) {
        let object = Object::Alloca(self.id, alloca);
        let insts = &self.function.insts;
        let uses = |inst: &&InstId| operands(&insts[**inst].kind).contains(&&Operand::Inst(alloca));
        let Some(cells) = self.cx.scope.promotion.cells(object) else { return };
        if let Some(&first) = rest.iter().find(uses)
            && matches!(&insts[first].kind, InstKind::Store { addr: Operand::Inst(addr), .. } if *addr == alloca)
            && cells.len() == 1
        {
            return;
        }
        for cell in cells {
            if let Some(&var) = self.cells.get(&(object, cell.offset)) {
                self.emit(Op::Havoc(var, None));
            }
        }
    }

    /// Havocs a variable when its lifetime begins, if something may read it.
    fn forget(&mut self, alloca: InstId, addr: ExprId, in_block: bool) {
        let object = Object::Alloca(self.id, alloca);
        let activations = self.cx.activations;
        if !activations.is_open(object) {
            return;
        }
        let Some(ptr) = self.cx.points.known_object(object) else { return };
        if activations.is_alone(object) {
            for group in self.cx.memory.groups(self.cx.points, ptr).to_vec() {
                self.emit(Op::HavocRegion(group.region));
            }
            return;
        }
        match object.size(self.cx.scope.module).filter(|&size| Activations::is_small(size)) {
            Some(size) => {
                for run in self.cx.memory.runs(self.cx.points, object, size) {
                    self.forget_run(addr, run, alloca, in_block);
                }
            }
            None => {
                let name = self.cx.scope.object_name(object);
                let text =
                    format!("parts of {name} that are not initialised keep the values of an earlier call");
                self.cx.note("unset", text, Direction::MayHideBug, self.span);
            }
        }
    }

    /// A variable of the IR for bytes of a variable when its lifetime begins.
    fn begun(&mut self, alloca: InstId, offset: u64, in_block: bool, ty: Type) -> VarId {
        let named = self.function.allocas.iter().find(|(inst, _)| *inst == alloca);
        let name = match named {
            Some((_, variable)) => {
                let line = variable.place.map_or(0, |place| place.line);
                Begun { variable: variable.name.clone(), line, offset, in_block }.name()
            }
            None => "unset".into(),
        };
        self.fresh(&name, ty)
    }

    /// Whether a variable is declared outside of the entry block.
    fn is_in_block(&self, alloca: InstId) -> bool {
        self.function.begins.iter().any(|(_, begun)| *begun == alloca)
    }

    /// Havocs cells of an object at an address.
    fn forget_run(&mut self, addr: ExprId, run: Run, alloca: InstId, in_block: bool) {
        let word = run.group.word;
        let one_by_one = matches!(run.group.cell, Type::Float(_));
        let step = if one_by_one { 1 } else { CELLS_A_STEP };
        for first in (0..run.count).step_by(step as usize) {
            let cells = step.min(run.count - first);
            let ty = if one_by_one { run.group.cell } else { Type::Bv((cells * word * 8) as u32) };
            let far = run.offset + first * word;
            let any = self.begun(alloca, far, in_block, ty);
            self.emit(Op::Havoc(any, None));
            let value = self.read(any);
            let addr = self.offset(addr, far as i64);
            self.emit(Op::Store { region: run.group.region, addr, value });
        }
    }

    /// Notes that a variable gets a new lifetime at one address though pointers to an earlier one may remain.
    fn note_met_again(&mut self, object: Object) {
        if self.cx.activations.is_met_again(object) {
            let name = self.cx.scope.object_name(object);
            let text = format!("no use of a pointer to an earlier {name} after its lifetime starts again");
            self.cx.note("scope", text, Direction::MayHideBug, self.span);
        }
    }

    /// Notes that the address of a call's result is kept, as in `p = f().list`: C ends such an object with the
    /// expression, clang with the function.
    pub(super) fn note_kept_result(&mut self, value: &Operand) {
        let Some((Object::Alloca(_, alloca), _)) = self.cx.scope.promotion.base(self.id, value) else {
            return;
        };
        let variables = &self.function.allocas;
        let is_literal = self.function.insts[alloca].name.starts_with(".compoundliteral");
        if is_literal {
            // Clang marks no scope of it.
            let text = "no use of a pointer to a compound literal after the block around it";
            return self.cx.note("scope", text.into(), Direction::MayHideBug, self.span);
        }
        // Without debug information it is not known what the source calls a variable.
        if variables.is_empty() || variables.iter().any(|(inst, _)| *inst == alloca) {
            return;
        }
        let text = "no use of a pointer to the result of a call after the expression with the call";
        self.cx.note("scope", text.into(), Direction::MayHideBug, self.span);
    }

    /// Reserves bytes for a frame; returns the address, in a variable. What may remain when the function returns is not
    /// live any more then.
    pub(super) fn reserve(&mut self, alloca: InstId, bytes: ExprId) -> ExprId {
        let bytes = self.shared(bytes);
        let left = self.leaving_of(alloca);
        let (addr, is_apart) = match left {
            Some(Leaving { addr, .. }) => (addr, true),
            None => {
                let addr = self.begun(alloca, 0, self.is_in_block(alloca), self.cx.pointer());
                (addr, self.cx.activations.is_apart(Object::Alloca(self.id, alloca)))
            }
        };
        let rooms = self.rooms_of(Key::Inst(self.id, alloca));
        let layout = self.cx.layout;
        // Without rooms and without separate lifetimes, a later object may get the same address.
        let (counter, arena) = match is_apart || rooms.is_some() && layout.stack.shift != layout.heap.shift {
            true => (self.cx.locals, layout.locals),
            false => (self.cx.stack, layout.stack),
        };
        if rooms.is_some() {
            self.limit_size(bytes);
        }
        self.take_slot(addr, counter, arena);
        let place = self.read(addr);
        if let Some(region) = rooms {
            self.open_room(region, place, bytes);
        }
        place
    }

    /// Ends the program beyond the largest slot: no stack is larger.
    fn limit_size(&mut self, bytes: ExprId) {
        let largest = self.cx.layout.locals.largest();
        let most = self.word(largest);
        let fits = self.cx.builder.exprs().binary(BinOp::Ule, bytes, most);
        if self.cx.builder.program().exprs.as_const(fits) != Some(&Value::Bool(true)) {
            let text = format!("a variable has at most {largest} bytes");
            self.cx.note("allocation", text, Direction::MayHideBug, self.span);
            self.emit(Op::assume(fits));
        }
    }

    /// Starts a function: no object of the frame is there yet that has to end with it.
    pub(super) fn begin_frame(&mut self) {
        let insts = self.function.blocks.values().flat_map(|block| &block.insts);
        let object = |inst: InstId| Object::Alloca(self.id, inst);
        let apart = insts.filter(|&&inst| self.cx.activations.is_apart(object(inst)));
        let rooms: Vec<(InstId, RegionId)> =
            apart.filter_map(|&inst| Some((inst, self.rooms_of(Key::Inst(self.id, inst))?))).collect();
        for (alloca, region) in rooms {
            let addr = self.begun(alloca, 0, self.is_in_block(alloca), self.cx.pointer());
            let none = self.word(0);
            self.assign(addr, none);
            self.leaving.push(Leaving { alloca, region, addr });
        }
    }

    /// Leaves the entry function: what runs at the end of the program stands before its last instruction.
    pub(super) fn leave_before_end(&mut self) {
        let last = self.function.blocks[self.block].insts.last();
        if last.is_some_and(|&last| matches!(self.function.insts[last].kind, InstKind::Ret(_))) {
            self.end_variables();
        }
    }

    /// Ends the lifetimes of a frame's variables, and the frame.
    pub(super) fn leave(&mut self) {
        self.end_variables();
        if let Some(frame) = self.frame {
            let old = self.read(frame);
            let stack = self.cx.stack;
            self.assign(stack, old);
        }
    }

    fn end_variables(&mut self) {
        let (zero, dead) = (self.word(0), self.cx.builder.exprs().bool(false));
        for left in self.leaving.clone() {
            let addr = self.read(left.addr);
            self.set_room(left.region, addr, zero);
        }
        for ghost in self.own_ghosts() {
            self.assign(ghost, dead);
        }
    }

    /// Begins or ends the scope of a variable, and with it the variable's lifetime.
    pub(super) fn mark_scope(&mut self, alloca: InstId, begins: bool) {
        let object = Object::Alloca(self.id, alloca);
        if begins {
            self.renew(alloca);
        }
        self.set_lives(object, begins);
        if !begins && let Some(left) = self.leaving_of(alloca) {
            let (addr, none) = (self.read(left.addr), self.word(0));
            self.set_room(left.region, addr, none);
        }
    }

    /// Saves the stack. What is reserved from now on lives until it is restored.
    pub(super) fn save_stack(&mut self, save: InstId) {
        let stack = self.read(self.cx.stack);
        let var = self.fresh("stack", self.cx.pointer());
        self.assign(var, stack);
        let value = self.read(var);
        self.define_scalar(save, value);
        if self.dynamic_ones().next().is_some() {
            let (mark, locals) = (self.mark_of(save), self.read(self.cx.locals));
            self.assign(mark, locals);
        }
    }

    /// Restores the stack: what was reserved since it was saved is gone.
    pub(super) fn restore_stack(&mut self, saved: &Operand) {
        let value = self.address(saved);
        self.assign(self.cx.stack, value);
        let dynamic: Vec<Leaving> = self.dynamic_ones().collect();
        if dynamic.is_empty() {
            return;
        }
        let Some(save) = self.save_of(saved) else {
            let text = "no use of an array of variable length after its block";
            return self.cx.note("scope", text.into(), Direction::MayHideBug, self.span);
        };
        let mark = self.mark_of(save);
        if dynamic.iter().any(|left| self.is_repeated_since(save, left.alloca)) {
            let text = "no use of memory of alloca after the block of an array of variable length, but for the newest";
            self.cx.note("scope", text.into(), Direction::MayHideBug, self.span);
        }
        for left in dynamic {
            let (since, addr, none) = (self.read(mark), self.read(left.addr), self.word(0));
            let exprs = self.cx.builder.exprs();
            let is_later = exprs.binary(BinOp::Ule, since, addr);
            let gone = exprs.ite(is_later, addr, none);
            self.set_room(left.region, gone, none);
        }
    }

    /// Whether an object may be reserved again without that the stack is saved in between.
    fn is_repeated_since(&self, save: InstId, alloca: InstId) -> bool {
        let block_of = |inst: InstId| {
            let mut blocks = self.function.blocks.iter();
            blocks.find(|(_, block)| block.insts.contains(&inst)).map(|(block, _)| block)
        };
        let (Some(saves), Some(reserves)) = (block_of(save), block_of(alloca)) else { return true };
        let mut met = FxHashSet::from_iter([saves]);
        let mut work = vec![reserves];
        while let Some(block) = work.pop() {
            for next in terminator(self.function, block).map(successors).unwrap_or_default() {
                if next == reserves && saves != reserves {
                    return true;
                }
                work.extend(met.insert(next).then_some(next));
            }
        }
        false
    }

    /// The objects that end with the frame and are reserved while the function runs.
    fn dynamic_ones(&self) -> impl Iterator<Item = Leaving> {
        let is_dynamic = |left: &&Leaving| {
            matches!(self.function.insts[left.alloca].kind, InstKind::Alloca { dynamic: true, .. })
        };
        self.leaving.iter().filter(is_dynamic).copied()
    }

    /// The variable with the next address at the time when the stack was saved.
    fn mark_of(&mut self, save: InstId) -> VarId {
        if let Some(&mark) = self.marks.get(&save) {
            return mark;
        }
        let mark = self.fresh("saved", self.cx.pointer());
        self.marks.insert(save, mark);
        mark
    }

    /// The instruction that saved the stack to which it is restored, if it is always the same: clang keeps what it saves
    /// in a variable of its own.
    fn save_of(&self, saved: &Operand) -> Option<InstId> {
        let Operand::Inst(inst) = saved else { return None };
        let insts = &self.function.insts;
        let InstKind::Load { addr: Operand::Inst(variable), .. } = &insts[*inst].kind else {
            return Some(*inst).filter(|&inst| self.is_save(inst));
        };
        let uses = insts.values().filter(|inst| operands(&inst.kind).contains(&&Operand::Inst(*variable)));
        let mut stored = None;
        for inst in uses {
            match &inst.kind {
                InstKind::Store { addr: Operand::Inst(addr), value: Operand::Inst(value) }
                    if addr == variable
                        && value != variable
                        && stored.is_none_or(|known| known == *value) =>
                {
                    stored = Some(*value);
                }
                InstKind::Load { .. } => {}
                InstKind::Call(call) if scope_mark(self.cx.scope.module, call).is_some() => {}
                _ => return None,
            }
        }
        stored.filter(|&save| self.is_save(save))
    }

    fn is_save(&self, inst: InstId) -> bool {
        match &self.function.insts[inst].kind {
            InstKind::Call(call) => callee(self.cx.scope.module, call)
                .is_some_and(|(_, function)| function.name.starts_with("llvm.stacksave")),
            _ => false,
        }
    }

    /// Records whether a variable at a fixed address is live, where a check may ask for it.
    fn set_lives(&mut self, object: Object, lives: bool) {
        if let Some(ghost) = self.cx.bounds.object(object).and_then(|fixed| fixed.lives) {
            let lives = self.cx.builder.exprs().bool(lives);
            self.assign(ghost, lives);
        }
    }

    fn leaving_of(&self, alloca: InstId) -> Option<Leaving> {
        self.leaving.iter().find(|left| left.alloca == alloca).copied()
    }

    /// Whether a function uses a variable by its name only while it is live. The optimiser may put a pointer in place
    /// of the name.
    pub(super) fn is_used_in_scope(&self, object: Object) -> bool {
        !self.cx.scope.module.optimised || !self.cx.activations.is_scoped(object)
    }

    /// Whether an address is in a variable of this frame that has no fixed address and is surely live.
    pub(super) fn is_own_slot(&self, operand: &Operand) -> bool {
        let activations = self.cx.activations;
        let base = self.cx.scope.promotion.base(self.id, operand);
        base.is_some_and(|(object, _)| activations.is_moved(object) && self.is_used_in_scope(object))
    }

    /// The ghosts that hold whether the function's variables are live.
    pub(super) fn own_ghosts(&self) -> Vec<VarId> {
        let lives = |inst| self.cx.bounds.object(Object::Alloca(self.id, inst))?.lives;
        let blocks = self.function.blocks.values();
        let insts = blocks.flat_map(|block| &block.insts);
        insts.filter_map(|&inst| lives(inst)).collect()
    }
}
