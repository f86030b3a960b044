//! Values, instructions, types and the data layout.

use super::types::Type;
use super::{c_text, message, text};
use beeline_module::Assembly;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{
    LLVMAtomicRMWBinOp, LLVMInlineAsmDialect, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate,
    LLVMValueKind,
};
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

/// The attribute that has the number of a function. No compiler writes such a name.
pub(super) const NUMBER: &str = "beeline.number";

/// A value: a constant, a global object, a parameter, an instruction, metadata as an operand ...
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'m>(NonNull<llvm_sys::LLVMValue>, PhantomData<&'m ()>);

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Inst<'m>(Value<'m>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BlockRef<'m>(NonNull<llvm_sys::LLVMBasicBlock>, PhantomData<&'m ()>);

/// The numbers of the attributes that the import uses.
#[derive(Clone, Copy)]
pub(crate) struct Attributes {
    byval: u32,
    noreturn: u32,
    signext: u32,
}

/// Index of the attributes of a function's result.
const ON_RESULT: u32 = 0;

/// Index of the attributes of a function itself.
const ON_FUNCTION: u32 = u32::MAX;

impl Attributes {
    /// Asks LLVM for the numbers.
    pub(crate) fn new() -> Attributes {
        let number = |name: &str| {
            // SAFETY: the pointer and the length are those of one string.
            unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
        };
        Attributes { byval: number("byval"), noreturn: number("noreturn"), signext: number("signext") }
    }
}

// SAFETY (of every block below): a handle is a live value of LLVM's; what an accessor asks for beyond
// that is checked before it.
impl<'m> Value<'m> {
    pub(super) fn from_raw(raw: LLVMValueRef) -> Option<Value<'m>> {
        NonNull::new(raw).map(|raw| Value(raw, PhantomData))
    }

    pub(super) fn at(self) -> LLVMValueRef {
        self.0.as_ptr()
    }

    /// The kind of the value; constants that have no kind in the C API count as instructions.
    pub(crate) fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.at()) }
    }

    /// Its type.
    pub(crate) fn ty(self) -> Type<'m> {
        Type::from_raw(unsafe { LLVMTypeOf(self.at()) }).expect("every value has a type")
    }

    /// Its name, or empty.
    pub(crate) fn name(self) -> String {
        let mut len = 0;
        let start = unsafe { LLVMGetValueName2(self.at(), &mut len) };
        text(start, len)
    }

    /// As LLVM prints it.
    pub(crate) fn print(self) -> String {
        message(unsafe { LLVMPrintValueToString(self.at()) })
    }

    /// Whether it is a constant, which includes global objects.
    pub(crate) fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.at()) != 0 }
    }

    /// As an instruction.
    pub(crate) fn as_inst(self) -> Option<Inst<'m>> {
        Value::from_raw(unsafe { LLVMIsAInstruction(self.at()) }).map(Inst)
    }

    /// Number of operands.
    pub(crate) fn operand_count(self) -> u32 {
        if unsafe { LLVMIsAUser(self.at()) }.is_null() {
            return 0;
        }
        u32::try_from(unsafe { LLVMGetNumOperands(self.at()) }).unwrap_or(0)
    }

    /// An operand.
    ///
    /// # Panics
    /// If there is no such operand.
    pub(crate) fn operand(self, index: u32) -> Value<'m> {
        assert!(index < self.operand_count(), "operand {index} of a value with fewer");
        Value::from_raw(unsafe { LLVMGetOperand(self.at(), index) }).expect("no operand is missing")
    }

    /// The opcode of a constant expression.
    pub(crate) fn const_opcode(self) -> LLVMOpcode {
        assert_eq!(self.kind(), LLVMValueKind::LLVMConstantExprValueKind);
        unsafe { LLVMGetConstOpcode(self.at()) }
    }

    /// The value of an integer constant, if it has at most 64 bits.
    pub(crate) fn small_int(self) -> Option<u64> {
        let small = self.kind() == LLVMValueKind::LLVMConstantIntValueKind && self.ty().int_width()? <= 64;
        small.then(|| unsafe { LLVMConstIntGetZExtValue(self.at()) })
    }

    /// The bytes of a constant array of `i8` that is stored as such.
    pub(crate) fn byte_string(self) -> Option<Vec<u8>> {
        if self.kind() != LLVMValueKind::LLVMConstantDataArrayValueKind
            || unsafe { LLVMIsConstantString(self.at()) } == 0
        {
            return None;
        }
        let mut len = 0;
        let start = unsafe { LLVMGetAsString(self.at(), &mut len) };
        if len == 0 {
            return Some(Vec::new());
        }
        Some(unsafe { std::slice::from_raw_parts(start.cast::<u8>(), len) }.to_vec())
    }

    /// An element of a constant array or vector of numbers.
    pub(crate) fn data_element(self, index: u32) -> Value<'m> {
        assert!(matches!(
            self.kind(),
            LLVMValueKind::LLVMConstantDataArrayValueKind | LLVMValueKind::LLVMConstantDataVectorValueKind
        ));
        let length = self.ty().length().expect("arrays and vectors have a length");
        assert!(u64::from(index) < length);
        Value::from_raw(unsafe { LLVMGetAggregateElement(self.at(), index) }).expect("the index is inside")
    }

    /// A floating-point constant's representation, as an integer constant.
    pub(crate) fn float_as_int(self) -> Option<Value<'m>> {
        if self.kind() != LLVMValueKind::LLVMConstantFPValueKind {
            return None;
        }
        let width = self.ty().float_width()?;
        let bits = unsafe {
            let to = LLVMIntTypeInContext(LLVMGetTypeContext(self.ty().at()), width);
            LLVMConstBitCast(self.at(), to)
        };
        Value::from_raw(bits).filter(|bits| bits.kind() == LLVMValueKind::LLVMConstantIntValueKind)
    }

    /// The element type that an address computation (instruction or constant) starts from.
    pub(crate) fn gep_source(self) -> Type<'m> {
        let is_gep = match self.as_inst() {
            Some(inst) => inst.opcode() == LLVMOpcode::LLVMGetElementPtr,
            None => self.const_opcode() == LLVMOpcode::LLVMGetElementPtr,
        };
        assert!(is_gep);
        Type::from_raw(unsafe { LLVMGetGEPSourceElementType(self.at()) }).expect("it always has one")
    }

    /// The block whose address is a constant, with its function.
    pub(crate) fn block_address(self) -> Option<(Value<'m>, BlockRef<'m>)> {
        if self.kind() != LLVMValueKind::LLVMBlockAddressValueKind {
            return None;
        }
        let function = Value::from_raw(unsafe { LLVMGetBlockAddressFunction(self.at()) })?;
        let block = BlockRef::from_raw(unsafe { LLVMGetBlockAddressBasicBlock(self.at()) })?;
        Some((function, block))
    }

    /// The text and the constraints of inline assembly.
    pub(crate) fn inline_assembly(self) -> Option<Assembly> {
        if self.kind() != LLVMValueKind::LLVMInlineAsmValueKind {
            return None;
        }
        let (mut len, mut constraints_len) = (0, 0);
        let start = unsafe { LLVMGetInlineAsmAsmString(self.at(), &mut len) };
        let constraints = unsafe { LLVMGetInlineAsmConstraintString(self.at(), &mut constraints_len) };
        let dialect = unsafe { LLVMGetInlineAsmDialect(self.at()) };
        Some(Assembly {
            text: text(start, len),
            constraints: text(constraints, constraints_len),
            intel: dialect == LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel,
        })
    }
}

