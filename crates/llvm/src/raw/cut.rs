//! Ends paths through functions early, and removes what is not reachable any more.

use super::{BlockRef, RawModule, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMGetSubprogram, LLVMInstructionGetDebugLoc,
    LLVMInstructionSetDebugLoc,
};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMOpcode, LLVMTypeKind};
use std::collections::HashSet;
use std::ffi::CStr;
use std::ptr::null_mut;

/// The end of an execution where a path ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ending {
    /// A call of a function with the argument 0.
    Assume(&'static CStr),
    /// A call of a function without arguments.
    Call(&'static CStr),
    /// Nothing: the compiler considers it unreachable.
    Unreachable,
}

/// A function to be called, with its type and arguments.
struct Callee {
    function: LLVMValueRef,
    ty: LLVMTypeRef,
    arguments: Vec<LLVMValueRef>,
}

// SAFETY (of every block below): `self.at()` is a live module, and values, instructions and blocks are its own. What is
// erased is not used again: lists of blocks and instructions are taken anew after each change.
impl RawModule<'_> {
    /// Ends a function, given by its position in the list, at its entry or at branch edges: blocks by their positions,
    /// and successors by theirs. These have to be there. The code that only they lead to is erased.
    pub(crate) fn cut_function(&mut self, function: usize, sides: Option<&[(u32, u32)]>, ending: Ending) {
        let function = self.functions()[function];
        let blocks: Vec<BlockRef<'_>> = function.blocks();
        match sides {
            None => unsafe {
                let first = blocks[0].at();
                let end = LLVMInsertBasicBlockInContext(self.context().raw, first, c"shown".as_ptr());
                self.end_in(end, place_of(function, null_mut()), ending);
            },
            Some(sides) => {
                for &(block, way) in sides {
                    self.end_side(function, blocks[block as usize], way, ending);
                }
            }
        }
        erase_unreachable(function);
    }

    /// Ends a branch edge at the end of a block.
    fn end_side(&self, function: Value<'_>, block: BlockRef<'_>, way: u32, ending: Ending) {
        unsafe {
            let branch = LLVMGetBasicBlockTerminator(block.at());
            let next = LLVMGetSuccessor(branch, way);
            let end = LLVMAppendBasicBlockInContext(self.context().raw, function.at(), c"shown".as_ptr());
            self.end_in(end, place_of(function, branch), ending);
            LLVMSetSuccessor(branch, way, end);
            forget_incoming(next, block.at());
        }
    }

    /// Fills an empty block with the end of executions.
    pub(super) unsafe fn end_in(&self, block: LLVMBasicBlockRef, place: LLVMMetadataRef, ending: Ending) {
        unsafe {
            let builder = LLVMCreateBuilderInContext(self.context().raw);
            LLVMPositionBuilderAtEnd(builder, block);
            LLVMSetCurrentDebugLocation2(builder, place);
            if let Some(Callee { function, ty, mut arguments }) = self.callee(ending) {
                let count = arguments.len() as u32;
                LLVMBuildCall2(builder, ty, function, arguments.as_mut_ptr(), count, c"".as_ptr());
            }
            LLVMBuildUnreachable(builder);
            LLVMDisposeBuilder(builder);
        }
    }

    /// The callee of an ending: the function as the module declares it, if it does and the arguments fit.
    unsafe fn callee(&self, ending: Ending) -> Option<Callee> {
        unsafe {
            let context = self.context().raw;
            let int = LLVMInt32TypeInContext(context);
            let (name, mut params) = match ending {
                Ending::Assume(name) => (name, vec![int]),
                Ending::Call(name) => (name, Vec::new()),
                Ending::Unreachable => return None,
            };
            let (count, void) = (params.len() as u32, LLVMVoidTypeInContext(context));
            let own = LLVMFunctionType(void, params.as_mut_ptr(), count, 0);
            let known = LLVMGetNamedFunction(self.at(), name.as_ptr());
            if known.is_null() {
                let function = LLVMAddFunction(self.at(), name.as_ptr(), own);
                return Some(Callee { function, ty: own, arguments: zeros(&params) });
            }
            let ty = LLVMGlobalGetValueType(known);
            let mut takes = vec![null_mut(); LLVMCountParamTypes(ty) as usize];
            LLVMGetParamTypes(ty, takes.as_mut_ptr());
            let is_number = |&ty: &LLVMTypeRef| LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMIntegerTypeKind;
            // Declared without parameters, it takes any arguments.
            let fits = takes.len() == params.len() && takes.iter().all(is_number);
            let (ty, params) = if fits { (ty, takes) } else { (own, params) };
            Some(Callee { function: known, ty, arguments: zeros(&params) })
        }
    }

    /// The number of instructions of all functions.
    pub(crate) fn instructions(&self) -> usize {
        self.functions().into_iter().map(|function| function.insts().len()).sum()
    }
}

