//! What differs between the versions of LLVM that this crate can be built against. Nothing else knows which one it is.

use super::{Context, Inst, Meta, Value};
use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

/// The newest version whose bitcode this LLVM reads.
pub(crate) const LLVM: u32 = if cfg!(feature = "llvm-22") { 22 } else { 19 };

/// The operand of a type's debug information that is its base type: pointee, element, aliased type, signature.
pub(crate) const BASE_TYPE: usize = if cfg!(feature = "llvm-22") { 5 } else { 3 };

/// What a debug record says of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// It is the address of a variable, from here on.
    Address,
    /// It is the address of a variable that is assigned here.
    #[cfg(not(feature = "llvm-22"))]
    Assigned,
    /// It is the value of a variable.
    Value,
}

/// A debug record: what is known of a variable of the source before an instruction.
#[derive(Clone, Copy)]
pub(crate) struct DebugRecord<'m> {
    /// What it says of the value.
    pub says: Says,
    /// The value.
    pub value: Value<'m>,
    /// The variable.
    pub variable: Meta<'m>,
    /// What is computed from the value.
    pub expression: Option<Meta<'m>>,
}

// SAFETY (of every block below): handles are live, and each accessor is for their kind, which is checked before.
#[cfg(not(feature = "llvm-22"))]
impl<'m> Inst<'m> {
    /// Whether it is a call that only describes variables, which computes nothing.
    pub(crate) fn is_debug_call(self) -> bool {
        self.opcode() == LLVMOpcode::LLVMCall && {
            let callee = self.callee();
            callee.is_function() && callee.name().starts_with("llvm.dbg.")
        }
    }

