//! Pointers to different objects that may compare equal: one object may begin where another one ends, and one may get
//! the address of another one whose lifetime has ended. The objects of Beeline do neither.

use crate::analyse::activation::{Activations, scope_mark};
use crate::analyse::ends::Ends;
use crate::analyse::flow::{candidates, operand_ptr};
use crate::analyse::order::{Order, Part, Reachable};
use crate::analyse::points_to::{Key, NodeId, PointsTo, Ptr};
use crate::analyse::promote::Object;
use crate::analyse::same_object::same_object;
use crate::analyse::scope::Scope;
use crate::instruction::operand_type;
use crate::libc::{self, Allocation, Effect};
use beeline_module::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Why two pointers may be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Coincidence {
    /// One object may begin where the other ends.
    Neighbours,
    /// One object may have the address that the other one had.
    Reuse,
}

/// Comparisons of pointers that may be equal, and why.
pub(crate) type Coincidences = FxHashMap<(FnId, InstId), BTreeSet<Coincidence>>;

/// Finds comparisons of pointers to different objects that may be equal.
pub(crate) fn coincidences(scope: Scope, points: &PointsTo, activations: &Activations) -> Coincidences {
    let compared = comparisons(scope, points);
    if compared.is_empty() {
        return Coincidences::default();
    }
    let ends = Ends::new(scope, points);
    let mut lives = Lives::new(scope, points, activations);
    let mut found = Coincidences::default();
    for (id, inst, x, y) in compared {
        let at_end = ends.contains(x.node) || ends.contains(y.node);
        let mut why = Vec::new();
        why.extend((at_end && are_several(points, x, y)).then_some(Coincidence::Neighbours));
        why.extend(lives.meet(id, inst, x.node, y.node).then_some(Coincidence::Reuse));
        if !why.is_empty() {
            found.entry((id, inst)).or_default().extend(why);
        }
    }
    found
}

/// The comparisons of two pointers, unless both are computed from one, with what the pointers lead to.
fn comparisons(scope: Scope, points: &PointsTo) -> Vec<(FnId, InstId, Ptr, Ptr)> {
    let mut found = Vec::new();
    for &id in &scope.reach.functions {
        let function = &scope.module.functions[id];
        let pointer = |operand: &Operand| {
            let ty = operand_type(scope.module, function, operand)?;
            let ptr = operand_ptr(points, id, operand).map(|ptr| points.find(ptr));
            ptr.filter(|_| matches!(scope.module.kind(ty), TyKind::Ptr))
        };
        for (inst, data) in function.insts.iter() {
            if let InstKind::IntCompare(IntPredicate::Eq | IntPredicate::Ne, a, b) = &data.kind
                && let (Some(x), Some(y)) = (pointer(a), pointer(b))
                && !same_object(scope, id, a, b)
            {
                found.push((id, inst, x, y));
            }
            // The instruction compares what is in memory.
            if let InstKind::CmpXchg { addr, expected, .. } = &data.kind
                && let (Some(at), Some(y)) = (pointer(addr), operand_ptr(points, id, expected))
            {
                // At the address of a pointer, a value of integer type is a pointer as well.
                found.extend(points.pointees_of(at).map(|x| (id, inst, points.find(x), points.find(y))));
            }
        }
    }
    found
}

/// Whether two pointers may lead to different objects.
fn are_several(points: &PointsTo, x: Ptr, y: Ptr) -> bool {
    let many = |ptr| points.traits(ptr).heap || points.traits(ptr).stack;
    let objects = |ptr| points.objects_of(ptr).count();
    match x.node == y.node {
        true => many(x) || objects(x) > 1,
        false => [x, y].into_iter().all(|ptr| many(ptr) || objects(ptr) > 0),
    }
}

/// The source of an object's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Arena {
    Heap,
    Stack,
}

/// An event in the lifetime of objects of a node.
#[derive(Debug, Clone, Copy)]
struct Event {
    arena: Arena,
    node: NodeId,
    /// The part of the program in which it happens, and which it ends if it is a call.
    at: Part,
    is_call: bool,
}

