//! Assertions after instructions.

use super::{Inst, RawModule, Type, Value};
use crate::import::address::walk_address;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};
use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};
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

/// An instruction with the kinds of assertions after it.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// The position of its function.
    pub function: usize,
    /// Its position there.
    pub at: usize,
    /// The kinds.
    pub kinds: Vec<Kind>,
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
    /// Puts assertions after instructions.
    pub(crate) fn assert_all(&mut self, sites: &[Site], callees: Callees) {
        let insts: Vec<Vec<Inst<'_>>> =
            self.functions().into_iter().map(|function| function.insts()).collect();
        unsafe {
            let context = self.context().raw;
            let builder = LLVMCreateBuilderInContext(context);
            let maker = Maker { module: self, builder, truth: LLVMInt1TypeInContext(context) };
            for site in sites {
                let inst = insts[site.function][site.at];
                let next = LLVMGetNextInstruction(inst.value().at());
                if next.is_null() {
                    continue;
                }
                LLVMPositionBuilderBefore(builder, next);
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(inst.value().at()));
                for kind in &site.kinds {
                    match kind {
                        Kind::FloatOverflow => maker.assert(callees.finite, maker.is_finite(inst)),
                        Kind::Nan => maker.assert(callees.number, maker.is_number(inst)),
                        Kind::PointerOverflow => {
                            if let Some(holds) = maker.is_within(inst, callees.asked) {
                                maker.assert(callees.within, holds);
                            }
                        }
                    }
                }
            }
            LLVMDisposeBuilder(builder);
        }
    }
}

impl Maker<'_, '_> {
    /// The condition that each element of the result is finite, unless one of the operand's is not. The divisor does
    /// not count: the result is never infinite because of it.
    unsafe fn is_finite(&self, inst: Inst<'_>) -> LLVMValueRef {
        unsafe {
            let counted = match inst.opcode() {
                LLVMOpcode::LLVMFDiv => 1,
                _ => inst.value().operand_count(),
            };
            let operands = (0..counted).map(|index| inst.value().operand(index));
            let operands: Vec<_> = operands.filter(|operand| is_of_floats(operand.ty())).collect();
            self.each_element(inst, |of| {
                let fine = LLVMBuildNot(self.builder, self.is_infinite(of(inst.value())), c"".as_ptr());
                operands.iter().fold(fine, |fine, operand| {
                    LLVMBuildOr(self.builder, fine, self.is_infinite(of(*operand)), c"".as_ptr())
                })
            })
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

    /// The condition that each element of the result is a number, unless one of the two operands' is NaN.
    unsafe fn is_number(&self, inst: Inst<'_>) -> LLVMValueRef {
        unsafe {
            let compare = |how, one, other| LLVMBuildFCmp(self.builder, how, one, other, c"".as_ptr());
            self.each_element(inst, |of| {
                let result = of(inst.value());
                let fine = compare(LLVMRealPredicate::LLVMRealORD, result, result);
                let (one, other) = (of(inst.value().operand(0)), of(inst.value().operand(1)));
                let before = compare(LLVMRealPredicate::LLVMRealUNO, one, other);
                LLVMBuildOr(self.builder, fine, before, c"".as_ptr())
            })
        }
    }

    /// The conjunction of a condition on all elements of a vector, or the condition on a single float. The condition
    /// gets a function that returns the element of a value.
    unsafe fn each_element<'m>(
        &self,
        inst: Inst<'m>,
        condition: impl Fn(&dyn Fn(Value<'m>) -> LLVMValueRef) -> LLVMValueRef,
    ) -> LLVMValueRef {
        let Some(count) = inst.value().ty().length() else { return condition(&|value| value.at()) };
        unsafe {
            let position = LLVMInt64TypeInContext(self.module.context().raw);
            (0..count).fold(LLVMConstInt(self.truth, 1, 0), |all, number| {
                let number = LLVMConstInt(position, number, 0);
                let of = |value: Value<'m>| {
                    LLVMBuildExtractElement(self.builder, value.at(), number, c"".as_ptr())
                };
                LLVMBuildAnd(self.builder, all, condition(&of), c"".as_ptr())
            })
        }
    }

    /// The condition that a pointer which is another one plus an offset leads into the object of that one, if that is not
    /// checked where it is accessed, and that the offset, in bytes, is a number of its type.
    unsafe fn is_within(&self, inst: Inst<'_>, asked: &CStr) -> Option<LLVMValueRef> {
        unsafe {
            let layout = self.module.layout();
            let is_kept = !inst.is_only_accessed();
            let within = is_kept.then(|| self.call(asked, self.truth, inst.value().at()));
            let steps = walk_address(inst.value(), layout).map_or(Vec::new(), |walk| walk.steps);
            // All steps together are as large as an offset may be.
            let greatest = (1_i128 << (8 * layout.pointer_size() - 1)) / steps.len().max(1) as i128;
            steps.into_iter().fold(within, |fine, (index, size)| {
                let most = greatest / i128::from(size.max(1));
                let width = index.ty().int_width().unwrap_or(0);
                // An index of few bits always fits.
                if width == 0 || most >> (width - 1) > 0 {
                    return fine;
                }
                let compare = |how, bound: i128| {
                    let bound = LLVMConstInt(index.ty().at(), bound as u64, 1);
                    LLVMBuildICmp(self.builder, how, index.at(), bound, c"".as_ptr())
                };
                let least = compare(LLVMIntPredicate::LLVMIntSGE, -most);
                // The greatest offset itself is a byte too much.
                let most = compare(LLVMIntPredicate::LLVMIntSLT, most);
                let fits = LLVMBuildAnd(self.builder, least, most, c"".as_ptr());
                Some(fine.map_or(fits, |fine| LLVMBuildAnd(self.builder, fine, fits, c"".as_ptr())))
            })
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
    /// Whether the result is only used as an address of loads and stores, or of parts of what it leads to that are.
    pub(crate) fn is_only_accessed(self) -> bool {
        let mut next = unsafe { LLVMGetFirstUse(self.value().at()) };
        while !next.is_null() {
            let user = unsafe { LLVMGetUser(next) };
            let is_address = match unsafe { LLVMGetInstructionOpcode(user) } {
                LLVMOpcode::LLVMLoad => true,
                LLVMOpcode::LLVMStore => (unsafe { LLVMGetOperand(user, 0) }) != self.value().at(),
                LLVMOpcode::LLVMGetElementPtr => {
                    let part = Value::from_raw(user).and_then(Value::as_inst);
                    part.is_some_and(|part| part.is_part_of(self) && part.is_only_accessed())
                }
                _ => false,
            };
            if !is_address {
                return false;
            }
            next = unsafe { LLVMGetNextUse(next) };
        }
        true
    }

    /// Whether an address computation leads into what another one leads to.
    fn is_part_of(self, whole: Inst<'_>) -> bool {
        let (base, first) = (self.value().operand(0), self.value().operand(1));
        self.value().operand_count() > 2 && base.at() == whole.value().at() && first.small_int() == Some(0)
    }
}

/// Whether a type is that of a float or of a vector of them.
fn is_of_floats(ty: Type<'_>) -> bool {
    ty.element().unwrap_or(ty).float_width().is_some()
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
