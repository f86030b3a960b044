//! Address computations (`getelementptr`) as a constant offset and scaled indices.

use super::integers::int_bits;
use crate::raw::{Layout, Type, Value};
use llvm_sys::LLVMTypeKind;

/// The summands that an address computation adds to its base.
pub(crate) struct Walk<'m> {
    /// The constant part in bytes, modulo two to the 64.
    pub offset: i64,
    /// Indices that are not constant, with the bytes of a step.
    pub steps: Vec<(Value<'m>, u64)>,
    /// Whether it steps from one element to another one.
    pub moves: bool,
}

/// Follows the indices of an instruction or a constant expression; none if vectors of addresses or
/// types without a fixed size take part.
pub(crate) fn walk_address<'m>(gep: Value<'m>, layout: Layout<'m>) -> Option<Walk<'m>> {
    let count = gep.operand_count();
    if (0..count).any(|i| gep.operand(i).ty().length().is_some() || is_scalable(gep.operand(i).ty())) {
        return None;
    }
    let mut walk = Walk { offset: 0, steps: Vec::new(), moves: false };
    let mut ty = gep.gep_source();
    for position in 1..count {
        let index = gep.operand(position);
        // The first index steps over whole objects, the others go into them.
        if position > 1
            && let Some(fields) = ty.fields()
        {
            let field = u32::try_from(index.small_int()?).ok()?;
            walk.offset = walk.offset.wrapping_add(layout.field_offset(ty, field) as i64);
            ty = *fields.get(field as usize)?;
            continue;
        }
        let (element, scale) = if position == 1 {
            (ty, stride(ty, false, layout)?)
        } else {
            let element = ty.element()?;
            (element, stride(element, ty.kind() == LLVMTypeKind::LLVMVectorTypeKind, layout)?)
        };
        ty = element;
        match int_bits(index) {
            Some(bits) => {
                let index = bits.sext(bits.width().max(64)).extract(63, 0).to_i64()?;
                walk.offset = walk.offset.wrapping_add(index.wrapping_mul(scale as i64));
                walk.moves |= index != 0;
            }
            None => {
                walk.steps.push((index, scale));
                walk.moves = true;
            }
        }
    }
    Some(walk)
}

fn is_scalable(ty: Type<'_>) -> bool {
    ty.kind() == LLVMTypeKind::LLVMScalableVectorTypeKind
}

/// The distance between elements; those of a vector are packed.
fn stride(element: Type<'_>, in_vector: bool, layout: Layout<'_>) -> Option<u64> {
    if !element.is_sized() || is_scalable(element) {
        return None;
    }
    Some(if in_vector { layout.store_size(element) } else { layout.size(element) })
}