/// The parts in which the lifetimes of objects begin and end.
struct Lives {
    order: Order,
    begins: Vec<Event>,
    ends: Vec<(Arena, NodeId, Part)>,
    /// The parts that may run after an object of the first node ended and one of the second began after that.
    behind: FxHashMap<(Arena, NodeId, NodeId), Reachable>,
}

impl Lives {
    fn new(scope: Scope, points: &PointsTo, activations: &Activations) -> Lives {
        let order = Order::new(scope, points);
        let mut lives = Lives { order, begins: Vec::new(), ends: Vec::new(), behind: FxHashMap::default() };
        for &id in &scope.reach.functions {
            for (inst, data) in scope.module.functions[id].insts.iter() {
                let Some(at) = lives.order.home(id, inst) else { continue };
                match &data.kind {
                    InstKind::Call(call) => lives.call(scope, points, (id, inst, call), at),
                    InstKind::Alloca { .. } => {
                        let object = Object::Alloca(id, inst);
                        let Some(ptr) = points.known_object(object) else { continue };
                        let node = points.find(ptr).node;
                        lives.begins.push(Event { arena: Arena::Stack, node, at, is_call: false });
                        if activations.is_outlived(object) {
                            let ends = lives.order.behind_calls(id);
                            lives.ends.extend(ends.map(|part| (Arena::Stack, node, part)));
                        }
                    }
                    _ => {}
                }
            }
        }
        lives
    }

    fn call(
        &mut self,
        scope: Scope,
        points: &PointsTo,
        (id, inst, call): (FnId, InstId, &CallInst),
        at: Part,
    ) {
        let node = |ptr: Option<Ptr>| ptr.map(|ptr| points.find(ptr).node);
        let behind = self.order.behind(at).to_vec();
        if let Some((begins, alloca)) = scope_mark(scope.module, call) {
            let Some(node) = node(points.known_object(Object::Alloca(id, alloca))) else { return };
            match begins {
                true => self.begins.push(Event { arena: Arena::Stack, node, at, is_call: true }),
                false => self.ends.extend(behind.into_iter().map(|part| (Arena::Stack, node, part))),
            }
            return;
        }
        let (callees, _) = candidates(scope, points, id, call);
        let declared =
            callees.into_iter().map(|id| &scope.module.functions[id]).filter(|f| f.is_declaration());
        for effect in declared.map(|function| libc::effect(&function.name)) {
            if let (Effect::Free | Effect::Reallocate, Some(first)) = (&effect, call.args.first())
                && let Some(node) = node(operand_ptr(points, id, first))
            {
                self.ends.extend(behind.iter().map(|part| (Arena::Heap, node, *part)));
            }
            let arena = match effect {
                Effect::Allocate(Allocation::Stack) => Arena::Stack,
                Effect::Allocate(_) | Effect::Reallocate => Arena::Heap,
                _ => continue,
            };
            if let Some(node) = node(points.value(Key::Inst(id, inst))) {
                self.begins.push(Event { arena, node, at, is_call: true });
            }
        }
    }

    /// Whether one of two pointers may lead to an object that began after the object of the other one ended.
    fn meet(&mut self, id: FnId, inst: InstId, x: NodeId, y: NodeId) -> bool {
        let Some(home) = self.order.home(id, inst) else { return false };
        [Arena::Heap, Arena::Stack]
            .into_iter()
            .any(|arena| self.behind(arena, x, y).contains(home) || self.behind(arena, y, x).contains(home))
    }

    fn behind(&mut self, arena: Arena, old: NodeId, new: NodeId) -> &Reachable {
        let Lives { order, begins, ends, behind } = self;
        behind.entry((arena, old, new)).or_insert_with(|| {
            let ends = ends.iter().filter(|(place, node, _)| (*place, *node) == (arena, old));
            let ended = order.reachable(ends.map(|(_, _, part)| *part));
            let begins = begins.iter().filter(|begin| (begin.arena, begin.node) == (arena, new));
            let begun = begins.filter(|begin| ended.contains(begin.at));
            order.reachable(begun.flat_map(|begin| match begin.is_call {
                true => order.behind(begin.at).to_vec(),
                false => vec![begin.at],
            }))
        })
    }
}
