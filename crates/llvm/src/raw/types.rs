//! Types and the data layout.

use super::{c_text, message};
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::marker::PhantomData;
use std::ptr::{NonNull, null_mut};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'m>(NonNull<llvm_sys::LLVMType>, PhantomData<&'m ()>);

/// Sizes and offsets of types.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'m> {
    pub(super) raw: LLVMTargetDataRef,
    pub(super) module: PhantomData<&'m ()>,
}

// SAFETY (of every block below): a handle is a live type of LLVM's; what an accessor asks for beyond that is checked
// before it.
impl<'m> Type<'m> {
    pub(super) fn from_raw(raw: LLVMTypeRef) -> Option<Type<'m>> {
        NonNull::new(raw).map(|raw| Type(raw, PhantomData))
    }

    pub(super) fn at(self) -> LLVMTypeRef {
        self.0.as_ptr()
    }

    /// The kind of the type.
    pub(crate) fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.at()) }
    }

    /// As LLVM prints it.
    pub(crate) fn print(self) -> String {
        message(unsafe { LLVMPrintTypeToString(self.at()) })
    }

    /// Whether memory can hold values of it.
    pub(crate) fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.at()) != 0 }
    }

    /// The width of an integer type.
    pub(crate) fn int_width(self) -> Option<u32> {
        let is_int = self.kind() == LLVMTypeKind::LLVMIntegerTypeKind;
        is_int.then(|| unsafe { LLVMGetIntTypeWidth(self.at()) })
    }

    /// The width of a floating-point type that has a [`beeline_ir::FloatKind`].
    pub(crate) fn float_width(self) -> Option<u32> {
        match self.kind() {
            LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => Some(16),
            LLVMTypeKind::LLVMFloatTypeKind => Some(32),
            LLVMTypeKind::LLVMDoubleTypeKind => Some(64),
            LLVMTypeKind::LLVMX86_FP80TypeKind => Some(80),
            LLVMTypeKind::LLVMFP128TypeKind => Some(128),
            _ => None,
        }
    }

    /// The number of elements of an array or a vector of fixed length.
    pub(crate) fn length(self) -> Option<u64> {
        match self.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => Some(unsafe { LLVMGetArrayLength2(self.at()) }),
            LLVMTypeKind::LLVMVectorTypeKind => Some(u64::from(unsafe { LLVMGetVectorSize(self.at()) })),
            _ => None,
        }
    }

    /// The type of the elements of an array or a vector of fixed length.
    pub(crate) fn element(self) -> Option<Type<'m>> {
        self.length()?;
        Type::from_raw(unsafe { LLVMGetElementType(self.at()) })
    }

    /// The name of a structure, or nothing.
    pub(crate) fn struct_name(self) -> String {
        if self.kind() != LLVMTypeKind::LLVMStructTypeKind {
            return String::new();
        }
        c_text(unsafe { LLVMGetStructName(self.at()) })
    }

    /// The fields of a structure; none if they are unknown.
    pub(crate) fn fields(self) -> Option<Vec<Type<'m>>> {
        if self.kind() != LLVMTypeKind::LLVMStructTypeKind || unsafe { LLVMIsOpaqueStruct(self.at()) } != 0 {
            return None;
        }
        let count = unsafe { LLVMCountStructElementTypes(self.at()) };
        (0..count).map(|i| Type::from_raw(unsafe { LLVMStructGetTypeAtIndex(self.at(), i) })).collect()
    }

    /// Result, parameters and whether there may be more arguments, of a function type.
    pub(crate) fn signature(self) -> Option<(Type<'m>, Vec<Type<'m>>, bool)> {
        if self.kind() != LLVMTypeKind::LLVMFunctionTypeKind {
            return None;
        }
        let result = Type::from_raw(unsafe { LLVMGetReturnType(self.at()) })?;
        let count = unsafe { LLVMCountParamTypes(self.at()) } as usize;
        let mut params = vec![null_mut(); count];
        unsafe { LLVMGetParamTypes(self.at(), params.as_mut_ptr()) };
        let params = params.into_iter().filter_map(Type::from_raw).collect();
        Some((result, params, unsafe { LLVMIsFunctionVarArg(self.at()) != 0 }))
    }
}

// SAFETY (of every block below): the handle is the layout of a live module, and types are sized.
impl Layout<'_> {
    /// Bytes of a pointer to ordinary memory.
    pub(crate) fn pointer_size(self) -> u32 {
        unsafe { LLVMPointerSize(self.raw) }
    }

    /// Whether the most significant byte is at the lowest address.
    pub(crate) fn big_endian(self) -> bool {
        matches!(unsafe { LLVMByteOrder(self.raw) }, LLVMByteOrdering::LLVMBigEndian)
    }

    /// Distance between consecutive elements of an array.
    pub(crate) fn size(self, ty: Type<'_>) -> u64 {
        assert!(ty.is_sized());
        unsafe { LLVMABISizeOfType(self.raw, ty.at()) }
    }

    /// Bytes that a store writes.
    pub(crate) fn store_size(self, ty: Type<'_>) -> u64 {
        assert!(ty.is_sized());
        unsafe { LLVMStoreSizeOfType(self.raw, ty.at()) }
    }

    /// The ABI alignment.
    pub(crate) fn alignment(self, ty: Type<'_>) -> u64 {
        assert!(ty.is_sized());
        u64::from(unsafe { LLVMABIAlignmentOfType(self.raw, ty.at()) })
    }

    /// The offset of a field of a structure.
    pub(crate) fn field_offset(self, ty: Type<'_>, field: u32) -> u64 {
        assert!(ty.is_sized() && ty.kind() == LLVMTypeKind::LLVMStructTypeKind);
        assert!(field < unsafe { LLVMCountStructElementTypes(ty.at()) });
        unsafe { LLVMOffsetOfElement(self.raw, ty.at(), field) }
    }
}
