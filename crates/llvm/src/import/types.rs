//! Types with their layout.

use crate::raw::{Layout, Type};
use beeline_ir::FloatKind;
use beeline_module::{Ty, TyId, TyKind};
use cranelift_entity::PrimaryMap;
use llvm_sys::LLVMTypeKind;
use rustc_hash::FxHashMap;

/// The types found so far.
pub(super) struct Types<'m> {
    layout: Layout<'m>,
    /// The types with their layout.
    pub found: PrimaryMap<TyId, Ty>,
    by_handle: FxHashMap<Type<'m>, TyId>,
    by_content: FxHashMap<Ty, TyId>,
}

/// The floating-point format of a type.
pub(super) fn float_kind(ty: Type<'_>) -> Option<FloatKind> {
    match ty.kind() {
        LLVMTypeKind::LLVMHalfTypeKind => Some(FloatKind::F16),
        LLVMTypeKind::LLVMBFloatTypeKind => Some(FloatKind::Bf16),
        LLVMTypeKind::LLVMFloatTypeKind => Some(FloatKind::F32),
        LLVMTypeKind::LLVMDoubleTypeKind => Some(FloatKind::F64),
        LLVMTypeKind::LLVMX86_FP80TypeKind => Some(FloatKind::X87),
        LLVMTypeKind::LLVMFP128TypeKind => Some(FloatKind::F128),
        _ => None,
    }
}

impl<'m> Types<'m> {
    /// Creates it without types.
    pub(super) fn new(layout: Layout<'m>) -> Types<'m> {
        Types {
            layout,
            found: PrimaryMap::new(),
            by_handle: FxHashMap::default(),
            by_content: FxHashMap::default(),
        }
    }

    /// The module's data layout.
    pub(super) fn layout(&self) -> Layout<'m> {
        self.layout
    }

    /// The id of the type. The depth of nesting is that of the type as written.
    pub(super) fn get(&mut self, ty: Type<'m>) -> TyId {
        if let Some(&id) = self.by_handle.get(&ty) {
            return id;
        }
        let kind = self.kind(ty);
        let has_size = !matches!(kind, TyKind::Void | TyKind::Func(..) | TyKind::Other(_));
        let (size, store_size, align) = if has_size {
            (self.layout.size(ty), self.layout.store_size(ty), self.layout.alignment(ty))
        } else {
            (0, 0, 1)
        };
        let entry = Ty { kind, size, store_size, align, is_union: ty.struct_name().starts_with("union.") };
        let id = *self.by_content.entry(entry).or_insert_with_key(|entry| self.found.push(entry.clone()));
        self.by_handle.insert(ty, id);
        id
    }

    /// The kind of the type; a type with an unsized part is `Other` as a whole.
    fn kind(&mut self, ty: Type<'m>) -> TyKind {
        if let Some(kind) = float_kind(ty) {
            return TyKind::Float(kind);
        }
        if let Some(width) = ty.int_width() {
            return TyKind::Int(width);
        }
        if let Some((result, params, variadic)) = ty.signature() {
            let params = params.into_iter().map(|param| self.get(param)).collect();
            return TyKind::Func(self.get(result), params, variadic);
        }
        match ty.kind() {
            LLVMTypeKind::LLVMVoidTypeKind => TyKind::Void,
            LLVMTypeKind::LLVMPointerTypeKind => TyKind::Ptr,
            LLVMTypeKind::LLVMArrayTypeKind
            | LLVMTypeKind::LLVMVectorTypeKind
            | LLVMTypeKind::LLVMStructTypeKind
                if ty.is_sized() =>
            {
                self.composite(ty).unwrap_or_else(|| TyKind::Other(ty.print()))
            }
            _ => TyKind::Other(ty.print()),
        }
    }

    fn composite(&mut self, ty: Type<'m>) -> Option<TyKind> {
        if let (Some(element), Some(length)) = (ty.element(), ty.length()) {
            let element = self.known(element)?;
            return Some(match ty.kind() {
                LLVMTypeKind::LLVMArrayTypeKind => TyKind::Array(element, length),
                _ => TyKind::Vector(element, length),
            });
        }
        let mut fields = Vec::new();
        for field in ty.fields()? {
            fields.push(self.known(field)?);
        }
        // Offsets are computed here and not before: a field of unknown size (a scalable vector) has none.
        let offset = |(index, field)| {
            let index = u32::try_from(index).expect("LLVM counts fields in 32 bits");
            (field, self.layout.field_offset(ty, index))
        };
        Some(TyKind::Struct(fields.into_iter().enumerate().map(offset).collect()))
    }

    /// The id of a part's type, unless its size is unknown.
    fn known(&mut self, ty: Type<'m>) -> Option<TyId> {
        let id = self.get(ty);
        (!matches!(self.found[id].kind, TyKind::Other(_))).then_some(id)
    }
}
