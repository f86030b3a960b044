//! Variables that are havocked from some instruction on.

use super::copy::users;
use super::{Inst, RawModule, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::{LLVMOpcode, LLVMTypeKind};
use std::ffi::{CStr, CString};

/// The functions that are called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Callees {
    /// The prefix of functions that return any value; the value's type follows.
    pub any: &'static str,
    /// Havocs the object that its argument leads to.
    pub havoc: &'static CStr,
    /// Its arguments are each variable, with its size, where the module defines it.
    pub watch: &'static CStr,
}

/// The most numbers and pointers in a variable that are set one by one. What lies between them, and the rest of a
/// longer one, holds any value as well, but no run of the program can be given that value.
const PARTS: usize = 32;

struct Maker<'m, 'c> {
    module: &'m RawModule<'c>,
    callees: Callees,
    builder: LLVMBuilderRef,
    pointer: LLVMTypeRef,
    word: LLVMTypeRef,
    nothing: LLVMTypeRef,
}

// SAFETY (of every block below): `self.at()` is a live module, and values and instructions are its own.
impl RawModule<'_> {
    /// Havocs some variables with static lifetime, by their positions in their list, from the first instruction of a
    /// function on that is no `alloca`, and local ones where their lifetimes begin.
    pub(crate) fn forget(
        &mut self,
        function: usize,
        globals: &[usize],
        is_meant: impl Fn(&str, &str) -> bool,
        callees: Callees,
    ) {
        let functions = self.functions();
        let first =
            functions[function].insts().into_iter().find(|inst| inst.opcode() != LLVMOpcode::LLVMAlloca);
        let Some(first) = first.map(|inst| inst.value().at()) else { return };
        unsafe {
            let context = self.context().raw;
            let maker = Maker {
                module: self,
                callees,
                builder: LLVMCreateBuilderInContext(context),
                pointer: LLVMPointerTypeInContext(context, 0),
                word: LLVMIntTypeInContext(context, 8 * self.layout().pointer_size()),
                nothing: LLVMVoidTypeInContext(context),
            };
            for caller in functions.iter().filter(|function| !function.is_declaration()) {
                for (variable, behind) in unset(&caller.insts(), |name| is_meant(&caller.name(), name)) {
                    maker.go_before(behind);
                    let ty = LLVMGetAllocatedType(variable);
                    maker.set(variable, ty, &mut 1);
                }
            }
            maker.go_before(first);
            let all = self.globals();
            for global in globals.iter().map(|&index| all[index]) {
                maker.forget(global);
            }
            LLVMDisposeBuilder(maker.builder);
        }
    }
}

/// Selected local variables of one number or pointer that may be read before they are set: each with the instruction
/// before which its lifetime begins.
fn unset(insts: &[Inst<'_>], is_meant: impl Fn(&str) -> bool) -> Vec<(LLVMValueRef, LLVMValueRef)> {
    // The length of an array may be known later than where the function begins.
    let is_local = |value: Value<'_>| {
        value.as_inst().is_some_and(|inst| inst.opcode() == LLVMOpcode::LLVMAlloca)
            && value.operand(0).is_constant()
            && is_meant(&value.name())
    };
    let lives = |at: usize| {
        let inst = insts[at];
        let is_call =
            inst.opcode() == LLVMOpcode::LLVMCall && inst.callee().name().starts_with("llvm.lifetime.start");
        let variable = is_call
            .then(|| inst.value().operand(inst.arg_count() - 1))
            .filter(|&variable| is_local(variable))?;
        Some((variable, at + 1))
    };
    let begun: Vec<(Value<'_>, usize)> = (0..insts.len()).filter_map(lives).collect();
    let first = insts.iter().position(|inst| inst.opcode() != LLVMOpcode::LLVMAlloca);
    let others = insts
        .iter()
        .map(|inst| inst.value())
        .filter(|&value| is_local(value) && !begun.iter().any(|(variable, _)| variable.at() == value.at()));
    let others: Vec<(Value<'_>, usize)> = others.zip(first.into_iter().cycle()).collect();
    let is_set = |variable: Value<'_>, from: usize| {
        let uses = |inst: &&Inst<'_>| {
            (0..inst.value().operand_count()).any(|index| inst.value().operand(index).at() == variable.at())
        };
        let next = insts[from..].iter().take_while(|inst| inst.successors().is_empty()).find(uses);
        next.is_some_and(|inst| {
            inst.opcode() == LLVMOpcode::LLVMStore && inst.value().operand(0).at() != variable.at()
        })
    };
    let open = begun.into_iter().chain(others).filter(|&(variable, from)| !is_set(variable, from));
    open.filter_map(|(variable, from)| Some((variable.at(), insts.get(from)?.value().at()))).collect()
}

