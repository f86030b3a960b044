//! Metadata nodes, as debug information uses them.

use super::value::{Inst, Value};
use super::{message, text};
use llvm_sys::LLVMValueKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

/// A piece of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Meta<'m>(NonNull<llvm_sys::LLVMOpaqueMetadata>, PhantomData<&'m ()>);

/// An operand of a metadata node.
#[derive(Clone, Copy)]
pub(crate) enum MetaOperand<'m> {
    /// Metadata.
    Meta(Meta<'m>),
    /// A constant.
    Value(Value<'m>),
}

use LLVMMetadataKind::*;

// SAFETY (of every block below): the handle is live metadata; its kind is checked where an accessor is
// only for some kinds.
impl<'m> Meta<'m> {
    pub(super) fn from_raw(raw: LLVMMetadataRef) -> Option<Meta<'m>> {
        NonNull::new(raw).map(|raw| Meta(raw, PhantomData))
    }

    fn at(self) -> LLVMMetadataRef {
        self.0.as_ptr()
    }

    /// The kind of the metadata.
    pub(crate) fn kind(self) -> LLVMMetadataKind {
        unsafe { LLVMGetMetadataKind(self.at()) }
    }

    /// The metadata as a value of a context.
    pub(super) fn in_context(self, context: &'m super::Context) -> LLVMValueRef {
        unsafe { LLVMMetadataAsValue(context.raw, self.at()) }
    }

    /// As LLVM prints it, with addresses in place of the numbers of other nodes.
    pub(crate) fn print(self, context: &'m super::Context) -> String {
        message(unsafe { LLVMPrintValueToString(self.in_context(context)) })
    }

    /// The string that it is.
    pub(crate) fn string(self, context: &'m super::Context) -> Option<String> {
        if !matches!(self.kind(), LLVMMDStringMetadataKind) {
            return None;
        }
        let mut len = 0;
        let start = unsafe { LLVMGetMDString(self.in_context(context), &mut len) };
        Some(text(start, len as usize))
    }

    /// The operands of a node; empty for what is none.
    pub(crate) fn operands(self, context: &'m super::Context) -> Vec<Option<MetaOperand<'m>>> {
        if matches!(
            self.kind(),
            LLVMMDStringMetadataKind
                | LLVMConstantAsMetadataMetadataKind
                | LLVMLocalAsMetadataMetadataKind
                | LLVMDistinctMDOperandPlaceholderMetadataKind
                | LLVMDIArgListMetadataKind
        ) {
            return Vec::new();
        }
        let node = self.in_context(context);
        let count = unsafe { LLVMGetMDNodeNumOperands(node) } as usize;
        let mut found = vec![null_mut(); count];
        unsafe { LLVMGetMDNodeOperands(node, found.as_mut_ptr()) };
        let operand = |raw| {
            let value = Value::from_raw(raw)?;
            Some(value.as_metadata().map_or(MetaOperand::Value(value), MetaOperand::Meta))
        };
        found.into_iter().map(operand).collect()
    }

    /// The metadata that is an operand of a node.
    pub(crate) fn operand(self, index: usize, context: &'m super::Context) -> Option<Meta<'m>> {
        match self.operands(context).get(index).copied().flatten()? {
            MetaOperand::Meta(meta) => Some(meta),
            MetaOperand::Value(_) => None,
        }
    }

    /// Line, column and scope of a source location.
    pub(crate) fn location(self) -> Option<(u32, u32, Option<Meta<'m>>)> {
        if !matches!(self.kind(), LLVMDILocationMetadataKind) {
            return None;
        }
        unsafe {
            let scope = Meta::from_raw(LLVMDILocationGetScope(self.at()));
            Some((LLVMDILocationGetLine(self.at()), LLVMDILocationGetColumn(self.at()), scope))
        }
    }

    /// The location of the call that was replaced by the code at a location.
    pub(crate) fn inlined_at(self) -> Option<Meta<'m>> {
        if !matches!(self.kind(), LLVMDILocationMetadataKind) {
            return None;
        }
        Meta::from_raw(unsafe { LLVMDILocationGetInlinedAt(self.at()) })
    }

    fn is_type(self) -> bool {
        matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDISubroutineTypeMetadataKind
                | LLVMDIStringTypeMetadataKind
        )
    }

    /// The file of a scope (a function, a block, a type ...) or of a variable.
    pub(crate) fn file(self) -> Option<Meta<'m>> {
        match self.kind() {
            LLVMDILocalVariableMetadataKind | LLVMDIGlobalVariableMetadataKind => {
                Meta::from_raw(unsafe { LLVMDIVariableGetFile(self.at()) })
            }
            LLVMDIFileMetadataKind
            | LLVMDICompileUnitMetadataKind
            | LLVMDISubprogramMetadataKind
            | LLVMDILexicalBlockMetadataKind
            | LLVMDILexicalBlockFileMetadataKind
            | LLVMDINamespaceMetadataKind
            | LLVMDICommonBlockMetadataKind => Meta::from_raw(unsafe { LLVMDIScopeGetFile(self.at()) }),
            _ if self.is_type() => Meta::from_raw(unsafe { LLVMDIScopeGetFile(self.at()) }),
            _ => None,
        }
    }

    /// The folder of a file, and its name from there or from the root.
    pub(crate) fn folder_and_name(self) -> Option<(String, String)> {
        if !matches!(self.kind(), LLVMDIFileMetadataKind) {
            return None;
        }
        let (mut folder_len, mut name_len) = (0, 0);
        let folder = unsafe { LLVMDIFileGetDirectory(self.at(), &mut folder_len) };
        let name = unsafe { LLVMDIFileGetFilename(self.at(), &mut name_len) };
        Some((text(folder, folder_len as usize), text(name, name_len as usize)))
    }

    /// The line of a function or of a variable; 0 if there is none.
    pub(crate) fn line(self) -> u32 {
        match self.kind() {
            LLVMDISubprogramMetadataKind => unsafe { LLVMDISubprogramGetLine(self.at()) },
            LLVMDILocalVariableMetadataKind | LLVMDIGlobalVariableMetadataKind => unsafe {
                LLVMDIVariableGetLine(self.at())
            },
            _ => 0,
        }
    }

    /// The variable that is attached to a global object.
    pub(crate) fn attached_variable(self) -> Option<Meta<'m>> {
        if !matches!(self.kind(), LLVMDIGlobalVariableExpressionMetadataKind) {
            return None;
        }
        Meta::from_raw(unsafe { LLVMDIGlobalVariableExpressionGetVariable(self.at()) })
    }

    /// The DWARF tag of a node of debug information, or 0.
    pub(crate) fn tag(self) -> u16 {
        if self.is_type() { unsafe { LLVMGetDINodeTag(self.at()) } } else { 0 }
    }

    /// Whether a member of a structure is a bit-field.
    pub(crate) fn is_bit_field(self) -> bool {
        const BIT_FIELD: i32 = 1 << 19;
        self.is_type() && unsafe { LLVMDITypeGetFlags(self.at()) } & BIT_FIELD != 0
    }

    /// The name, size in bits and offset in bits of a type or of a member.
    pub(crate) fn type_facts(self) -> Option<(String, u64, u64)> {
        if !self.is_type() {
            return None;
        }
        let mut len = 0;
        unsafe {
            let start = LLVMDITypeGetName(self.at(), &mut len);
            let (size, offset) = (LLVMDITypeGetSizeInBits(self.at()), LLVMDITypeGetOffsetInBits(self.at()));
            Some((text(start, len), size, offset))
        }
    }
}

