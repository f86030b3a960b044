//! Changes to a module that is to be compiled again.

use super::{Inst, RawModule, Value};
use llvm_sys::LLVMValueKind;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use std::ffi::CString;

// SAFETY (of every block below): `self.at()` is a live module, and values and instructions are its own.
impl RawModule<'_> {
    /// Lets the module call `void name(int)` before every instruction for which `number` names the
    /// argument. It is asked for the instructions of each function in their order.
    pub fn call_before(
        &mut self,
        name: &str,
        mut number: impl FnMut(Value<'_>, Inst<'_>) -> Option<u32>,
    ) {
        let name = CString::new(name).expect("names of functions are ours");
        let (function, ty, int, builder) = unsafe {
            let context = self.context().raw;
            let int = LLVMInt32TypeInContext(context);
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), [int].as_mut_ptr(), 1, 0);
            let function = LLVMAddFunction(self.at(), name.as_ptr(), ty);
            (function, ty, int, LLVMCreateBuilderInContext(context))
        };
        let callers = self.functions();
        let bodies = callers.iter().filter(|caller| !caller.is_declaration());
        for (caller, inst) in bodies.flat_map(|caller| caller.insts().into_iter().map(move |inst| (*caller, inst)))
        {
            let Some(argument) = number(caller, inst) else { continue };
            unsafe {
                let mut argument = LLVMConstInt(int, u64::from(argument), 0);
                LLVMPositionBuilderBefore(builder, inst.value().at());
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst.value().at()));
                LLVMBuildCall2(builder, ty, function, &mut argument, 1, c"".as_ptr());
            }
        }
        unsafe { LLVMDisposeBuilder(builder) };
    }

    /// Gives the functions for which `choose` names one another name.
    pub fn rename(&mut self, choose: impl Fn(&str) -> Option<String>) {
        for function in self.functions() {
            if let Some(name) = choose(&function.name()) {
                unsafe { LLVMSetValueName2(function.at(), name.as_ptr().cast(), name.len()) };
            }
        }
    }

    /// The module as bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.at());
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }
}

impl<'m> Value<'m> {
    /// The instructions of a function.
    pub fn insts(self) -> Vec<Inst<'m>> {
        self.blocks().into_iter().flat_map(|block| block.insts()).collect()
    }

    /// Does a function extend the sign of its result, if that is narrower than a register?
    pub fn returns_signed(self) -> bool {
        const RESULT: u32 = 0;
        assert_eq!(self.kind(), LLVMValueKind::LLVMFunctionValueKind);
        let name = "signext";
        // SAFETY: it is a function; the pointer and the length are those of one string.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetEnumAttributeAtIndex(self.at(), RESULT, kind).is_null()
        }
    }
}
