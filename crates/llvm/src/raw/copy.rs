//! Copies of a function's blocks, so that a copy determines by which edges an execution came.
//!
//! Blocks are easily copied if no value goes from one to another except those of the entry block, which is not copied:
//! so all others are kept in memory first, including phis.

use super::cut::place_of;
use super::{BlockRef, Ending, Inst, RawModule, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The destination of an edge out of a copy of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the end of executions.
    End,
    /// To the original of the next block.
    Original,
    /// To its copy in this group.
    Copy(usize),
}

/// A group of copies: its special edges, by the positions of blocks and successors. Other edges lead to copies of the
/// same group.
pub type Group = BTreeMap<(u32, u32), Way>;

/// The state while the blocks of a function are copied.
struct Copies<'g> {
    function: Value<'g>,
    groups: &'g [Group],
    blocks: Vec<LLVMBasicBlockRef>,
    numbers: HashMap<LLVMBasicBlockRef, u32>,
    made: HashMap<(usize, u32), LLVMBasicBlockRef>,
    work: Vec<(usize, u32)>,
    ending: Ending,
}

// SAFETY (of every block below): `self.at()` is a live module, and values, instructions and blocks are its own. What is
// erased is not used again. The instructions that are given operands or successors have that many.
impl RawModule<'_> {
    /// Copies the blocks of a function, given by its position in the list, in groups; its entry block leads into the
    /// first one. The original blocks keep their positions. Returns the number of copies; if blocks cannot be copied,
    /// there are none, and nothing changes.
    pub(crate) fn copy_blocks(&mut self, function: usize, groups: &[Group], ending: Ending) -> usize {
        let function = self.functions()[function];
        if groups.is_empty() || !function.insts().into_iter().all(can_be_copied) {
            return 0;
        }
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context().raw);
            phis_to_memory(function, builder);
            values_to_memory(function, builder);
            LLVMDisposeBuilder(builder);
        }
        let blocks: Vec<LLVMBasicBlockRef> = function.blocks().into_iter().map(BlockRef::at).collect();
        let numbers = blocks.iter().copied().zip(0..).collect();
        let (made, work) = (HashMap::new(), Vec::new());
        let mut copies = Copies { function, groups, blocks, numbers, made, work, ending };
        unsafe {
            let entry = LLVMGetBasicBlockTerminator(copies.blocks[0]);
            self.lead(&mut copies, entry, (0, 0));
            while let Some((group, block)) = copies.work.pop() {
                let end = self.fill(&copies, group, block);
                self.lead(&mut copies, end, (group, block));
            }
        }
        copies.made.len()
    }

    /// Leads the edges of a terminator, that of a block in a group, to their destinations.
    unsafe fn lead(&self, copies: &mut Copies<'_>, end: LLVMValueRef, (group, block): (usize, u32)) {
        unsafe {
            for way in 0..LLVMGetNumSuccessors(end) {
                let next = copies.numbers[&LLVMGetSuccessor(end, way)];
                let to = match copies.groups[group].get(&(block, way)) {
                    Some(Way::Original) => continue,
                    Some(Way::End) => {
                        let context = self.context().raw;
                        let shown =
                            LLVMAppendBasicBlockInContext(context, copies.function.at(), c"shown".as_ptr());
                        self.end_in(shown, place_of(copies.function, end), copies.ending);
                        shown
                    }
                    Some(&Way::Copy(group)) => self.copy(copies, (group, next)),
                    None => self.copy(copies, (group, next)),
                };
                LLVMSetSuccessor(end, way, to);
            }
        }
    }

    /// The copy of a block in a group, which may have to be filled still.
    unsafe fn copy(&self, copies: &mut Copies<'_>, of: (usize, u32)) -> LLVMBasicBlockRef {
        if let Some(&made) = copies.made.get(&of) {
            return made;
        }
        let made = unsafe {
            LLVMAppendBasicBlockInContext(self.context().raw, copies.function.at(), c"copy".as_ptr())
        };
        copies.made.insert(of, made);
        copies.work.push(of);
        made
    }

    /// Fills a copy; returns its terminator, which has the successors of the original one.
    unsafe fn fill(&self, copies: &Copies<'_>, group: usize, block: u32) -> LLVMValueRef {
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context().raw);
            LLVMPositionBuilderAtEnd(builder, copies.made[&(group, block)]);
            let mut new_of: HashMap<LLVMValueRef, LLVMValueRef> = HashMap::new();
            let mut next = LLVMGetFirstInstruction(copies.blocks[block as usize]);
            let mut last = next;
            while !next.is_null() {
                let inst = next;
                next = LLVMGetNextInstruction(inst);
                if is_about_variables(inst) {
                    continue;
                }
                last = LLVMInstructionClone(inst);
                LLVMInsertIntoBuilder(builder, last);
                LLVMInstructionSetDebugLoc(last, LLVMInstructionGetDebugLoc(inst));
                new_of.insert(inst, last);
                for operand in 0..LLVMGetNumOperands(last) as u32 {
                    if let Some(&new) = new_of.get(&LLVMGetOperand(last, operand)) {
                        LLVMSetOperand(last, operand, new);
                    }
                }
            }
            LLVMDisposeBuilder(builder);
            last
        }
    }
}

