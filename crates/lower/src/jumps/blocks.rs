//! A function whose jumps are made explicit, and the instructions that are added to it.

use super::Jumps;
use crate::rewrite::{call_of, plain};
use beeline_ir::Bits;
use beeline_module::*;
use rustc_hash::FxHashSet;

/// A call of `setjmp`.
pub(super) struct Landing {
    /// The variables of the function that hold the place, and what the call returns.
    pub place: Operand,
    pub result: Operand,
    /// The block that ends with the call, and the block where it returns.
    pub before: BlockId,
    pub after: BlockId,
    /// Whether it is the same buffer each time.
    pub has_one_buffer: bool,
    /// Where it stands.
    pub source: Option<Place>,
}

/// A branch behind a call that goes to what follows a jump, once that is known.
pub(super) struct Departure {
    /// The block that ends with it.
    pub block: BlockId,
    /// Its last instruction: a branch whose second successor is where a jump arrives.
    pub branch: InstId,
}

/// A function that is rewritten.
pub(super) struct Split<'a> {
    pub jumps: &'a Jumps,
    pub function: &'a mut Function,
    pub landings: Vec<Landing>,
    pub departures: Vec<Departure>,
    /// The calls of `longjmp`, and all that may jump.
    pub direct: FxHashSet<InstId>,
    pub may_jump: FxHashSet<InstId>,
    /// The types of the parameters.
    pub params: Vec<TyId>,
    /// The place in the source of what is added.
    pub place: Option<Place>,
    /// The block that is being made.
    pub block: BlockId,
}

impl Split<'_> {
    /// Adds an instruction at the end of the block that is being made.
    pub(super) fn add(&mut self, ty: TyId, kind: InstKind) -> Operand {
        let inst = self.function.insts.push(Inst { place: self.place, ..plain(ty, kind) });
        self.function.blocks[self.block].insts.push(inst);
        Operand::Inst(inst)
    }

    pub(super) fn load(&mut self, ty: TyId, addr: Operand) -> Operand {
        self.add(ty, InstKind::Load { addr, volatile: false })
    }

    pub(super) fn store(&mut self, addr: Operand, value: Operand) {
        self.add(self.jumps.types.void(), InstKind::Store { addr, value });
    }

    pub(super) fn compare(&mut self, predicate: IntPredicate, a: Operand, b: Operand) -> Operand {
        self.add(self.jumps.bit, InstKind::IntCompare(predicate, a, b))
    }

    /// Ends the block that is being made with a branch that no person wrote.
    pub(super) fn branch(&mut self, condition: Operand, then: BlockId, otherwise: BlockId) -> InstId {
        let flags = Flags { added: true, ..Flags::default() };
        let kind = InstKind::CondBr(condition, then, otherwise);
        let inst = Inst { place: self.place, flags, ..plain(self.jumps.types.void(), kind) };
        let inst = self.function.insts.push(inst);
        self.function.blocks[self.block].insts.push(inst);
        inst
    }

    pub(super) fn go_to(&mut self, block: BlockId) -> InstId {
        let inst = self.function.insts.push(plain(self.jumps.types.void(), InstKind::Br(block)));
        self.function.blocks[self.block].insts.push(inst);
        inst
    }

    /// Begins a new block at a place of the source.
    pub(super) fn begin(&mut self, place: Option<Place>) -> BlockId {
        self.place = place;
        self.block = self.function.blocks.push(Block::default());
        self.block
    }

    pub(super) fn word(&self, number: u64) -> Operand {
        Operand::Const(self.jumps.types.word(), Const::Int(Bits::new(64, number)))
    }

    pub(super) fn int(&self, number: u64) -> Operand {
        Operand::Const(self.jumps.int, Const::Int(Bits::new(32, number)))
    }

    pub(super) fn global(&self, global: GlobalId) -> Operand {
        Operand::Const(self.jumps.types.ptr(), Const::Global(global, 0))
    }

    /// A new local variable, which is zero at first.
    pub(super) fn variable(&mut self, ty: TyId) -> Operand {
        let count = self.word(1);
        let kind = InstKind::Alloca { ty, count, align: 8, dynamic: false };
        let (ptr, void) = (self.jumps.types.ptr(), self.jumps.types.void());
        let variable = self.function.insts.push(plain(ptr, kind));
        let value = Operand::Const(ty, Const::Zero);
        let store = InstKind::Store { addr: Operand::Inst(variable), value };
        let store = self.function.insts.push(plain(void, store));
        self.function.blocks[BlockId::from_u32(0)].insts.splice(0..0, [variable, store]);
        Operand::Inst(variable)
    }

    /// Ends the block that is being made, and the execution.
    pub(super) fn end_nowhere(&mut self) {
        let Jumps { types, nowhere, nowhere_type, .. } = self.jumps;
        self.add(types.void(), call_of(types, *nowhere, *nowhere_type, Vec::new(), false));
        self.add(types.void(), InstKind::Unreachable);
    }
}
