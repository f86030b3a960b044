//! Calling conventions of x86, for calls through pointers of another type than the function's. With 64 bits, integers
//! and pointers go into one row of registers, floats into another, each in their order, and nothing clears the
//! remaining bits of a register; with 32 bits all go onto the stack.
//!
//! Variable arguments are all in memory, one after the other, as the System V ABI puts those that found no register.

use crate::analyse::shape::{Leaves, image_bits, leaves};
use crate::instruction::operand_type;
use beeline_ir::Type;
use beeline_module::*;

/// Registers for integers, and for floats.
const ROWS: [usize; 2] = [6, 8];

/// The row of registers that a value goes into, if it goes into one.
fn row(module: &Module, ty: TyId) -> Option<usize> {
    match leaves(module, ty)?.as_slice() {
        [leaf] => match leaf.ty {
            Type::Bool => Some(0),
            Type::Bv(width) if width <= 64 => Some(0),
            Type::Float(kind) if kind.width() <= 64 => Some(1),
            _ => None,
        },
        _ => None,
    }
}

/// The positions of values in their rows; nothing if one of them goes elsewhere.
fn in_rows(module: &Module, types: &[Option<TyId>]) -> Option<Vec<(usize, u64)>> {
    let mut used = [0; 2];
    let place = |ty: &Option<TyId>| {
        let row = row(module, (*ty)?)?;
        used[row] += 1;
        (used[row] <= ROWS[row]).then_some((row, used[row] as u64))
    };
    types.iter().map(place).collect()
}

/// The sizes and positions of values on the stack, as 32-bit code passes them.
fn on_stack(module: &Module, types: &[Option<TyId>]) -> Option<Vec<(usize, u64)>> {
    let mut at = 0;
    let place = |ty: &Option<TyId>| {
        row(module, (*ty)?)?;
        let size = module.types[(*ty)?].store_size.next_multiple_of(4);
        at += size;
        Some((size as usize, at))
    };
    types.iter().map(place).collect()
}

/// The argument of a call that each parameter of a function receives, if one is where the function reads it. Nothing if
/// the machine has another convention, or passes one of them in another way.
pub(crate) fn by_machine(
    module: &Module,
    caller: &Function,
    call: &CallInst,
    function: &Function,
) -> Option<Vec<Option<usize>>> {
    let TyKind::Func(_, params, false) = module.kind(function.ty) else { return None };
    if call.byval.iter().chain(&function.byval).any(Option::is_some) {
        return None;
    }
    let given: Vec<Option<TyId>> = call.args.iter().map(|arg| operand_type(module, caller, arg)).collect();
    let wanted: Vec<Option<TyId>> = params.iter().map(|ty| Some(*ty)).collect();
    let places = match module.triple.split('-').next() {
        Some("x86_64") => in_rows,
        Some("i386" | "i486" | "i586" | "i686") => on_stack,
        _ => return None,
    };
    let (given, wanted) = (places(module, &given)?, places(module, &wanted)?);
    Some(wanted.iter().map(|place| given.iter().position(|other| other == place)).collect())
}

/// Whether the function can be called with these arguments. Only what decides the calling convention counts.
pub(crate) fn fits(module: &Module, call: &CallInst, function: &Function) -> bool {
    let shape = |ty: TyId| leaves(module, ty).map(|list| list.iter().map(|leaf| leaf.ty).collect::<Vec<_>>());
    let (TyKind::Func(result, params, variadic), TyKind::Func(wanted, given, _)) =
        (module.kind(function.ty), module.kind(call.ty))
    else {
        return false;
    };
    let same = params.iter().zip(given).all(|(a, b)| shape(*a) == shape(*b));
    let arity = params.len() == call.args.len() || *variadic && params.len() <= call.args.len();
    let result_fits = matches!(module.kind(*wanted), TyKind::Void) || shape(*result) == shape(*wanted);
    same && arity && result_fits
}