// SAFETY (of every block below): as above; `assert_kind` makes sure of the kind of global object.
impl<'m> Value<'m> {
    pub(super) fn assert_kind(self, kind: LLVMValueKind) {
        assert_eq!(self.kind(), kind);
    }

    fn is_global_value(self) -> bool {
        !unsafe { LLVMIsAGlobalValue(self.at()) }.is_null()
    }

    /// The type of what a global object's address points to.
    pub(crate) fn value_type(self) -> Type<'m> {
        assert!(self.is_global_value());
        Type::from_raw(unsafe { LLVMGlobalGetValueType(self.at()) }).expect("global objects have a type")
    }

    /// Whether it is a function.
    pub(crate) fn is_function(self) -> bool {
        self.kind() == LLVMValueKind::LLVMFunctionValueKind
    }

    /// The linkage of a global object.
    pub(crate) fn linkage(self) -> LLVMLinkage {
        assert!(self.is_global_value());
        unsafe { LLVMGetLinkage(self.at()) }
    }

    /// Whether a global object is defined elsewhere.
    pub(crate) fn is_declaration(self) -> bool {
        assert!(self.is_global_value());
        unsafe { LLVMIsDeclaration(self.at()) != 0 }
    }

    /// The value of a global variable when the program starts; none if it is defined or set elsewhere.
    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        self.assert_kind(LLVMValueKind::LLVMGlobalVariableValueKind);
        if unsafe { LLVMIsExternallyInitialized(self.at()) } != 0 {
            return None;
        }
        Value::from_raw(unsafe { LLVMGetInitializer(self.at()) })
    }

    /// Whether a global variable never changes.
    pub(crate) fn is_global_constant(self) -> bool {
        self.assert_kind(LLVMValueKind::LLVMGlobalVariableValueKind);
        unsafe { LLVMIsGlobalConstant(self.at()) != 0 }
    }

    /// Whether a global variable is thread-local.
    pub(crate) fn is_thread_local(self) -> bool {
        self.assert_kind(LLVMValueKind::LLVMGlobalVariableValueKind);
        unsafe { LLVMIsThreadLocal(self.at()) != 0 }
    }

    /// The alignment that a global variable asks for, or 0.
    pub(crate) fn alignment(self) -> u64 {
        self.assert_kind(LLVMValueKind::LLVMGlobalVariableValueKind);
        u64::from(unsafe { LLVMGetAlignment(self.at()) })
    }

    /// The aliasee of an alias.
    pub(crate) fn aliasee(self) -> Option<Value<'m>> {
        self.assert_kind(LLVMValueKind::LLVMGlobalAliasValueKind);
        Value::from_raw(unsafe { LLVMAliasGetAliasee(self.at()) })
    }

    /// The parameters of a function.
    pub(crate) fn params(self) -> Vec<Value<'m>> {
        self.assert_kind(LLVMValueKind::LLVMFunctionValueKind);
        let count = unsafe { LLVMCountParams(self.at()) };
        (0..count).filter_map(|i| Value::from_raw(unsafe { LLVMGetParam(self.at(), i) })).collect()
    }

    /// The blocks of a function, the entry first.
    pub(crate) fn blocks(self) -> Vec<BlockRef<'m>> {
        self.assert_kind(LLVMValueKind::LLVMFunctionValueKind);
        let count = unsafe { LLVMCountBasicBlocks(self.at()) } as usize;
        let mut blocks = vec![null_mut(); count];
        unsafe { LLVMGetBasicBlocks(self.at(), blocks.as_mut_ptr()) };
        blocks.into_iter().filter_map(BlockRef::from_raw).collect()
    }

    /// The type of the `byval` attribute of a function's parameter.
    pub(crate) fn param_byval(self, index: u32, attributes: Attributes) -> Option<Type<'m>> {
        self.assert_kind(LLVMValueKind::LLVMFunctionValueKind);
        attribute_type(unsafe { LLVMGetEnumAttributeAtIndex(self.at(), index + 1, attributes.byval) })
    }

    /// Whether a function or global variable is null if nothing defines it.
    pub(crate) fn is_weak_reference(self) -> bool {
        self.is_global_value() && self.linkage() == LLVMLinkage::LLVMExternalWeakLinkage
    }

    /// The section that a global variable is put into, or empty.
    pub(crate) fn section(self) -> String {
        self.assert_kind(LLVMValueKind::LLVMGlobalVariableValueKind);
        c_text(unsafe { LLVMGetSection(self.at()) })
    }

    /// Whether it is a constant global variable whose address is not significant.
    pub(crate) fn is_unnamed_constant(self) -> bool {
        let unnamed = |value: Value<'_>| unsafe { LLVMGetUnnamedAddress(value.at()) };
        self.is_global_constant() && unnamed(self) == llvm_sys::LLVMUnnamedAddr::LLVMGlobalUnnamedAddr
    }

    /// Whether other modules can name a function or global variable.
    pub(crate) fn is_exported(self) -> bool {
        use LLVMLinkage::*;
        self.is_global_value() && !matches!(self.linkage(), LLVMInternalLinkage | LLVMPrivateLinkage)
    }

    /// Whether a function is declared to write no memory.
    pub(crate) fn writes_nothing(self) -> bool {
        if self.kind() != LLVMValueKind::LLVMFunctionValueKind {
            return false;
        }
        let name = "memory";
        // SAFETY: the pointer and the length are those of one string; the attribute has a number.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let found = LLVMGetEnumAttributeAtIndex(self.at(), ON_FUNCTION, kind);
            // Two bits for each kind of memory, of which later versions have more; the upper one is for writing.
            const WRITES: u64 = 0xAAAA_AAAA_AAAA_AAAA;
            !found.is_null() && LLVMGetEnumAttributeValue(found) & WRITES == 0
        }
    }

    /// Whether a function is declared never to return.
    pub(crate) fn is_noreturn(self, attributes: Attributes) -> bool {
        self.assert_kind(LLVMValueKind::LLVMFunctionValueKind);
        !unsafe { LLVMGetEnumAttributeAtIndex(self.at(), ON_FUNCTION, attributes.noreturn) }.is_null()
    }

    /// The features of the processor that a function's code may use and must not use.
    pub(crate) fn features(self) -> String {
        self.note("target-features")
    }

    /// The number that [`RawModule::number_functions`](super::RawModule::number_functions) gave to a function.
    pub(crate) fn number(self) -> Option<u32> {
        self.note(NUMBER).parse().ok()
    }

    /// The text of a function's attribute with a name, or empty.
    fn note(self, name: &str) -> String {
        self.assert_kind(LLVMValueKind::LLVMFunctionValueKind);
        // SAFETY: the pointer and the length are those of one string; so are those that LLVM gives.
        unsafe {
            let found = LLVMGetStringAttributeAtIndex(
                self.at(),
                ON_FUNCTION,
                name.as_ptr().cast(),
                name.len() as u32,
            );
            if found.is_null() {
                return String::new();
            }
            let mut length = 0;
            let start = LLVMGetStringAttributeValue(found, &mut length);
            text(start, length as usize)
        }
    }

    /// Whether a function extends the sign of its result, if that is narrower than a register.
    pub(crate) fn returns_signed(self, attributes: Attributes) -> bool {
        self.assert_kind(LLVMValueKind::LLVMFunctionValueKind);
        !unsafe { LLVMGetEnumAttributeAtIndex(self.at(), ON_RESULT, attributes.signext) }.is_null()
    }
}

