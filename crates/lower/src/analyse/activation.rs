//! Activations: which value and address a variable of a frame gets each time its lifetime begins.
//!
//! When a function is called, or a declaration is executed again, each of its variables is a new object: it holds any
//! value, and no pointer to an earlier object leads to it. Most programs cannot tell the difference. Then a variable
//! keeps one address for ever. A program can tell by:
//! - *Content*: the variable may be read before this activation has set it (`content`). Then all of its cells get any
//!   value when its lifetime begins.
//! - *Identity*: a pointer to it may remain when its lifetime ends ([`Activations::is_outlived`]). Then each lifetime
//!   gets an address of its own, from a counter that only grows. If nothing bounds the number of lifetimes, the address
//!   is used anew, which is an assumption.
//!
//! `ir-spec/objects.md` explains this to users.

mod content;

use crate::analyse::cfg::cyclic_blocks;
use crate::analyse::points_to::{Key, NodeId, NodeTraits, PointsTo};
use crate::analyse::promote::Object;
use crate::analyse::scope::Scope;
use crate::instruction::callee;
use crate::threads::start::is_start;
use beeline_module::*;
use rustc_hash::FxHashSet;

/// The largest size in bytes of a variable whose content is havocked cell by cell.
const MOST_BYTES: u64 = 1024;

/// The variables of frames that are memory, by what each new lifetime of them needs.
#[derive(Debug, Default)]
pub(crate) struct Activations {
    /// Variables to which a pointer may remain when their function returns or their scope ends.
    outlived: FxHashSet<Object>,
    /// Variables whose scopes the module marks.
    scoped: FxHashSet<Object>,
    /// Variables that may be read before they are set.
    open: FxHashSet<Object>,
    /// Variables without a fixed address.
    moved: FxHashSet<Object>,
    /// Variables each lifetime of which has an address of its own.
    apart: FxHashSet<Object>,
    /// Variables whose lifetimes share one address though a pointer to an earlier lifetime may remain.
    again: FxHashSet<Object>,
    /// Variables whose declarations may be executed again in one call.
    repeated: FxHashSet<Object>,
    /// Variables whose region holds nothing else.
    alone: FxHashSet<Object>,
}

impl Activations {
    /// Classifies the variables, and marks in the points-to graph those without a fixed address; with `flat` all memory
    /// is one region.
    pub(crate) fn new(scope: Scope, points: &mut PointsTo, flat: bool) -> Activations {
        let mut found = Activations { scoped: scoped(scope), ..Activations::default() };
        let left = Left::new(scope, points);
        for &id in &scope.reach.functions {
            let function = &scope.module.functions[id];
            let content = content::unset(scope, id);
            let repeated = repeated(scope.module, function);
            let gives_back = gives_back(scope.module, function);
            for &inst in function.blocks.values().flat_map(|block| &block.insts) {
                let object = Object::Alloca(id, inst);
                let InstKind::Alloca { dynamic, .. } = function.insts[inst].kind else { continue };
                let Some(ptr) = points.known_object(object) else { continue };
                if scope.promotion.cells(object).is_some() {
                    continue;
                }
                let alone =
                    points.objects_of(ptr).count() == 1 && points.traits(ptr) == NodeTraits::default();
                let life = Life {
                    many: dynamic || scope.reach.is_recursive(id),
                    once: scope.reach.is_called_once(id),
                    bounded: !scope.reach.is_called_without_bound(id),
                    repeated: repeated.contains(&inst),
                    size: object.size(scope.module),
                    alone: alone && !flat,
                };
                let is_scoped = found.scoped.contains(&object) || dynamic && gives_back;
                let leaves = left.by_return(scope, points, object, is_scoped);
                let stays = leaves || life.repeated && left.by_scope(points, object);
                found.add(object, life, content.contains(&inst), (leaves, stays));
            }
        }
        for object in &found.moved {
            if let Some(ptr) = points.known_object(*object) {
                points.mark(ptr, NodeTraits { stack: true, ..NodeTraits::default() });
            }
        }
        found
    }

