//! Bounds of accesses: for each node of the points-to analysis the objects that it stands for, their sizes and their
//! lifetimes.
//!
//! An object without a fixed address lies in a slot of its own (see [`crate::analyse::memory::Arena`]). If all such
//! objects of a node have one size, and none of them ends before the counter of its arena says so, the address alone
//! determines what may be accessed. Otherwise a region, the node's *rooms*, holds for each slot one more than the size
//! of the object in it, and zero once the object was freed.
//!
//! A variable of a function that does not recurse has one address for ever, and so has a heap object that is allocated
//! once at most. A ghost variable holds whether such an object is live, where a pointer may outlive it, and another one
//! the size of a heap object whose size is not constant.

use crate::analyse::activation::Activations;
use crate::analyse::flow::operand_ptr;
use crate::analyse::memory::Layout;
use crate::analyse::points_to::{Key, NodeId, NodeTraits, PointsTo, Ptr};
use crate::analyse::promote::{Object, allocated_size};
use crate::analyse::scope::Scope;
use crate::instruction::callee;
use crate::libc::{self, Effect};
use beeline_ir::{ProgramBuilder, Region, RegionId, Type, Value, VarId};
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The objects of a node that have no fixed addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// All have this size. Those of frames are live as long as they are below the stack's counter.
    Each(u64),
    /// The region of their rooms. All get addresses from counters that only grow.
    Rooms(RegionId),
    /// Variable arguments are among them, which are not checked.
    Open,
}

/// The prefix of the names of ghosts that hold whether objects are live.
pub const LIVES: &str = "lives";
/// The variable that holds the next free address of the heap.
pub const HEAP_NEXT: &str = "heap.next";
/// The next free slot of frames without a fixed place.
pub(crate) const STACK_NEXT: &str = "stack.next";

/// The size of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FixedSize {
    /// A number of bytes.
    Bytes(u64),
    /// The value of a ghost variable.
    Ghost(VarId),
}

/// An object with a fixed address.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fixed {
    /// The object.
    pub object: Object,
    /// Its address.
    pub base: u64,
    /// Its size.
    pub size: FixedSize,
    /// Whether it is read-only.
    pub constant: bool,
    /// The ghost that holds whether it is live, for objects that may end and for heap objects.
    pub lives: Option<VarId>,
    /// Whether its lifetime may have ended while a pointer to it remains.
    pub mortal: bool,
}

/// The objects that a node stands for.
#[derive(Debug, Clone, Default)]
pub(crate) struct NodeBounds {
    /// Objects with fixed addresses.
    pub fixed: Vec<Fixed>,
    /// The others.
    pub counted: Option<Counted>,
    /// Whether it stands for memory from outside of the program as well.
    pub external: bool,
    /// The origins of the others.
    pub traits: NodeTraits,
}

impl Fixed {
    /// Whether it is an object of the heap.
    pub(crate) fn is_on_heap(&self) -> bool {
        matches!(self.object, Object::Heap(..))
    }
}

/// The objects on the heap, by what may point to them when the program ends.
#[derive(Debug, Default)]
pub(crate) struct Heap {
    /// Objects with fixed addresses to which only global variables of the program may hold pointers.
    pub seen: Vec<Fixed>,
    /// Objects to which pointers may be in memory.
    pub unseen: Vec<Fixed>,
    /// Whether there are other objects, without fixed addresses.
    pub counted: bool,
    /// Whether pointers to those may remain.
    pub counted_is_kept: bool,
}

impl Heap {
    /// Whether the heap is always empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.seen.is_empty() && self.unseen.is_empty() && !self.counted
    }
}

/// The bounds of all nodes.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    nodes: FxHashMap<NodeId, NodeBounds>,
    ghosts: FxHashMap<Object, Fixed>,
    /// The objects on the heap.
    pub heap: Heap,
}

/// What was found of the objects of a node.
#[derive(Debug, Default)]
struct Seen {
    /// The sizes of those without fixed addresses.
    sizes: FxHashSet<u64>,
    /// Whether one of those has an unknown size, or outlives its function.
    rooms: bool,
    /// Whether there are variable arguments.
    open: bool,
    /// Whether an object may be freed.
    freed: bool,
    /// Whether an object may get another size.
    resized: bool,
}