impl<'m> Value<'m> {
    /// As metadata.
    pub(crate) fn as_metadata(self) -> Option<Meta<'m>> {
        if self.kind() != LLVMValueKind::LLVMMetadataAsValueValueKind {
            return None;
        }
        Meta::from_raw(unsafe { LLVMValueAsMetadata(self.at()) })
    }

    /// The metadata attached to a global object.
    pub(crate) fn attached_metadata(self) -> Vec<Meta<'m>> {
        if unsafe { LLVMIsAGlobalObject(self.at()) }.is_null() {
            return Vec::new();
        }
        let mut count = 0;
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.at(), &mut count);
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            let nodes =
                (0..count).filter_map(|i| Meta::from_raw(LLVMValueMetadataEntriesGetMetadata(entries, i)));
            let nodes = nodes.collect();
            LLVMDisposeValueMetadataEntries(entries);
            nodes
        }
    }

    /// The debug information of a function.
    pub(crate) fn subprogram(self) -> Option<Meta<'m>> {
        self.assert_kind(LLVMValueKind::LLVMFunctionValueKind);
        Meta::from_raw(unsafe { LLVMGetSubprogram(self.at()) })
    }
}

impl<'m> Inst<'m> {
    /// Its place in the source.
    pub(crate) fn debug_location(self) -> Option<Meta<'m>> {
        Meta::from_raw(unsafe { LLVMInstructionGetDebugLoc(self.value().at()) })
    }
}