/// The type that an attribute carries.
fn attribute_type<'m>(attribute: LLVMAttributeRef) -> Option<Type<'m>> {
    // SAFETY: a non-null attribute is live, and one that carries a type has one.
    unsafe {
        if attribute.is_null() || LLVMIsTypeAttribute(attribute) == 0 {
            return None;
        }
        Type::from_raw(LLVMGetTypeAttributeValue(attribute))
    }
}

// SAFETY (of every block below): the handle is a live instruction, and its opcode is checked where an
// accessor is only for some.
impl<'m> Inst<'m> {
    fn at(self) -> LLVMValueRef {
        self.0.at()
    }

    fn assert_opcode(self, opcode: LLVMOpcode) {
        assert_eq!(self.opcode(), opcode);
    }

    /// As a value.
    pub(crate) fn value(self) -> Value<'m> {
        self.0
    }

    /// Its opcode.
    pub(crate) fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.at()) }
    }

    /// The type that an `alloca` makes room for.
    pub(crate) fn allocated_type(self) -> Type<'m> {
        self.assert_opcode(LLVMOpcode::LLVMAlloca);
        Type::from_raw(unsafe { LLVMGetAllocatedType(self.at()) }).expect("it always has one")
    }

    /// The alignment of what an `alloca` makes room for.
    pub(crate) fn alignment(self) -> u64 {
        self.assert_opcode(LLVMOpcode::LLVMAlloca);
        u64::from(unsafe { LLVMGetAlignment(self.at()) })
    }

    /// The predicate of an `icmp`.
    pub(crate) fn int_predicate(self) -> LLVMIntPredicate {
        self.assert_opcode(LLVMOpcode::LLVMICmp);
        unsafe { LLVMGetICmpPredicate(self.at()) }
    }

    /// Whether a `load` is volatile.
    pub(crate) fn is_volatile(self) -> bool {
        self.assert_opcode(LLVMOpcode::LLVMLoad);
        unsafe { LLVMGetVolatile(self.at()) != 0 }
    }

    /// Whether a `load` or `store` is atomic.
    pub(crate) fn is_atomic(self) -> bool {
        match self.opcode() {
            LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore => unsafe {
                !matches!(
                    LLVMGetOrdering(self.at()),
                    llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
                )
            },
            opcode => matches!(opcode, LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg),
        }
    }

    /// Whether a `cmpxchg` may fail where the values are equal.
    pub(crate) fn is_weak(self) -> bool {
        self.assert_opcode(LLVMOpcode::LLVMAtomicCmpXchg);
        unsafe { LLVMGetWeak(self.at()) != 0 }
    }

    /// The predicate of an `fcmp`.
    pub(crate) fn float_predicate(self) -> LLVMRealPredicate {
        self.assert_opcode(LLVMOpcode::LLVMFCmp);
        unsafe { LLVMGetFCmpPredicate(self.at()) }
    }

    /// The operation of an `atomicrmw`.
    pub(crate) fn rmw_operation(self) -> LLVMAtomicRMWBinOp {
        self.assert_opcode(LLVMOpcode::LLVMAtomicRMW);
        unsafe { LLVMGetAtomicRMWBinOp(self.at()) }
    }

    /// The values of a `phi` with the blocks they belong to.
    pub(crate) fn incoming(self) -> Vec<(BlockRef<'m>, Value<'m>)> {
        self.assert_opcode(LLVMOpcode::LLVMPHI);
        let count = unsafe { LLVMCountIncoming(self.at()) };
        (0..count)
            .filter_map(|i| {
                let block = BlockRef::from_raw(unsafe { LLVMGetIncomingBlock(self.at(), i) })?;
                Some((block, Value::from_raw(unsafe { LLVMGetIncomingValue(self.at(), i) })?))
            })
            .collect()
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        assert!(matches!(self.opcode(), LLVMOpcode::LLVMExtractValue | LLVMOpcode::LLVMInsertValue));
        unsafe {
            let count = LLVMGetNumIndices(self.at()) as usize;
            let start = LLVMGetIndices(self.at());
            if count == 0 { Vec::new() } else { std::slice::from_raw_parts(start, count).to_vec() }
        }
    }

    /// The mask of a `shufflevector`.
    pub(crate) fn shuffle_mask(self) -> Vec<Option<u32>> {
        self.assert_opcode(LLVMOpcode::LLVMShuffleVector);
        let count = unsafe { LLVMGetNumMaskElements(self.at()) };
        (0..count).map(|i| u32::try_from(unsafe { LLVMGetMaskValue(self.at(), i) }).ok()).collect()
    }

    /// The successors of a terminator.
    pub(crate) fn successors(self) -> Vec<BlockRef<'m>> {
        if unsafe { LLVMIsATerminatorInst(self.at()) }.is_null() {
            return Vec::new();
        }
        let count = unsafe { LLVMGetNumSuccessors(self.at()) };
        (0..count).filter_map(|i| BlockRef::from_raw(unsafe { LLVMGetSuccessor(self.at(), i) })).collect()
    }

    /// The condition of a branch, if it has one.
    pub(crate) fn condition(self) -> Option<Value<'m>> {
        self.assert_opcode(LLVMOpcode::LLVMBr);
        if unsafe { LLVMIsConditional(self.at()) } == 0 {
            return None;
        }
        Value::from_raw(unsafe { LLVMGetCondition(self.at()) })
    }

    /// The callee of a call.
    pub(crate) fn callee(self) -> Value<'m> {
        self.assert_opcode(LLVMOpcode::LLVMCall);
        Value::from_raw(unsafe { LLVMGetCalledValue(self.at()) }).expect("a call has a callee")
    }

    /// The function's type as a call sees it.
    pub(crate) fn callee_type(self) -> Type<'m> {
        self.assert_opcode(LLVMOpcode::LLVMCall);
        Type::from_raw(unsafe { LLVMGetCalledFunctionType(self.at()) }).expect("a call has a type")
    }

    /// Number of arguments of a call.
    pub(crate) fn arg_count(self) -> u32 {
        self.assert_opcode(LLVMOpcode::LLVMCall);
        unsafe { LLVMGetNumArgOperands(self.at()) }
    }

    /// The type of the `byval` attribute of a call's argument.
    pub(crate) fn arg_byval(self, index: u32, attributes: Attributes) -> Option<Type<'m>> {
        self.assert_opcode(LLVMOpcode::LLVMCall);
        attribute_type(unsafe { LLVMGetCallSiteEnumAttribute(self.at(), index + 1, attributes.byval) })
    }

    /// Whether a call is declared not to return.
    pub(crate) fn is_noreturn(self, attributes: Attributes) -> bool {
        self.assert_opcode(LLVMOpcode::LLVMCall);
        !unsafe { LLVMGetCallSiteEnumAttribute(self.at(), ON_FUNCTION, attributes.noreturn) }.is_null()
    }
}

// SAFETY (of every block below): the handle is a live block.
impl<'m> BlockRef<'m> {
    fn from_raw(raw: LLVMBasicBlockRef) -> Option<BlockRef<'m>> {
        NonNull::new(raw).map(|raw| BlockRef(raw, PhantomData))
    }

    pub(super) fn at(self) -> LLVMBasicBlockRef {
        self.0.as_ptr()
    }

    /// Its name, or empty.
    pub(crate) fn name(self) -> String {
        c_text(unsafe { LLVMGetBasicBlockName(self.0.as_ptr()) })
    }

    /// Its instructions.
    pub(crate) fn insts(self) -> Vec<Inst<'m>> {
        let mut found = Vec::new();
        let mut at = unsafe { LLVMGetFirstInstruction(self.0.as_ptr()) };
        while let Some(value) = Value::from_raw(at) {
            found.push(Inst(value));
            at = unsafe { LLVMGetNextInstruction(at) };
        }
        found
    }
}

// SAFETY (of every block below): the handle is a live type, whose kind is checked where it matters.