/// The input of the bounds.
struct Maker<'a, 'b> {
    scope: Scope<'a>,
    layout: &'a Layout,
    activations: &'a Activations,
    builder: &'b mut ProgramBuilder,
    names: FxHashSet<String>,
}

impl Bounds {
    /// Finds the bounds of all nodes, and declares rooms and ghost variables; with `counted`, a property is about the
    /// objects that remain at the end.
    pub(crate) fn new(
        scope: Scope,
        points: &PointsTo,
        layout: &Layout,
        activations: &Activations,
        builder: &mut ProgramBuilder,
        counted: bool,
    ) -> Bounds {
        let seen = Survey { scope, points, activations, nodes: FxHashMap::default() }.run();
        let mut maker = Maker { scope, layout, activations, builder, names: FxHashSet::default() };
        let mut bounds = Bounds::default();
        for root in points.roots() {
            let seen = seen.get(&root.node);
            let (freed, resized) = seen.map_or((false, false), |seen| (seen.freed, seen.resized));
            let traits = points.traits(root);
            let objects = points.objects_of(root);
            let fixed: Vec<Fixed> =
                objects.filter_map(|(object, _)| maker.fixed(object, freed || counted, resized)).collect();
            let counted = (traits.heap || traits.stack).then(|| maker.counted(seen, traits));
            bounds.ghosts.extend(fixed.iter().map(|fixed| (fixed.object, *fixed)));
            let node = NodeBounds { fixed, counted, external: traits.external, traits };
            bounds.nodes.insert(root.node, node);
        }
        let (in_cells, in_memory) = kept_by_globals(points);
        let mut heap = Heap::default();
        let mut nodes: Vec<(&NodeId, &NodeBounds)> = bounds.nodes.iter().collect();
        nodes.sort_unstable_by_key(|(id, _)| **id);
        for (id, node) in nodes {
            let objects = node.fixed.iter().filter(|fixed| fixed.is_on_heap());
            let list = if in_memory.contains(id) { &mut heap.unseen } else { &mut heap.seen };
            list.extend(objects);
            heap.counted |= node.traits.heap;
            heap.counted_is_kept |= node.traits.heap && (in_memory.contains(id) || in_cells.contains(id));
        }
        bounds.heap = heap;
        bounds
    }

    /// The bounds of what a pointer may lead to.
    pub(crate) fn of(&self, points: &PointsTo, ptr: Ptr) -> Option<&NodeBounds> {
        self.nodes.get(&points.find(ptr).node)
    }

    /// The bounds of an object with a fixed address.
    pub(crate) fn object(&self, object: Object) -> Option<&Fixed> {
        self.ghosts.get(&object)
    }
}

/// The nodes that global variables of the program lead to, and those that memory leads to which is live when the
/// program ends.
fn kept_by_globals(points: &PointsTo) -> (FxHashSet<NodeId>, FxHashSet<NodeId>) {
    let of_cells = points.values().filter(|(key, _)| key.is_global()).map(|(_, ptr)| points.find(ptr));
    let of_cells: Vec<Ptr> = of_cells.collect();
    let in_cells: FxHashSet<NodeId> = of_cells.iter().map(|ptr| ptr.node).collect();
    let lasts = |root: &Ptr| {
        points.traits(*root).external
            || points.objects_of(*root).any(|(object, _)| matches!(object, Object::Global(_)))
    };
    let roots = points.roots().filter(lasts).chain(of_cells);
    let mut open: Vec<Ptr> =
        roots.flat_map(|root| points.pointees_of(root)).map(|ptr| points.find(ptr)).collect();
    let mut in_memory = FxHashSet::default();
    while let Some(ptr) = open.pop() {
        if in_memory.insert(ptr.node) {
            open.extend(points.pointees_of(ptr).map(|ptr| points.find(ptr)));
        }
    }
    (in_cells, in_memory)
}

impl Maker<'_, '_> {
    /// A name that no other ghost has.
    fn unique(&mut self, base: String) -> String {
        let numbered = (2..).map(|number| format!("{base}.{number}"));
        let mut names = std::iter::once(base.clone()).chain(numbered);
        let name = names.find(|name| !self.names.contains(name)).unwrap_or(base);
        self.names.insert(name.clone());
        name
    }

    fn ghost(&mut self, what: &str, object: Object, ty: Type, init: Value) -> VarId {
        let name = self.unique(format!("{what}.{}", self.scope.object_name(object)));
        self.builder.global(&name, ty, Some(init))
    }