    /// The debug records that stand here: those of calls of intrinsics, as the C API of this version reads no others.
    pub(crate) fn debug_records(self, context: &'m Context) -> Vec<DebugRecord<'m>> {
        self.debug_record(context).into_iter().collect()
    }

    fn debug_record(self, context: &'m Context) -> Option<DebugRecord<'m>> {
        if !self.is_debug_call() {
            return None;
        }
        let (says, value, expression) = match self.callee().name().as_str() {
            "llvm.dbg.declare" => (Says::Address, 0, 2),
            "llvm.dbg.value" => (Says::Value, 0, 2),
            "llvm.dbg.assign" => (Says::Assigned, 4, 5),
            _ => return None,
        };
        let argument = |i| if i < self.arg_count() { self.value().operand(i).as_metadata() } else { None };
        // The assigned value is computed by an expression of its own.
        let expression = if argument(2) == argument(expression) { argument(2) } else { None };
        Some(DebugRecord {
            says,
            value: value_in(argument(value)?, context)?,
            variable: argument(1)?,
            expression,
        })
    }
}

/// The value that metadata wraps: a constant, an instruction or a parameter.
#[cfg(not(feature = "llvm-22"))]
fn value_in<'m>(meta: Meta<'m>, context: &'m Context) -> Option<Value<'m>> {
    use llvm_sys::debuginfo::LLVMMetadataKind::*;
    if !matches!(meta.kind(), LLVMConstantAsMetadataMetadataKind | LLVMLocalAsMetadataMetadataKind) {
        return None;
    }
    let mut found = std::ptr::null_mut();
    // SAFETY: such metadata has one operand.
    unsafe { LLVMGetMDNodeOperands(meta.in_context(context), &mut found) };
    Value::from_raw(found)
}

// SAFETY (of every block below): as above.
#[cfg(feature = "llvm-22")]
impl<'m> Inst<'m> {
    /// Whether it is a call that only describes variables: this version has records in their place.
    pub(crate) fn is_debug_call(self) -> bool {
        false
    }

    /// The debug records before the instruction. The C API does not have the address of a variable that is assigned.
    pub(crate) fn debug_records(self, _context: &'m Context) -> Vec<DebugRecord<'m>> {
        let mut found = Vec::new();
        let mut at = unsafe { LLVMGetFirstDbgRecord(self.value().at()) };
        while !at.is_null() {
            found.extend(unsafe { debug_record(at) });
            at = unsafe { LLVMGetNextDbgRecord(at) };
        }
        found
    }
}

#[cfg(feature = "llvm-22")]
unsafe fn debug_record<'m>(record: LLVMDbgRecordRef) -> Option<DebugRecord<'m>> {
    use llvm_sys::LLVMDbgRecordKind::*;
    let says = match unsafe { LLVMDbgRecordGetKind(record) } {
        LLVMDbgRecordDeclare => Says::Address,
        LLVMDbgRecordValue => Says::Value,
        // Records of later kinds count as assignments.
        LLVMDbgRecordLabel | LLVMDbgRecordAssign => return None,
    };
    let (value, variable, expression) = unsafe {
        (
            LLVMDbgVariableRecordGetValue(record, 0),
            LLVMDbgVariableRecordGetVariable(record),
            LLVMDbgVariableRecordGetExpression(record),
        )
    };
    Some(DebugRecord {
        says,
        value: Value::from_raw(value)?,
        variable: Meta::from_raw(variable)?,
        expression: Meta::from_raw(expression),
    })
}

impl super::RawModule<'_> {
    /// Has debug records as [`Inst::debug_records`] finds them.
    pub(crate) fn use_debug_records(&mut self) {
        if cfg!(not(feature = "llvm-22")) {
            // SAFETY: the module is live.
            unsafe { LLVMSetIsNewDbgInfoFormat(self.at(), 0) };
        }
    }
}

impl<'m> Inst<'m> {
    /// The value of a switch's case; cases are numbered from 0.
    pub(crate) fn case_value(self, case: u32) -> Option<Value<'m>> {
        let is_there =
            self.opcode() == LLVMOpcode::LLVMSwitch && (case as usize) < self.successors().len() - 1;
        // SAFETY: it is a switch that has the case.
        is_there.then(|| unsafe { case_value(self.value().at(), case) }).and_then(Value::from_raw)
    }

    /// Whether an `icmp` may assume that its operands have the same sign, which no version before 20 has it do.
    #[cfg(not(feature = "llvm-22"))]
    pub(crate) fn same_sign(self) -> bool {
        false
    }

    /// Whether an `icmp` may assume that its operands have the same sign.
    #[cfg(feature = "llvm-22")]
    pub(crate) fn same_sign(self) -> bool {
        // SAFETY: it is a comparison of integers.
        self.opcode() == LLVMOpcode::LLVMICmp && unsafe { LLVMGetICmpSameSign(self.value().at()) != 0 }
    }
}

/// The value of a switch's case: values and blocks alternate after the operand of the switch and the default.
#[cfg(not(feature = "llvm-22"))]
pub(super) unsafe fn case_value(switch: LLVMValueRef, case: u32) -> LLVMValueRef {
    unsafe { LLVMGetOperand(switch, 2 + 2 * case) }
}

/// The value of a switch's case, which is no operand here. The first successor is the default.
#[cfg(feature = "llvm-22")]
pub(super) unsafe fn case_value(switch: LLVMValueRef, case: u32) -> LLVMValueRef {
    unsafe { LLVMGetSwitchCaseValue(switch, case + 1) }
}

/// Parses bitcode or textual IR, and frees the buffer.
#[cfg(not(feature = "llvm-22"))]
pub(super) unsafe fn parse(
    context: LLVMContextRef,
    buffer: LLVMMemoryBufferRef,
    module: &mut LLVMModuleRef,
    error: &mut *mut std::ffi::c_char,
) -> bool {
    // The parser takes the buffer over.
    unsafe { llvm_sys::ir_reader::LLVMParseIRInContext(context, buffer, module, error) == 0 }
}

/// Parses bitcode or textual IR, and frees the buffer.
#[cfg(feature = "llvm-22")]
pub(super) unsafe fn parse(
    context: LLVMContextRef,
    buffer: LLVMMemoryBufferRef,
    module: &mut LLVMModuleRef,
    error: &mut *mut std::ffi::c_char,
) -> bool {
    unsafe {
        let parsed = llvm_sys::ir_reader::LLVMParseIRInContext2(context, buffer, module, error) == 0;
        LLVMDisposeMemoryBuffer(buffer);
        parsed
    }
}
