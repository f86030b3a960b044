//! How x86 passes arguments, for calls through pointers of another type than the function's. With 64 bits, integers
//! and pointers go into one row of registers, floats into another, each in their order, and nobody clears what is
//! left over of a register; with 32 bits all go onto the stack.

use crate::flow::operand_type;
use crate::llvm::*;
use crate::shape::leaves;
use beeline_ir::Type;

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

/// For each parameter of a function the argument of a call that it gets, if any is where the function looks for it.
/// Nothing if the machine has another convention, or passes one of them in another way.
pub fn by_machine(
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

/// Can the function be called with these arguments? Only what decides the calling convention counts.
pub fn fits(module: &Module, call: &CallInst, function: &Function) -> bool {
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