    fn fixed(&mut self, object: Object, freed: bool, resized: bool) -> Option<Fixed> {
        let base = self.layout.object(object)?;
        let heap = matches!(object, Object::Heap(..));
        let width = self.scope.module.pointer_width;
        let largest = self.layout.heap.largest();
        let stays = |size: &u64| !heap || *size <= largest && !resized;
        let size = match object.size(self.scope.module).filter(stays) {
            Some(size) => FixedSize::Bytes(size),
            None if heap => {
                FixedSize::Ghost(self.ghost("size", object, Type::Bv(width), Value::bv(width, 0)))
            }
            None => return None,
        };
        let constant = match object {
            Object::Global(global) => self.scope.module.globals[global].constant,
            Object::Alloca(..) | Object::Heap(..) => false,
        };
        let mortal = self.activations.is_outlived(object) || heap && freed;
        let lives = (mortal || heap).then(|| self.ghost(LIVES, object, Type::Bool, Value::Bool(false)));
        Some(Fixed { object, base, size, constant, lives, mortal })
    }

    fn counted(&mut self, seen: Option<&Seen>, traits: NodeTraits) -> Counted {
        let largest = if traits.stack { self.layout.stack.largest() } else { self.layout.heap.largest() };
        let mut sizes = seen.into_iter().flat_map(|seen| &seen.sizes);
        match (seen, sizes.next(), sizes.next()) {
            (Some(Seen { open: true, .. }), ..) => Counted::Open,
            (Some(Seen { rooms: false, freed: false, .. }), Some(&size), None) if size <= largest => {
                Counted::Each(size)
            }
            _ => {
                let word = Type::Bv(self.scope.module.pointer_width);
                let (extents, init) = (Vec::new(), Vec::new());
                let name = self.unique("rooms".into());
                Counted::Rooms(self.builder.region(Region { name, addr: word, cell: word, extents, init }))
            }
        }
    }
}

/// A walk over all instructions that allocate objects or end their lifetimes.
struct Survey<'a> {
    scope: Scope<'a>,
    points: &'a PointsTo,
    activations: &'a Activations,
    nodes: FxHashMap<NodeId, Seen>,
}

impl Survey<'_> {
    fn run(mut self) -> FxHashMap<NodeId, Seen> {
        let module = self.scope.module;
        for &id in &self.scope.reach.functions {
            let function = &module.functions[id];
            if let Some(area) = self.points.value(Key::VarArgs(id)) {
                self.node(area).open = true;
            }
            for &inst in function.blocks.values().flat_map(|block| &block.insts) {
                match &function.insts[inst].kind {
                    InstKind::Call(call) => self.call(id, inst, call),
                    InstKind::Alloca { .. } if self.activations.is_moved(Object::Alloca(id, inst)) => {
                        self.alloca(Object::Alloca(id, inst));
                    }
                    _ => {}
                }
            }
        }
        self.nodes
    }

    fn node(&mut self, ptr: Ptr) -> &mut Seen {
        self.nodes.entry(self.points.find(ptr).node).or_default()
    }

    fn alloca(&mut self, object: Object) {
        let Some(ptr) = self.points.known_object(object) else { return };
        let (size, apart) = (object.size(self.scope.module), self.activations.is_apart(object));
        let node = self.node(ptr);
        node.rooms |= apart || size.is_none();
        node.sizes.extend(size);
    }

    fn call(&mut self, id: FnId, inst: InstId, call: &CallInst) {
        let Some((_, function)) = callee(self.scope.module, call) else { return };
        if !function.is_declaration() {
            return;
        }
        let effect = libc::effect(&function.name);
        if matches!(effect, Effect::Free | Effect::Reallocate) {
            let freed = call.args.first().and_then(|arg| operand_ptr(self.points, id, arg));
            if let Some(ptr) = freed {
                self.node(ptr).freed = true;
                self.node(ptr).resized |= effect == Effect::Reallocate;
            }
        }
        if !matches!(effect, Effect::Allocate(_) | Effect::Reallocate) || self.scope.is_heap_object(id, inst)
        {
            return;
        }
        let Some(ptr) = self.points.value(Key::Inst(id, inst)) else { return };
        let size = allocated_size(self.scope.module, call);
        let node = self.node(ptr);
        node.rooms |= size.is_none();
        node.sizes.extend(size);
    }
}