    fn add(&mut self, object: Object, life: Life, open: bool, (leaves, stays): (bool, bool)) {
        let insert = |set: &mut FxHashSet<Object>, member: bool| {
            if member {
                set.insert(object);
            }
        };
        // A variable with one lifetime holds any value already.
        let open = open && (life.many || !life.once || life.repeated || self.scoped.contains(&object));
        let cheap = life.alone && !life.many || life.size.is_some_and(|size| size <= MOST_BYTES);
        let counted = life.many || !life.once && life.bounded;
        let apart = counted && (leaves || open && !cheap);
        let moved = life.many || apart;
        insert(&mut self.outlived, leaves);
        insert(&mut self.open, open);
        insert(&mut self.moved, moved);
        insert(&mut self.apart, apart);
        insert(&mut self.again, stays && !apart && (!life.once || life.repeated));
        insert(&mut self.repeated, life.repeated);
        insert(&mut self.alone, life.alone && !moved);
    }

    /// Whether a pointer to a variable may remain when its lifetime ends.
    pub(crate) fn is_outlived(&self, object: Object) -> bool {
        self.outlived.contains(&object)
    }

    /// Whether the module marks where the scope of a variable begins.
    pub(crate) fn is_scoped(&self, object: Object) -> bool {
        self.scoped.contains(&object)
    }

    /// Whether a variable may be read before it is set.
    pub(crate) fn is_open(&self, object: Object) -> bool {
        self.open.contains(&object)
    }

    /// Whether a variable is at no fixed address.
    pub(crate) fn is_moved(&self, object: Object) -> bool {
        self.moved.contains(&object)
    }

    /// Whether each lifetime of a variable has an address that no other has.
    pub(crate) fn is_apart(&self, object: Object) -> bool {
        self.apart.contains(&object)
    }

    /// Whether the lifetimes of some variable have addresses that no other has.
    pub(crate) fn some_are_apart(&self) -> bool {
        !self.apart.is_empty()
    }

    /// Whether a pointer to a variable may remain where the next lifetime begins at the same address.
    pub(crate) fn is_met_again(&self, object: Object) -> bool {
        self.again.contains(&object)
    }

    /// Whether the declaration of a variable may be executed again in one call.
    pub(crate) fn is_repeated(&self, object: Object) -> bool {
        self.repeated.contains(&object)
    }

    /// Whether the regions of a variable are its own.
    pub(crate) fn is_alone(&self, object: Object) -> bool {
        self.alone.contains(&object)
    }

    /// Whether a variable is small enough for its content to be set cell by cell.
    pub(crate) fn is_small(size: u64) -> bool {
        size <= MOST_BYTES
    }
}

/// Facts about the lifetimes of a variable.
#[derive(Debug, Clone, Copy)]
struct Life {
    /// Whether it may have two lifetimes at a time, or no fixed size.
    many: bool,
    /// Whether its function is called once at most.
    once: bool,
    /// Whether the call graph bounds the number of calls of its function.
    bounded: bool,
    /// Whether its declaration may be executed again in one call.
    repeated: bool,
    size: Option<u64>,
    alone: bool,
}

/// The places where pointers may remain.
struct Left {
    /// Nodes to which pointers are kept in memory, in global variables, or outside of the program.
    kept: FxHashSet<NodeId>,
    /// Nodes to which variables of a function hold pointers.
    in_frames: FxHashSet<(FnId, NodeId)>,
}

impl Left {
    fn new(scope: Scope, points: &PointsTo) -> Left {
        let globals = points.values().filter(|(key, _)| key.is_global()).map(|(_, ptr)| ptr);
        // A thread keeps what it is given while its creator goes on.
        let given = points.values().filter(|(key, _)| match key {
            Key::Param(function, _) => is_start(&scope.module.functions[*function]),
            _ => false,
        });
        let given = given.map(|(_, ptr)| ptr);
        let kept = globals.chain(points.pointees()).chain(given).map(|ptr| points.find(ptr).node).collect();
        let in_frames = points.values().filter_map(|(key, ptr)| match key {
            Key::Cell(Object::Alloca(owner, _), _) => Some((owner, points.find(ptr).node)),
            _ => None,
        });
        Left { kept, in_frames: in_frames.collect() }
    }