/// Whether an instruction ends a block as branches do, and its value can be kept in memory.
fn can_be_copied(inst: Inst<'_>) -> bool {
    let at = inst.value().at();
    let kind = unsafe { LLVMGetTypeKind(LLVMTypeOf(at)) };
    let is_plain = match unsafe { LLVMIsATerminatorInst(at) }.is_null() {
        true => true,
        false => matches!(
            inst.opcode(),
            LLVMOpcode::LLVMBr | LLVMOpcode::LLVMSwitch | LLVMOpcode::LLVMRet | LLVMOpcode::LLVMUnreachable
        ),
    };
    is_plain && !matches!(kind, LLVMTypeKind::LLVMTokenTypeKind | LLVMTypeKind::LLVMX86_AMXTypeKind)
}

/// Whether it is a call that only describes variables to debuggers. It refers to values of the original block.
unsafe fn is_about_variables(inst: LLVMValueRef) -> bool {
    unsafe {
        if LLVMGetInstructionOpcode(inst) != LLVMOpcode::LLVMCall {
            return false;
        }
        let callee = LLVMGetCalledValue(inst);
        LLVMGetValueKind(callee) == LLVMValueKind::LLVMFunctionValueKind
            && Value::from_raw(callee).is_some_and(|callee| callee.name().starts_with("llvm.dbg."))
    }
}

/// Memory for a value, which the entry block allocates.
unsafe fn slot(function: Value<'_>, builder: LLVMBuilderRef, value: LLVMValueRef) -> LLVMValueRef {
    unsafe {
        LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function.at())));
        LLVMBuildAlloca(builder, LLVMTypeOf(value), c"kept".as_ptr())
    }
}

/// Replaces phis by memory, which is written at the start of the edges into their blocks.
unsafe fn phis_to_memory(function: Value<'_>, builder: LLVMBuilderRef) {
    let phis = function.insts().into_iter().filter(|inst| inst.opcode() == LLVMOpcode::LLVMPHI);
    for phi in phis.map(|phi| phi.value().at()) {
        unsafe {
            let slot = slot(function, builder, phi);
            for way in 0..LLVMCountIncoming(phi) {
                let end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, way));
                LLVMPositionBuilderBefore(builder, end);
                LLVMBuildStore(builder, LLVMGetIncomingValue(phi, way), slot);
            }
            let mut first = phi;
            while LLVMGetInstructionOpcode(first) == LLVMOpcode::LLVMPHI {
                first = LLVMGetNextInstruction(first);
            }
            LLVMPositionBuilderBefore(builder, first);
            let kept = LLVMBuildLoad2(builder, LLVMTypeOf(phi), slot, c"".as_ptr());
            LLVMReplaceAllUsesWith(phi, kept);
            LLVMInstructionEraseFromParent(phi);
        }
    }
}

/// Replaces values by memory if other blocks than their own use them, and their own is not the entry block.
unsafe fn values_to_memory(function: Value<'_>, builder: LLVMBuilderRef) {
    let blocks = function.blocks();
    for inst in blocks.iter().skip(1).flat_map(|block| block.insts()) {
        let value = inst.value().at();
        unsafe {
            let own = LLVMGetInstructionParent(value);
            let users = users(value).into_iter().filter(|&user| LLVMGetInstructionParent(user) != own);
            let users: BTreeSet<LLVMValueRef> = users.collect();
            if users.is_empty() {
                continue;
            }
            let slot = slot(function, builder, value);
            LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(value));
            LLVMBuildStore(builder, value, slot);
            for user in users {
                LLVMPositionBuilderBefore(builder, user);
                let kept = LLVMBuildLoad2(builder, LLVMTypeOf(value), slot, c"".as_ptr());
                for operand in 0..LLVMGetNumOperands(user) as u32 {
                    if LLVMGetOperand(user, operand) == value {
                        LLVMSetOperand(user, operand, kept);
                    }
                }
            }
        }
    }
}

/// The instructions that use a value.
///
/// # Safety
/// It must be a value of a live module.
pub(super) unsafe fn users(value: LLVMValueRef) -> Vec<LLVMValueRef> {
    let mut found = Vec::new();
    unsafe {
        let mut next = LLVMGetFirstUse(value);
        while !next.is_null() {
            found.push(LLVMGetUser(next));
            next = LLVMGetNextUse(next);
        }
    }
    found
}
