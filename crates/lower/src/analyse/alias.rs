//! Memory that is read as another type than it has: outside of unions, C leaves the result undefined.

use crate::analyse::points_to::PointsTo;
use crate::analyse::promote::Object;
use crate::analyse::scope::Scope;
use crate::analyse::shape::leaves;
use beeline_ir::Type;
use beeline_module::*;

/// A named object that is accessed both as a float and as an integer of the same size, though it holds no union.
pub(crate) fn punned(scope: Scope, points: &PointsTo) -> Option<Object> {
    let is_float = |ty: &Type| matches!(ty, Type::Float(_));
    points.roots().find_map(|root| {
        let objects: Vec<Object> = points.objects_of(root).map(|(object, _)| object).collect();
        let accesses: Vec<(i64, u64, Type)> = points.accesses(root).collect();
        let mixed = accesses.iter().any(|(at, size, ty)| {
            is_float(ty)
                && accesses.iter().any(|(other, width, ty)| (at, size) == (other, width) && !is_float(ty))
        });
        let fine = objects.iter().any(|&object| holds_union(scope.module, object_type(scope.module, object)));
        objects.first().copied().filter(|_| mixed && !fine)
    })
}

/// Whether there are bytes between the parts of an object's type.
pub(crate) fn has_padding(module: &Module, object: Object) -> bool {
    let Some(ty) = object_type(module, object) else { return false };
    let parts = leaves(module, ty).unwrap_or_default();
    parts.iter().map(|leaf| leaf.size).sum::<u64>() < module.types[ty].size && !holds_union(module, Some(ty))
}

fn object_type(module: &Module, object: Object) -> Option<TyId> {
    match object {
        Object::Global(id) => Some(module.globals[id].ty),
        Object::Alloca(function, inst) => match module.functions[function].insts[inst].kind {
            InstKind::Alloca { ty, .. } => Some(ty),
            _ => None,
        },
        Object::Heap(..) => None,
    }
}

fn holds_union(module: &Module, ty: Option<TyId>) -> bool {
    let Some(ty) = ty else { return true };
    match module.kind(ty) {
        _ if module.types[ty].is_union => true,
        TyKind::Array(element, _) => holds_union(module, Some(*element)),
        TyKind::Struct(fields) => fields.iter().any(|(field, _)| holds_union(module, Some(*field))),
        _ => false,
    }
}