    /// Whether a pointer to a variable may remain when its function returns, or when its scope ends.
    fn by_return(&self, scope: Scope, points: &PointsTo, object: Object, is_scoped: bool) -> bool {
        let (Object::Alloca(function, _), Some(ptr)) = (object, points.known_object(object)) else {
            return false;
        };
        let node = points.find(ptr).node;
        let is_returned = points.value(Key::Ret(function)).is_some_and(|ret| points.find(ret).node == node);
        // Nothing runs after the entry function has returned, except what runs at the end of the program.
        let is_entry = function == scope.entry && !scope.reach.is_recursive(function);
        let last = is_entry && !scope.runs_at_end();
        let leaves = !is_entry && is_returned || self.kept.contains(&node);
        leaves && (!last || is_scoped) || is_scoped && self.by_scope(points, object)
    }

    /// Whether a pointer to a variable may remain in its function when its scope ends.
    fn by_scope(&self, points: &PointsTo, object: Object) -> bool {
        let (Object::Alloca(function, _), Some(ptr)) = (object, points.known_object(object)) else {
            return false;
        };
        let node = points.find(ptr).node;
        self.kept.contains(&node) || self.in_frames.contains(&(function, node))
    }
}

/// The variables of a function whose declarations may be executed again in one call.
fn repeated(module: &Module, function: &Function) -> FxHashSet<InstId> {
    let cyclic = cyclic_blocks(function);
    let blocks = function.blocks.iter().filter(|(id, _)| cyclic.contains(id));
    let insts: FxHashSet<InstId> = blocks.flat_map(|(_, block)| block.insts.iter().copied()).collect();
    let begins = function.begins.iter().filter(|(behind, _)| insts.contains(behind));
    let scopes = insts.iter().filter_map(|&inst| match &function.insts[inst].kind {
        InstKind::Call(call) => scope_mark(module, call).filter(|(begins, _)| *begins),
        _ => None,
    });
    begins.map(|&(_, alloca)| alloca).chain(scopes.map(|(_, alloca)| alloca)).collect()
}

/// Whether a function ends the lifetimes of arrays of variable length before it returns.
fn gives_back(module: &Module, function: &Function) -> bool {
    function.insts.values().any(|inst| match &inst.kind {
        InstKind::Call(call) => is_restore(module, call),
        _ => false,
    })
}

/// Whether a call ends the lifetimes of what was reserved since the stack was saved.
fn is_restore(module: &Module, call: &CallInst) -> bool {
    callee(module, call).is_some_and(|(_, function)| function.name.starts_with("llvm.stackrestore"))
}

/// Whether a call says that the scope of a variable begins, or that it ends, and the variable's alloca.
pub(crate) fn scope_mark(module: &Module, call: &CallInst) -> Option<(bool, InstId)> {
    let (_, function) = callee(module, call)?;
    let Some(Operand::Inst(inst)) = call.args.last() else { return None };
    let begins = function.name.starts_with("llvm.lifetime.start");
    (begins || function.name.starts_with("llvm.lifetime.end")).then_some((begins, *inst))
}

/// The variables whose scopes the module marks.
fn scoped(scope: Scope) -> FxHashSet<Object> {
    let mut scoped = FxHashSet::default();
    for &id in &scope.reach.functions {
        for inst in scope.module.functions[id].insts.values() {
            if let InstKind::Call(call) = &inst.kind
                && let Some((begins, inst)) = scope_mark(scope.module, call)
                && begins
            {
                scoped.insert(Object::Alloca(id, inst));
            }
        }
    }
    scoped
}
