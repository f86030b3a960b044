//! Assertions after instructions.

use super::{Inst, RawModule, Value};
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};
use std::ffi::CStr;

/// The kind of an assertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Floats that become infinite.
    FloatOverflow,
    /// Results that are NaN.
    Nan,
    /// Pointers that leave their objects, except those that are only used for accesses: the access itself is checked.
    PointerOverflow,
}

/// The functions that assertions call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Callees {
    /// Its argument is whether a float is finite, or computed from one that is not.
    pub finite: &'static CStr,
    /// Its argument is whether a float is a number, or computed from one that is NaN.
    pub number: &'static CStr,
    /// Its argument is whether a pointer leads into its object.
    pub within: &'static CStr,
    /// Returns whether a pointer leads into its object.
    pub asked: &'static CStr,
}

struct Maker<'m, 'c> {
    module: &'m RawModule<'c>,
    builder: LLVMBuilderRef,
    truth: LLVMTypeRef,
}

// SAFETY (of every block below): `self.at()` is a live module, values and instructions are its own, and operands are of
// the types that the instructions they come from say.
impl RawModule<'_> {
    /// Puts the requested assertions after instructions, which are named by the positions of their functions and in
    /// these.
    pub(crate) fn assert_all(
        &mut self,
        sites: &[(usize, usize)],
        is_asked: impl Fn(Kind) -> bool,
        callees: Callees,
    ) {
        let insts: Vec<Vec<Inst<'_>>> =
            self.functions().into_iter().map(|function| function.insts()).collect();
        unsafe {
            let context = self.context().raw;
            let builder = LLVMCreateBuilderInContext(context);
            let maker = Maker { module: self, builder, truth: LLVMInt1TypeInContext(context) };
            for &(function, at) in sites {
                let inst = insts[function][at];
                let next = LLVMGetNextInstruction(inst.value().at());
                if next.is_null() {
                    continue;
                }
                LLVMPositionBuilderBefore(builder, next);
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst.value().at()));
                if inst.opcode() == LLVMOpcode::LLVMGetElementPtr {
                    if is_asked(Kind::PointerOverflow) {
                        maker.assert(callees.within, maker.is_within(inst, callees.asked));
                    }
                } else if is_plain_float(LLVMTypeOf(inst.value().at())) {
                    if is_asked(Kind::FloatOverflow) {
                        maker.assert(callees.finite, maker.is_finite(inst));
                    }
                    if is_asked(Kind::Nan) && maker.operands(inst).len() == 2 {
                        maker.assert(callees.number, maker.is_number(inst));
                    }
                }
            }
            LLVMDisposeBuilder(builder);
        }
    }
}

impl Maker<'_, '_> {
    /// The operands of an operation that are floats.
    unsafe fn operands(&self, inst: Inst<'_>) -> Vec<LLVMValueRef> {
        let all = (0..inst.value().operand_count()).map(|index| inst.value().operand(index).at());
        all.filter(|&operand| is_plain_float(unsafe { LLVMTypeOf(operand) })).collect()
    }

    /// The condition that the result is finite, unless an operand is not. The divisor does not count: the result is
    /// never infinite because of it.
    unsafe fn is_finite(&self, inst: Inst<'_>) -> LLVMValueRef {
        unsafe {
            let mut operands = self.operands(inst);
            if inst.opcode() == LLVMOpcode::LLVMFDiv {
                operands.truncate(1);
            }
            let infinite = operands.into_iter().map(|operand| self.is_infinite(operand)).collect::<Vec<_>>();
            let fine = LLVMBuildNot(self.builder, self.is_infinite(inst.value().at()), c"".as_ptr());
            infinite.into_iter().fold(fine, |fine, one| LLVMBuildOr(self.builder, fine, one, c"".as_ptr()))
        }
    }

    unsafe fn is_infinite(&self, float: LLVMValueRef) -> LLVMValueRef {
        unsafe {
            let equals = |number: f64| {
                let number = LLVMConstReal(LLVMTypeOf(float), number);
                LLVMBuildFCmp(self.builder, LLVMRealPredicate::LLVMRealOEQ, float, number, c"".as_ptr())
            };
            LLVMBuildOr(self.builder, equals(f64::INFINITY), equals(f64::NEG_INFINITY), c"".as_ptr())
        }
    }

    /// The condition that the result is a number, unless one of the two operands is NaN.
    unsafe fn is_number(&self, inst: Inst<'_>) -> LLVMValueRef {
        unsafe {
            let compare = |how, one, other| LLVMBuildFCmp(self.builder, how, one, other, c"".as_ptr());
            let (one, other) = (inst.value().operand(0).at(), inst.value().operand(1).at());
            let result = inst.value().at();
            let fine = compare(LLVMRealPredicate::LLVMRealORD, result, result);
            let before = compare(LLVMRealPredicate::LLVMRealUNO, one, other);
            LLVMBuildOr(self.builder, fine, before, c"".as_ptr())
        }
    }