unsafe fn zeros(types: &[LLVMTypeRef]) -> Vec<LLVMValueRef> {
    types.iter().map(|&ty| unsafe { LLVMConstNull(ty) }).collect()
}

/// The place of an instruction in the source, if there is one. If it has none but its function has debug information,
/// the place has no line: calls need a place.
pub(super) fn place_of(function: Value<'_>, inst: LLVMValueRef) -> LLVMMetadataRef {
    unsafe {
        let place = if inst.is_null() { null_mut() } else { LLVMInstructionGetDebugLoc(inst) };
        let subprogram = LLVMGetSubprogram(function.at());
        if !place.is_null() || subprogram.is_null() {
            return place;
        }
        let context = LLVMGetModuleContext(LLVMGetGlobalParent(function.at()));
        LLVMDIBuilderCreateDebugLocation(context, 0, 0, subprogram, null_mut())
    }
}

/// Removes one incoming edge from a block to the phis of another one.
unsafe fn forget_incoming(block: LLVMBasicBlockRef, from: LLVMBasicBlockRef) {
    unsafe {
        let mut next = LLVMGetFirstInstruction(block);
        while !next.is_null() && LLVMGetInstructionOpcode(next) == LLVMOpcode::LLVMPHI {
            let phi = next;
            next = LLVMGetNextInstruction(phi);
            let ways = || 0..LLVMCountIncoming(phi);
            let Some(gone) = ways().find(|&way| LLVMGetIncomingBlock(phi, way) == from) else { continue };
            let kept = ways().filter(|&way| way != gone);
            let (mut blocks, mut values): (Vec<LLVMBasicBlockRef>, Vec<LLVMValueRef>) =
                kept.map(|way| (LLVMGetIncomingBlock(phi, way), LLVMGetIncomingValue(phi, way))).unzip();
            let builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(phi)));
            LLVMPositionBuilderBefore(builder, phi);
            let new = LLVMBuildPhi(builder, LLVMTypeOf(phi), c"".as_ptr());
            LLVMDisposeBuilder(builder);
            LLVMAddIncoming(new, values.as_mut_ptr(), blocks.as_mut_ptr(), blocks.len() as u32);
            LLVMInstructionSetDebugLoc(new, LLVMInstructionGetDebugLoc(phi));
            if LLVMCanValueUseFastMathFlags(phi) != 0 {
                LLVMSetFastMathFlags(new, LLVMGetFastMathFlags(phi));
            }
            let mut length = 0;
            let name = LLVMGetValueName2(phi, &mut length);
            let name = std::slice::from_raw_parts(name.cast::<u8>(), length).to_vec();
            LLVMReplaceAllUsesWith(phi, new);
            LLVMInstructionEraseFromParent(phi);
            LLVMSetValueName2(new, name.as_ptr().cast(), name.len());
        }
    }
}

/// Erases the blocks of a function that are not reachable from its entry.
fn erase_unreachable(function: Value<'_>) {
    let blocks = function.blocks();
    let mut met: HashSet<BlockRef<'_>> = HashSet::from([blocks[0]]);
    let mut work = vec![blocks[0]];
    while let Some(block) = work.pop() {
        let next = block.insts().last().map_or(Vec::new(), |end| end.successors());
        work.extend(next.into_iter().filter(|&next| met.insert(next)));
    }
    let kept = blocks[0].at();
    let gone: Vec<BlockRef<'_>> = blocks.into_iter().filter(|block| !met.contains(block)).collect();
    for block in &gone {
        let next = block.insts().last().map_or(Vec::new(), |end| end.successors());
        for next in next.into_iter().filter(|next| met.contains(next)) {
            unsafe { forget_incoming(next.at(), block.at()) };
        }
    }
    // They may refer to each other in cycles. Descriptions of variables are removed with the whole block, and with
    // nothing less.
    for inst in gone.iter().flat_map(|block| block.insts()) {
        let at = inst.value().at();
        unsafe {
            if !LLVMGetFirstUse(at).is_null() {
                LLVMReplaceAllUsesWith(at, LLVMGetPoison(LLVMTypeOf(at)));
            }
            for way in 0..inst.successors().len() as u32 {
                LLVMSetSuccessor(at, way, kept);
            }
        }
    }
    gone.iter().for_each(|block| unsafe { LLVMDeleteBasicBlock(block.at()) });
}
