//! Pointers one past the last byte of an object, which C allows: where there may be some.

use crate::analyse::points_to::{Key, NodeId, PointsTo, Ptr};
use crate::analyse::promote::{Object, allocated_size};
use crate::analyse::scope::Scope;
use crate::instruction::{callee, is_hint, operands, range_call};
use crate::libc::{self, Effect};
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The nodes to whose objects' ends there may be pointers that are used for more than accesses at that address.
#[derive(Debug, Default)]
pub(crate) struct Ends(FxHashSet<NodeId>);

impl Ends {
    /// Finds these nodes.
    pub(crate) fn new(scope: Scope, points: &PointsTo) -> Ends {
        let mut survey = Survey { scope, points, objects: FxHashMap::default(), ends: Ends::default() };
        survey.objects();
        for &id in &scope.reach.functions {
            survey.function(id, &scope.module.functions[id]);
        }
        for &id in &scope.reach.globals {
            scope.module.globals[id].init.iter().for_each(|init| survey.constant(init));
        }
        survey.ends
    }

    /// Whether there may be such a pointer to an object of a node.
    pub(crate) fn contains(&self, node: NodeId) -> bool {
        self.0.contains(&node)
    }
}

struct Survey<'a> {
    scope: Scope<'a>,
    points: &'a PointsTo,
    /// The offsets at which objects of nodes start, and their sizes where these are known.
    objects: FxHashMap<NodeId, Vec<(i64, Option<u64>)>>,
    ends: Ends,
}

impl Survey<'_> {
    fn objects(&mut self) {
        let Scope { module, reach, .. } = self.scope;
        for root in self.points.roots() {
            let objects = self.points.objects_of(root);
            let known = objects.map(|(object, start)| (start, object.size(module)));
            self.objects.entry(root.node).or_default().extend(known);
        }
        for &id in &reach.functions {
            for (inst, data) in module.functions[id].insts.iter() {
                let InstKind::Call(call) = &data.kind else { continue };
                let effect = callee(module, call).map(|(_, callee)| libc::effect(&callee.name));
                if let Some(Effect::Allocate(_) | Effect::Reallocate) = effect
                    && let Some(ptr) = self.points.value(Key::Inst(id, inst))
                {
                    let ptr = self.points.find(ptr);
                    let object = (ptr.offset, allocated_size(module, call));
                    self.objects.entry(ptr.node).or_default().push(object);
                }
            }
        }
    }

    fn function(&mut self, id: FnId, function: &Function) {
        let kept = kept(self.scope.module, function);
        for (inst, data) in function.insts.iter() {
            if let InstKind::Gep { base, offset, steps } = &data.kind
                && kept.contains(&inst)
                && let Some(ptr) = self.points.value(Key::Inst(id, inst))
                && (!steps.is_empty() || *offset > 0)
            {
                let ptr = self.points.find(ptr);
                let from = crate::analyse::flow::operand_ptr(self.points, id, base);
                if !steps.is_empty() || !from.is_some_and(|from| self.is_inside(from, *offset)) {
                    self.ends.0.insert(ptr.node);
                }
            }
            for operand in used(&data.kind) {
                if let Operand::Const(_, constant) = operand {
                    self.constant(constant);
                }
            }
        }
    }

    /// Whether the address at a distance from a pointer is inside of every object, if the pointer is.
    fn is_inside(&self, from: Ptr, offset: i64) -> bool {
        let from = self.points.find(from);
        let modulus = self.points.modulus(from) as i64;
        let mut objects = self.objects.get(&from.node).into_iter().flatten();
        objects.all(|(start, size)| {
            let Some(size) = size.and_then(|size| i64::try_from(size).ok()) else { return false };
            let at = from.offset.wrapping_sub(*start);
            match modulus {
                0 => at.wrapping_add(offset) < size,
                // Within one of the parts that follow each other.
                modulus => size % modulus == 0 && at.rem_euclid(modulus).saturating_add(offset) < modulus,
            }
        })
    }

    fn constant(&mut self, constant: &Const) {
        match constant {
            Const::Global(id, offset) => {
                let object = Object::Global(*id);
                let size = object.size(self.scope.module).and_then(|size| i64::try_from(size).ok());
                if size.is_none_or(|size| *offset >= size)
                    && let Some(ptr) = self.points.known_object(object)
                {
                    self.ends.0.insert(self.points.find(ptr).node);
                }
            }
            Const::Aggregate(parts) => parts.iter().for_each(|(_, part)| self.constant(part)),
            Const::Binary(_, a, b) => [a, b].into_iter().for_each(|part| self.constant(part)),
            Const::Resize { value, .. } => self.constant(value),
            _ => {}
        }
    }
}

/// The operands of an instruction that are used for more than accesses at that address.
fn used(kind: &InstKind) -> Vec<&Operand> {
    match kind {
        InstKind::Load { .. } | InstKind::Gep { .. } | InstKind::Cast(CastKind::PtrToInt, _) => Vec::new(),
        InstKind::Store { value, .. } => vec![value],
        kind => operands(kind),
    }
}

/// The instructions whose results are used for more than accesses at that address.
fn kept(module: &Module, function: &Function) -> FxHashSet<InstId> {
    let mut kept = FxHashSet::default();
    let add = |operand: &Operand, kept: &mut FxHashSet<InstId>| match operand {
        Operand::Inst(inst) => kept.insert(*inst),
        _ => false,
    };
    for data in function.insts.values() {
        let only_accesses = |call: &CallInst| {
            callee(module, call)
                .is_some_and(|(_, callee)| is_hint(&callee.name) || range_call(callee).is_some())
        };
        if !matches!(&data.kind, InstKind::Call(call) if only_accesses(call)) {
            used(&data.kind).into_iter().for_each(|operand| _ = add(operand, &mut kept));
        }
    }
    // Values that are computed from a pointer and kept.
    loop {
        let mut changed = false;
        for (inst, data) in function.insts.iter() {
            if let InstKind::Gep { base, .. } = &data.kind
                && kept.contains(&inst)
            {
                changed |= add(base, &mut kept);
            }
        }
        if !changed {
            return kept;
        }
    }
}
