//! Insertion of calls that report which places an execution reaches.

use super::versions::case_value;
use super::{Inst, RawModule, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMValueKind};
use std::ffi::CStr;

/// The executions that count of those that reach a terminator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Always; the instruction need not be a terminator then.
    Always,
    /// Those that take the first edge of a conditional branch.
    Taken,
    /// Those that take the second edge.
    NotTaken,
    /// Those that take the edge of a switch's case.
    Case(u32),
    /// Those that take none of the cases' edges.
    Default,
    /// Those for which the second argument of a call is not zero.
    Told,
}

/// The report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tell {
    /// The number of a place.
    Place(u32),
    /// That so many places of a sequence were passed, if this is the next one.
    Passed(u32),
    /// The number of a place, if so many places of a sequence were passed before.
    After(u32, u32),
}

/// An insertion before an instruction; functions and instructions by their positions in their lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Insertion {
    pub function: usize,
    pub inst: usize,
    pub when: When,
    pub tell: Tell,
}

/// The state of the insertions.
struct Maker {
    builder: LLVMBuilderRef,
    int: LLVMTypeRef,
    mark: LLVMValueRef,
    mark_type: LLVMTypeRef,
    /// The variable with the number of passed places of the sequence.
    passed: LLVMValueRef,
}

// SAFETY (of every block below): `self.at()` is a live module, values and instructions are its own, and operands are
// of the types that the instructions they come from say.
impl RawModule<'_> {
    /// Inserts calls of `void name(int if, int number)`.
    pub(crate) fn insert_marks(&mut self, name: &CStr, insertions: &[Insertion]) {
        let functions: Vec<Vec<Value<'_>>> = self
            .functions()
            .into_iter()
            .map(|function| function.insts().into_iter().map(|inst| inst.value()).collect())
            .collect();
        let is_sequence = insertions.iter().any(|insertion| !matches!(insertion.tell, Tell::Place(_)));
        unsafe {
            let context = self.context().raw;
            let int = LLVMInt32TypeInContext(context);
            let mark_type = LLVMFunctionType(LLVMVoidTypeInContext(context), [int, int].as_mut_ptr(), 2, 0);
            let passed = if is_sequence {
                let passed = LLVMAddGlobal(self.at(), int, c"beeline_passed".as_ptr());
                LLVMSetInitializer(passed, LLVMConstInt(int, 0, 0));
                LLVMSetLinkage(passed, llvm_sys::LLVMLinkage::LLVMInternalLinkage);
                passed
            } else {
                std::ptr::null_mut()
            };
            let mark = LLVMAddFunction(self.at(), name.as_ptr(), mark_type);
            let builder = LLVMCreateBuilderInContext(context);
            let maker = Maker { builder, int, mark, mark_type, passed };
            for insertion in insertions {
                maker.insert(functions[insertion.function][insertion.inst].at(), insertion);
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// Removes the calls of a function that returns nothing.
    pub(crate) fn erase_calls(&mut self, name: &str) {
        let is_call = |inst: &Inst<'_>| {
            inst.opcode() == LLVMOpcode::LLVMCall
                && inst.callee().kind() == LLVMValueKind::LLVMFunctionValueKind
                && inst.callee().name() == name
        };
        let calls: Vec<LLVMValueRef> = self
            .functions()
            .into_iter()
            .flat_map(|function| function.insts())
            .filter(is_call)
            .map(|inst| inst.value().at())
            .collect();
        for call in calls {
            // Nothing uses the result, as there is none.
            unsafe { LLVMInstructionEraseFromParent(call) };
        }
    }
}

impl Maker {
    /// Inserts before a live instruction.
    unsafe fn insert(&self, before: LLVMValueRef, insertion: &Insertion) {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, before);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(before));
            let holds = self.holds(before, insertion.when);
            match insertion.tell {
                Tell::Place(number) => self.call(holds, number),
                Tell::Passed(place) => {
                    let now = LLVMBuildLoad2(self.builder, self.int, self.passed, c"".as_ptr());
                    let is_next = self.both(holds, self.is(now, self.number(place)));
                    let next =
                        LLVMBuildSelect(self.builder, is_next, self.number(place + 1), now, c"".as_ptr());
                    LLVMBuildStore(self.builder, next, self.passed);
                }
                Tell::After(number, places) => {
                    let now = LLVMBuildLoad2(self.builder, self.int, self.passed, c"".as_ptr());
                    self.call(self.both(holds, self.is(now, self.number(places))), number);
                }
            }
        }
    }

    /// The truth value of whether the execution takes the edge that counts.
    unsafe fn holds(&self, terminator: LLVMValueRef, when: When) -> LLVMValueRef {
        unsafe {
            let truth = LLVMInt1TypeInContext(LLVMGetTypeContext(self.int));
            match when {
                When::Always => LLVMConstInt(truth, 1, 0),
                When::Taken => LLVMGetCondition(terminator),
                When::NotTaken => LLVMBuildNot(self.builder, LLVMGetCondition(terminator), c"".as_ptr()),
                When::Case(case) => self.is(LLVMGetOperand(terminator, 0), case_value(terminator, case)),
                When::Told => {
                    let told = LLVMGetOperand(terminator, 1);
                    let zero = LLVMConstNull(LLVMTypeOf(told));
                    let not_equal = LLVMIntPredicate::LLVMIntNE;
                    LLVMBuildICmp(self.builder, not_equal, told, zero, c"".as_ptr())
                }
                When::Default => {
                    let cases = LLVMGetNumSuccessors(terminator) - 1;
                    let value = LLVMGetOperand(terminator, 0);
                    (0..cases).fold(LLVMConstInt(truth, 1, 0), |so_far, case| {
                        let is = self.is(value, case_value(terminator, case));
                        self.both(so_far, LLVMBuildNot(self.builder, is, c"".as_ptr()))
                    })
                }
            }
        }
    }

    unsafe fn is(&self, value: LLVMValueRef, other: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildICmp(self.builder, LLVMIntPredicate::LLVMIntEQ, value, other, c"".as_ptr()) }
    }

    unsafe fn both(&self, one: LLVMValueRef, other: LLVMValueRef) -> LLVMValueRef {
        unsafe { LLVMBuildAnd(self.builder, one, other, c"".as_ptr()) }
    }

    fn number(&self, number: u32) -> LLVMValueRef {
        // SAFETY: the type is live.
        unsafe { LLVMConstInt(self.int, u64::from(number), 0) }
    }

    unsafe fn call(&self, holds: LLVMValueRef, number: u32) {
        unsafe {
            let holds = LLVMBuildZExt(self.builder, holds, self.int, c"".as_ptr());
            let mut arguments = [holds, self.number(number)];
            LLVMBuildCall2(self.builder, self.mark_type, self.mark, arguments.as_mut_ptr(), 2, c"".as_ptr());
        }
    }
}
