//! Changes to a module that is to be compiled again.

use super::value::NUMBER;
use super::{Inst, RawModule, Value};
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMOpcode};
use std::ffi::CString;

/// A call that is to be inserted; functions and instructions by their positions in their lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Report {
    /// The function.
    pub function: usize,
    /// The instruction before which it stands.
    pub before: usize,
    /// The instruction whose result is the first argument.
    pub pointer: usize,
    /// The second argument.
    pub number: u32,
}

/// The alignment of variables under AddressSanitizer, which poisons the bytes between them. Frames of a recursion still
/// have to fit on the stack.
const APART: u64 = 256;

// SAFETY (of every block below): `self.at()` is a live module, and values and instructions are its own.
impl RawModule<'_> {
    /// Makes the module call `void name(int)` before every instruction for which `number` returns the argument. It is
    /// called for the instructions of each function in their order, with whether the instruction is the first.
    pub(crate) fn call_before(
        &mut self,
        name: &str,
        mut number: impl FnMut(Value<'_>, Inst<'_>, bool) -> Option<u32>,
    ) {
        let name = CString::new(name).expect("names of functions are ours");
        let (function, ty, int, builder) = unsafe {
            let context = self.context().raw;
            let int = LLVMInt32TypeInContext(context);
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), [int].as_mut_ptr(), 1, 0);
            let function = LLVMAddFunction(self.at(), name.as_ptr(), ty);
            (function, ty, int, LLVMCreateBuilderInContext(context))
        };
        let calls = self.functions().into_iter().filter(|caller| !caller.is_declaration());
        let calls = calls.flat_map(|caller| {
            caller.insts().into_iter().enumerate().map(move |(index, inst)| (caller, inst, index == 0))
        });
        for (caller, inst, first) in calls {
            let Some(argument) = number(caller, inst, first) else { continue };
            unsafe {
                let mut argument = LLVMConstInt(int, u64::from(argument), 0);
                LLVMPositionBuilderBefore(builder, inst.value().at());
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst.value().at()));
                LLVMBuildCall2(builder, ty, function, &mut argument, 1, c"".as_ptr());
            }
        }
        unsafe { LLVMDisposeBuilder(builder) };
    }

    /// Makes the module call `void name(void *, int)` before instructions.
    pub(crate) fn report(&mut self, name: &str, calls: &[Report]) {
        let name = CString::new(name).expect("names of functions are ours");
        unsafe {
            let context = self.context().raw;
            let int = LLVMInt32TypeInContext(context);
            let mut params = [LLVMPointerTypeInContext(context, 0), int];
            let ty = LLVMFunctionType(LLVMVoidTypeInContext(context), params.as_mut_ptr(), 2, 0);
            let function = LLVMAddFunction(self.at(), name.as_ptr(), ty);
            let builder = LLVMCreateBuilderInContext(context);
            let functions: Vec<Vec<Inst<'_>>> =
                self.functions().into_iter().map(|function| function.insts()).collect();
            for &Report { function: caller, before, pointer, number } in calls {
                let (before, pointer) =
                    (functions[caller][before].value(), functions[caller][pointer].value());
                LLVMPositionBuilderBefore(builder, before.at());
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(before.at()));
                let mut arguments = [pointer.at(), LLVMConstInt(int, u64::from(number), 0)];
                LLVMBuildCall2(builder, ty, function, arguments.as_mut_ptr(), 2, c"".as_ptr());
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// Renames the functions for which `choose` returns another name.
    pub(crate) fn rename(&mut self, choose: impl Fn(&str) -> Option<String>) {
        for function in self.functions() {
            if let Some(name) = choose(&function.name()) {
                unsafe { LLVMSetValueName2(function.at(), name.as_ptr().cast(), name.len()) };
            }
        }
    }

    /// Records at each function with a body its position in the list of functions, which linking changes, as it may
    /// change names.
    pub(crate) fn number_functions(&mut self) {
        let functions = self.functions().into_iter().enumerate();
        for (number, function) in functions.filter(|(_, function)| !function.is_declaration()) {
            let number = number.to_string();
            unsafe {
                let attribute = LLVMCreateStringAttribute(
                    self.context().raw,
                    NUMBER.as_ptr().cast(),
                    NUMBER.len() as u32,
                    number.as_ptr().cast(),
                    number.len() as u32,
                );
                LLVMAddAttributeAtIndex(function.at(), LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    /// Marks all functions for AddressSanitizer, and aligns their variables so that an access outside of one does not
    /// land in the next.
    pub(crate) fn sanitize(&mut self) {
        let name = "sanitize_address";
        for function in self.functions().into_iter().filter(|function| !function.is_declaration()) {
            let insts = function.insts();
            for inst in insts.into_iter().filter(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca) {
                let apart = inst.alignment().max(APART) as u32;
                unsafe { LLVMSetAlignment(inst.value().at(), apart) };
            }
            unsafe {
                let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
                let attribute = LLVMCreateEnumAttribute(self.context().raw, kind, 0);
                LLVMAddAttributeAtIndex(function.at(), LLVMAttributeFunctionIndex, attribute);
            }
        }
    }

    /// The module as bitcode.
    pub(crate) fn bitcode(&self) -> Vec<u8> {
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
    pub(crate) fn insts(self) -> Vec<Inst<'m>> {
        self.blocks().into_iter().flat_map(|block| block.insts()).collect()
    }
}
