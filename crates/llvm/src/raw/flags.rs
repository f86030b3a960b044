//! What LLVM says about an instruction besides its operation.

use super::Inst;
use beeline_module::Flags;
use llvm_sys::core::*;
use llvm_sys::{
    LLVMFastMathAllowContract, LLVMFastMathAllowReassoc, LLVMFastMathAllowReciprocal, LLVMFastMathApproxFunc,
    LLVMFastMathNoInfs, LLVMFastMathNoNaNs, LLVMFastMathNoSignedZeros, LLVMOpcode,
};
use std::ffi::CStr;

/// The flags that let a result differ from the one of IEEE 754.
const APPROXIMATE: u32 = LLVMFastMathAllowReassoc
    | LLVMFastMathAllowReciprocal
    | LLVMFastMathAllowContract
    | LLVMFastMathApproxFunc
    | LLVMFastMathNoSignedZeros;

impl Inst<'_> {
    /// The flags of the instruction.
    pub(crate) fn flags(self) -> Flags {
        use LLVMOpcode::*;
        let (opcode, at) = (self.opcode(), self.value().at());
        let wraps = matches!(opcode, LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMTrunc);
        let divides = matches!(opcode, LLVMUDiv | LLVMSDiv | LLVMLShr | LLVMAShr);
        let widens = matches!(opcode, LLVMZExt | LLVMUIToFP);
        // SAFETY: the instruction is live, and each accessor is for its kind.
        unsafe {
            let fast = if LLVMCanValueUseFastMathFlags(at) != 0 { LLVMGetFastMathFlags(at) } else { 0 };
            Flags {
                nsw: wraps && LLVMGetNSW(at) != 0,
                nuw: wraps && LLVMGetNUW(at) != 0,
                exact: divides && LLVMGetExact(at) != 0,
                nneg: widens && LLVMGetNNeg(at) != 0,
                same_sign: self.same_sign(),
                disjoint: opcode == LLVMOr && LLVMGetIsDisjoint(at) != 0,
                nnan: fast & LLVMFastMathNoNaNs != 0,
                ninf: fast & LLVMFastMathNoInfs != 0,
                approximate: fast & APPROXIMATE != 0,
                atomic: self.is_atomic(),
                sanitizer: self.is_of_sanitizer(),
                unchecked: false,
                added: false,
            }
        }
    }

    /// Whether a sanitizer of clang added the instruction; of all instructions, only branches are asked.
    fn is_of_sanitizer(self) -> bool {
        const MARK: &CStr = c"nosanitize";
        let at = self.value().at();
        // SAFETY: the instruction is live, and so is the context of its type.
        self.opcode() == LLVMOpcode::LLVMBr
            && unsafe {
                let context = LLVMGetTypeContext(LLVMTypeOf(at));
                let kind = LLVMGetMDKindIDInContext(context, MARK.as_ptr(), MARK.count_bytes() as u32);
                !LLVMGetMetadata(at, kind).is_null()
            }
    }
}