    /// The condition that a pointer which is another one plus an offset leads into the object of that one, and that the
    /// offset, in bytes, is a number of its type.
    unsafe fn is_within(&self, inst: Inst<'_>, asked: &CStr) -> LLVMValueRef {
        unsafe {
            let pointer = inst.value().at();
            let fine = self.call(asked, self.truth, pointer);
            let index = inst.value().operand(1).at();
            let ty = LLVMTypeOf(index);
            let size =
                i64::try_from(self.module.layout().size(inst.value().gep_source())).unwrap_or(i64::MAX);
            if size <= 1 || !LLVMIsAConstantInt(index).is_null() || LLVMGetIntTypeWidth(ty) != 64 {
                return fine;
            }
            let bounded = |how, bound: i64| {
                LLVMBuildICmp(self.builder, how, index, LLVMConstInt(ty, bound as u64, 1), c"".as_ptr())
            };
            let least = bounded(LLVMIntPredicate::LLVMIntSGE, i64::MIN / size);
            let most = bounded(LLVMIntPredicate::LLVMIntSLE, i64::MAX / size);
            let fits = LLVMBuildAnd(self.builder, least, most, c"".as_ptr());
            LLVMBuildAnd(self.builder, fine, fits, c"".as_ptr())
        }
    }

    unsafe fn assert(&self, name: &CStr, holds: LLVMValueRef) {
        unsafe {
            let nothing = LLVMVoidTypeInContext(self.module.context().raw);
            self.call(name, nothing, holds);
        }
    }

    /// Calls a function of one argument, which is declared if it is not there.
    unsafe fn call(&self, name: &CStr, result: LLVMTypeRef, argument: LLVMValueRef) -> LLVMValueRef {
        unsafe {
            let (mut argument, mut param) = (argument, LLVMTypeOf(argument));
            let ty = LLVMFunctionType(result, &mut param, 1, 0);
            let known = LLVMGetNamedFunction(self.module.at(), name.as_ptr());
            let function = match known.is_null() {
                true => LLVMAddFunction(self.module.at(), name.as_ptr(), ty),
                false => known,
            };
            LLVMBuildCall2(self.builder, ty, function, &mut argument, 1, c"".as_ptr())
        }
    }
}

impl Inst<'_> {
    /// Whether the result is only used as an address of loads and stores.
    pub(crate) fn is_only_accessed(self) -> bool {
        let mut next = unsafe { LLVMGetFirstUse(self.value().at()) };
        while !next.is_null() {
            let user = unsafe { LLVMGetUser(next) };
            let is_address = match unsafe { LLVMGetInstructionOpcode(user) } {
                LLVMOpcode::LLVMLoad => true,
                LLVMOpcode::LLVMStore => (unsafe { LLVMGetOperand(user, 0) }) != self.value().at(),
                _ => false,
            };
            if !is_address {
                return false;
            }
            next = unsafe { LLVMGetNextUse(next) };
        }
        true
    }
}

/// Whether a type is that of a single float.
fn is_plain_float(ty: LLVMTypeRef) -> bool {
    // SAFETY: types live as long as their context, which the caller has.
    let kind = unsafe { LLVMGetTypeKind(ty) };
    matches!(
        kind,
        LLVMTypeKind::LLVMFloatTypeKind
            | LLVMTypeKind::LLVMDoubleTypeKind
            | LLVMTypeKind::LLVMX86_FP80TypeKind
    )
}

impl RawModule<'_> {
    /// Makes the blocks of some calls unreachable, which are named by the positions of their functions and in these:
    /// branches there always take their other edges.
    pub(crate) fn never_reach(&mut self, calls: &[(usize, usize)]) {
        let functions = self.functions();
        for &(function, at) in calls {
            let insts = functions[function].insts();
            for branch in branches_to(&insts, insts[at]) {
                unsafe {
                    let taken =
                        LLVMGetSuccessor(branch, 0) != LLVMGetInstructionParent(insts[at].value().at());
                    let truth = LLVMInt1TypeInContext(self.context().raw);
                    LLVMSetCondition(branch, LLVMConstInt(truth, u64::from(taken), 0));
                }
            }
        }
    }
}

/// The conditional branches among some instructions that may lead to the block of one.
fn branches_to(insts: &[Inst<'_>], inst: Inst<'_>) -> Vec<LLVMValueRef> {
    let block = unsafe { LLVMGetInstructionParent(inst.value().at()) };
    let leads = |branch: &&Inst<'_>| {
        branch.opcode() == LLVMOpcode::LLVMBr
            && branch.condition().is_some()
            && branch.successors().iter().any(|way| way.at() == block)
    };
    insts.iter().filter(leads).map(|branch| branch.value().at()).collect()
}

impl Inst<'_> {
    /// Whether an overflow of unsigned numbers decides that an execution reaches the block of this call.
    pub(crate) fn overflows_unsigned(self) -> bool {
        let function = unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(self.value().at())) };
        let insts = Value::from_raw(function).map(Value::insts).unwrap_or_default();
        let conditions =
            branches_to(&insts, self).into_iter().map(|branch| unsafe { LLVMGetCondition(branch) });
        conditions.into_iter().any(|condition| unsafe { is_of_unsigned(condition) })
    }
}

/// Whether a condition is that an operation on unsigned numbers does not overflow.
unsafe fn is_of_unsigned(condition: LLVMValueRef) -> bool {
    let mut value = condition;
    // The negation of the result's second part.
    for _ in 0..3 {
        let Some(inst) = Value::from_raw(value).and_then(Value::as_inst) else { return false };
        match inst.opcode() {
            LLVMOpcode::LLVMCall => return inst.callee().name().starts_with("llvm.u"),
            LLVMOpcode::LLVMXor | LLVMOpcode::LLVMExtractValue => value = unsafe { LLVMGetOperand(value, 0) },
            _ => return false,
        }
    }
    false
}