/// An argument after the parameters.
pub(crate) struct Extra {
    /// Its leaves, or those of the structure that it points to.
    pub leaves: Leaves,
    /// Whether a structure is passed, by a pointer to it.
    pub by_value: bool,
    /// Size and alignment, where its leaves stay together.
    block: Option<(u64, u64)>,
}

/// The place of a leaf of a variable argument in the area of all.
pub(crate) struct Slot {
    /// From the start of the area.
    pub offset: u64,
    /// In bytes.
    pub size: u64,
    /// Its type as a value.
    pub ty: Type,
}

impl Slot {
    /// The type of its value in memory.
    pub(crate) fn memory_type(&self) -> Type {
        if matches!(self.ty, Type::Float(_)) { self.ty } else { Type::Bv(self.size as u32 * 8) }
    }
}

/// The arguments of a call after so many parameters.
pub(crate) fn extra_arguments(
    module: &Module,
    function: &Function,
    call: &CallInst,
    fixed: usize,
) -> Vec<Extra> {
    let extra = |(index, arg): (usize, &Operand)| {
        let passed = call.byval.get(index).copied().flatten();
        let ty = passed.or_else(|| operand_type(module, function, arg));
        let whole = |ty: &TyId| {
            passed.is_some()
                || matches!(module.kind(*ty), TyKind::Vector(..) | TyKind::Struct(_) | TyKind::Array(..))
        };
        let block = ty.filter(whole).map(|ty| (module.types[ty].size, module.types[ty].align));
        let leaves = ty.and_then(|ty| leaves(module, ty)).unwrap_or_default();
        Extra { leaves, by_value: passed.is_some(), block }
    };
    call.args.iter().enumerate().skip(fixed).map(extra).collect()
}

/// The places of the leaves of variable arguments.
pub(crate) fn slots(pointer_width: u32, extra: &[Extra]) -> Vec<Slot> {
    let word = u64::from(pointer_width / 8);
    let aligned = |wide: bool| if word == 8 && wide { 16 } else { word };
    let mut next = 0u64;
    let mut list = Vec::new();
    for Extra { leaves, block, .. } in extra {
        if let Some((size, align)) = block {
            next = next.next_multiple_of(aligned(*align > 8));
            list.extend(leaves.iter().map(|leaf| Slot {
                offset: next + leaf.offset,
                size: leaf.size,
                ty: leaf.ty,
            }));
            next += size.next_multiple_of(word);
            continue;
        }
        for leaf in leaves {
            let bytes = u64::from(image_bits(leaf.ty)).div_ceil(8);
            next = next.next_multiple_of(aligned(bytes > 8));
            let size = if matches!(leaf.ty, Type::Float(_)) { bytes } else { bytes.next_multiple_of(word) };
            list.push(Slot { offset: next, size, ty: leaf.ty });
            next += size.next_multiple_of(word);
        }
    }
    list
}

/// Whether two numbers may be the halves of one that is aligned to 16 bytes. Then `va_arg` reads it at the next such
/// address, if it finds no register.
pub(crate) fn may_be_halves(module: &Module, slots: &[Slot]) -> bool {
    let word = |slot: &Slot| slot.ty == Type::Bv(64);
    let aligns = || module.functions.values().any(|function| function.name.starts_with("llvm.ptrmask"));
    let off = |pair: &[Slot]| word(&pair[0]) && word(&pair[1]) && pair[0].offset % 16 == 8;
    module.pointer_width == 64 && slots.windows(2).any(off) && aligns()
}

/// The fields of a `va_list`: offset, size, and the value at the start; none is the area's address.
pub(crate) fn va_list_fields(pointer_width: u32) -> Vec<(u64, u64, Option<u64>)> {
    match pointer_width {
        64 => vec![(0, 4, Some(48)), (4, 4, Some(304)), (8, 8, None), (16, 8, Some(0))],
        width => vec![(0, u64::from(width / 8), None)],
    }
}