impl Maker<'_, '_> {
    /// Moves the position of insertions before an instruction.
    unsafe fn go_before(&self, inst: LLVMValueRef) {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, inst);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(inst));
        }
    }

    /// Havocs a variable with static lifetime.
    unsafe fn forget(&self, global: Value<'_>) {
        unsafe {
            let ty = global.value_type();
            let is_one = !matches!(
                LLVMGetTypeKind(ty.at()),
                LLVMTypeKind::LLVMStructTypeKind | LLVMTypeKind::LLVMArrayTypeKind
            );
            let mut parts = PARTS;
            if !is_one || !is_simple(ty.at()) {
                let havoc = self.function(self.callees.havoc, self.nothing, &[self.pointer]);
                self.call(havoc, self.nothing, &[(global.at(), self.pointer)]);
            }
            self.set(global.at(), ty.at(), &mut parts);
            let watch = LLVMGetNamedFunction(self.module.at(), self.callees.watch.as_ptr());
            if !watch.is_null() {
                let size = LLVMConstInt(self.word, self.module.layout().size(ty), 0);
                self.call(watch, self.nothing, &[(global.at(), self.pointer), (size, self.word)]);
            }
        }
    }

    /// Sets numbers and pointers at a place to any value, as long as there are parts left.
    unsafe fn set(&self, place: LLVMValueRef, ty: LLVMTypeRef, parts: &mut usize) {
        unsafe {
            let count = match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMStructTypeKind => u64::from(LLVMCountStructElementTypes(ty)),
                LLVMTypeKind::LLVMArrayTypeKind => LLVMGetArrayLength2(ty),
                _ if !is_simple(ty) || *parts == 0 => return,
                _ => {
                    *parts -= 1;
                    let name = match LLVMGetTypeKind(ty) {
                        LLVMTypeKind::LLVMPointerTypeKind => format!("{}pointer", self.callees.any),
                        _ => format!("{}{}", self.callees.any, LLVMGetIntTypeWidth(ty)),
                    };
                    let name = CString::new(name).expect("names of functions are ours");
                    let mut value = self.call(self.function(&name, ty, &[]), ty, &[]);
                    if is_bool(place) {
                        let last = LLVMConstInt(ty, 1, 0);
                        value = LLVMBuildAnd(self.builder, value, last, c"".as_ptr());
                    }
                    LLVMBuildStore(self.builder, value, place);
                    return;
                }
            };
            let number = LLVMInt32TypeInContext(self.module.context().raw);
            for index in (0..count).take(PARTS) {
                let mut indices = [LLVMConstInt(number, 0, 0), LLVMConstInt(number, index, 0)];
                let part =
                    LLVMBuildInBoundsGEP2(self.builder, ty, place, indices.as_mut_ptr(), 2, c"".as_ptr());
                let inner = match LLVMGetTypeKind(ty) {
                    LLVMTypeKind::LLVMStructTypeKind => LLVMStructGetTypeAtIndex(ty, index as u32),
                    _ => LLVMGetElementType(ty),
                };
                self.set(part, inner, parts);
            }
        }
    }

    /// A function with this name, which is declared if it is not there.
    unsafe fn function(&self, name: &CStr, result: LLVMTypeRef, params: &[LLVMTypeRef]) -> LLVMValueRef {
        unsafe {
            let known = LLVMGetNamedFunction(self.module.at(), name.as_ptr());
            if !known.is_null() {
                return known;
            }
            let mut params = params.to_vec();
            let ty = LLVMFunctionType(result, params.as_mut_ptr(), params.len() as u32, 0);
            LLVMAddFunction(self.module.at(), name.as_ptr(), ty)
        }
    }

    /// Calls a function with arguments and their types.
    unsafe fn call(
        &self,
        function: LLVMValueRef,
        result: LLVMTypeRef,
        arguments: &[(LLVMValueRef, LLVMTypeRef)],
    ) -> LLVMValueRef {
        let (mut values, mut types): (Vec<LLVMValueRef>, Vec<LLVMTypeRef>) =
            arguments.iter().copied().unzip();
        let count = values.len() as u32;
        unsafe {
            let ty = LLVMFunctionType(result, types.as_mut_ptr(), count, 0);
            LLVMBuildCall2(self.builder, ty, function, values.as_mut_ptr(), count, c"".as_ptr())
        }
    }
}

/// Whether a variable is read as a `_Bool`, which holds 0 or 1.
///
/// # Safety
/// It must be a value of a live module.
unsafe fn is_bool(variable: LLVMValueRef) -> bool {
    let width = |ty| unsafe {
        (LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMIntegerTypeKind).then(|| LLVMGetIntTypeWidth(ty))
    };
    unsafe {
        let reads = users(variable)
            .into_iter()
            .filter(|&user| !LLVMIsALoadInst(user).is_null() && width(LLVMTypeOf(user)) == Some(8));
        let mut read = reads.flat_map(|read| users(read));
        read.any(|user| !LLVMIsATruncInst(user).is_null() && width(LLVMTypeOf(user)) == Some(1))
    }
}

/// Whether a type is that of a number of a usual length, or of a pointer.
fn is_simple(ty: LLVMTypeRef) -> bool {
    // SAFETY: types live as long as their context, which the caller has.
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMIntegerTypeKind => matches!(LLVMGetIntTypeWidth(ty), 8 | 16 | 32 | 64),
            LLVMTypeKind::LLVMPointerTypeKind => true,
            _ => false,
        }
    }
}
