//! Points-to analysis: which pointers may point into the same memory.
//!
//! Unification-based and field-sensitive. A *node* stands for a set of objects; a pointer is a node
//! with an offset. Nodes that a pointer may both point to are merged, at the offsets that make the
//! pointer's offset the same. A node has a *modulus*: 0 while all offsets are known, else offsets
//! count modulo it (an array of 16-byte structures has modulus 16; one that is accessed in unknown
//! ways has modulus 1). What integers hold is followed as well, as they may be pointers.
//!
//! Promoted objects are variables: they have no node, but their cells may hold pointers.

use beeline_ir::Type;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyse::promote::Object;
use beeline_module::{FnId, InstId};

/// A node, perhaps merged into another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

/// A pointer: a node and an offset into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ptr {
    /// The node.
    pub node: NodeId,
    /// The offset in bytes.
    pub offset: i64,
}

impl Ptr {
    /// The pointer some bytes further.
    pub(crate) fn plus(self, bytes: i64) -> Ptr {
        Ptr { offset: self.offset.wrapping_add(bytes), ..self }
    }
}

/// A value that may be a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    /// All memory that functions without a body can access.
    World,
    /// The result of an instruction.
    Inst(FnId, InstId),
    /// A parameter.
    Param(FnId, u32),
    /// The result of a function.
    Ret(FnId),
    /// A cell of a promoted object.
    Cell(Object, u64),
    /// The variable arguments of a function.
    VarArgs(FnId),
}

impl Key {
    /// Whether it holds pointers until the program ends.
    pub(crate) fn is_global(self) -> bool {
        matches!(self, Key::World | Key::Cell(Object::Global(_), _))
    }
}

/// Bytes that accesses touch in a node, at an offset.
#[derive(Debug, Clone, Default)]
struct Field {
    pointee: Option<Ptr>,
    /// Size and type of the accesses.
    accesses: BTreeSet<(u64, Type)>,
}

/// The facts about a node.
#[derive(Debug, Clone, Default)]
struct Node {
    /// The node that it was merged into, and the distance of its offsets there.
    parent: Option<(NodeId, i64)>,
    modulus: u64,
    fields: BTreeMap<i64, Field>,
    /// Objects in it with the offsets of their starts.
    objects: BTreeMap<Object, i64>,
    functions: BTreeSet<FnId>,
    traits: NodeTraits,
}

/// Other origins of a node's memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct NodeTraits {
    /// From the heap.
    pub heap: bool,
    /// From the stack, at no fixed address.
    pub stack: bool,
    /// From outside of the program.
    pub external: bool,
    /// From outside, and there when the program starts: the memory that the entry's pointers lead to.
    pub given: bool,
}

/// The result of the analysis, and the state of it while it runs.
#[derive(Debug, Default)]
pub(crate) struct PointsTo {
    nodes: Vec<Node>,
    values: FxHashMap<Key, Ptr>,
    objects: FxHashMap<Object, Ptr>,
    functions: FxHashMap<FnId, Ptr>,
    changed: bool,
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl PointsTo {
    /// A new node.
    pub(crate) fn fresh(&mut self) -> Ptr {
        self.nodes.push(Node::default());
        self.changed = true;
        Ptr { node: NodeId(self.nodes.len() as u32 - 1), offset: 0 }
    }

    /// Whether anything has changed since the last call.
    pub(crate) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// The pointer in terms of the node that its node was merged into; the offset is reduced by the modulus.
    pub(crate) fn find(&self, ptr: Ptr) -> Ptr {
        let mut ptr = ptr;
        while let Some((parent, delta)) = self.nodes[ptr.node.0 as usize].parent {
            ptr = Ptr { node: parent, offset: ptr.offset.wrapping_add(delta) };
        }
        let modulus = self.nodes[ptr.node.0 as usize].modulus;
        if modulus > 0 {
            ptr.offset = ptr.offset.rem_euclid(modulus as i64);
        }
        ptr
    }

    fn node(&mut self, ptr: Ptr) -> &mut Node {
        &mut self.nodes[ptr.node.0 as usize]
    }

    fn root(&self, ptr: Ptr) -> &Node {
        &self.nodes[self.find(ptr).node.0 as usize]
    }

    /// The address of an object.
    pub(crate) fn object(&mut self, object: Object) -> Ptr {
        if let Some(&ptr) = self.objects.get(&object) {
            return ptr;
        }
        let ptr = self.fresh();
        self.node(ptr).objects.insert(object, 0);
        self.objects.insert(object, ptr);
        ptr
    }

    /// The address of an object, if it is known.
    pub(crate) fn known_object(&self, object: Object) -> Option<Ptr> {
        self.objects.get(&object).copied()
    }

    /// The address of a function.
    pub(crate) fn function(&mut self, function: FnId) -> Ptr {
        if let Some(&ptr) = self.functions.get(&function) {
            return ptr;
        }
        let ptr = self.fresh();
        self.node(ptr).functions.insert(function);
        self.functions.insert(function, ptr);
        ptr
    }

    /// The address of a function, if it is known.
    pub(crate) fn known_function(&self, function: FnId) -> Option<Ptr> {
        self.functions.get(&function).copied()
    }

    /// The pointer that a value holds, if it may be a pointer.
    pub(crate) fn value(&self, key: Key) -> Option<Ptr> {
        self.values.get(&key).copied()
    }

    /// The pointer that a value holds; one to a new node if nothing is known.
    pub(crate) fn value_or_fresh(&mut self, key: Key) -> Ptr {
        match self.value(key) {
            Some(ptr) => ptr,
            None => {
                let ptr = self.fresh();
                self.values.insert(key, ptr);
                ptr
            }
        }
    }

    /// Records that a value may be this pointer.
    pub(crate) fn set(&mut self, key: Key, ptr: Ptr) {
        match self.value(key) {
            Some(known) => self.unify(known, ptr),
            None => {
                self.changed = true;
                self.values.insert(key, ptr);
            }
        }
    }

    /// Unifies two values: what one may point to, the other may point to as well.
    pub(crate) fn link(&mut self, a: Key, b: Key) {
        match (self.value(a), self.value(b)) {
            (Some(x), Some(y)) => self.unify(x, y),
            (Some(x), None) => self.set(b, x),
            (None, Some(y)) => self.set(a, y),
            (None, None) => {}
        }
    }

    /// Marks the origin of a node's memory.
    pub(crate) fn mark(&mut self, ptr: Ptr, traits: NodeTraits) {
        let root = self.find(ptr);
        let node = self.node(root);
        node.traits.heap |= traits.heap;
        node.traits.stack |= traits.stack;
        node.traits.external |= traits.external;
        node.traits.given |= traits.given;
    }

    /// Marks what memory from outside leads to, directly or through other memory, as memory from outside, too. The
    /// pointers in `filled` memory are from outside, that memory itself need not be.
    pub(crate) fn mark_external_pointees(&mut self, filled: &[Ptr]) {
        let mut open: Vec<Ptr> = self.roots().filter(|root| self.traits(*root).external).collect();
        open.extend(filled);
        while let Some(ptr) = open.pop() {
            let pointees: Vec<Ptr> = self.pointees_of(ptr).map(|pointee| self.find(pointee)).collect();
            for pointee in pointees {
                if !self.traits(pointee).external {
                    self.mark(pointee, NodeTraits { external: true, ..NodeTraits::default() });
                    open.push(pointee);
                }
            }
        }
    }

    /// The origins of a node's memory, beside its named objects.
    pub(crate) fn traits(&self, ptr: Ptr) -> NodeTraits {
        self.root(ptr).traits
    }

    /// The objects of the node with the offsets of their starts.
    pub(crate) fn objects_of(&self, ptr: Ptr) -> impl Iterator<Item = (Object, i64)> + '_ {
        self.root(ptr).objects.iter().map(|(object, offset)| (*object, *offset))
    }

    /// The functions that a pointer may point to.
    pub(crate) fn functions_of(&self, ptr: Ptr) -> Vec<FnId> {
        self.root(ptr).functions.iter().copied().collect()
    }

    /// The modulus of the node.
    pub(crate) fn modulus(&self, ptr: Ptr) -> u64 {
        self.root(ptr).modulus
    }

    /// Makes offsets of the node count modulo a divisor of `bytes` from now on.
    pub(crate) fn stride(&mut self, ptr: Ptr, bytes: u64) {
        let root = self.find(ptr);
        let modulus = gcd(self.node(root).modulus, bytes);
        if modulus == self.node(root).modulus || modulus == 0 {
            return;
        }
        self.changed = true;
        self.node(root).modulus = modulus;
        let fields = std::mem::take(&mut self.node(root).fields);
        let mut pending = Vec::new();
        for (offset, field) in fields {
            self.add_field(root, offset, field, &mut pending);
        }
        self.unify_all(pending);
    }

    /// Adds a field to a root; pointees that coincide are to be unified.
    fn add_field(&mut self, root: Ptr, offset: i64, field: Field, pending: &mut Vec<(Ptr, Ptr)>) {
        let at = self.find(Ptr { offset, ..root }).offset;
        let known = self.node(root).fields.entry(at).or_default();
        known.accesses.extend(field.accesses);
        match (known.pointee, field.pointee) {
            (Some(a), Some(b)) => pending.push((a, b)),
            (None, Some(b)) => known.pointee = Some(b),
            _ => {}
        }
    }

    /// Unifies two pointers that may be the same.
    pub(crate) fn unify(&mut self, a: Ptr, b: Ptr) {
        self.unify_all(vec![(a, b)]);
    }

    fn unify_all(&mut self, mut pending: Vec<(Ptr, Ptr)>) {
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.find(a), self.find(b));
            let delta = a.offset.wrapping_sub(b.offset);
            if a.node == b.node {
                if delta != 0 {
                    self.stride(a, delta.unsigned_abs());
                }
                continue;
            }
            self.changed = true;
            // The smaller one moves.
            let weight = |node: &Node| node.fields.len() + node.objects.len();
            let (to, from, delta) = if weight(self.node(a)) >= weight(self.node(b)) {
                (a, b, delta)
            } else {
                (b, a, delta.wrapping_neg())
            };
            let moved = std::mem::take(self.node(from));
            self.node(from).parent = Some((to.node, delta));
            let modulus = moved.modulus;
            let target = self.node(to);
            target.objects.extend(moved.objects.iter().map(|(object, at)| (*object, at.wrapping_add(delta))));
            target.functions.extend(moved.functions);
            target.traits.heap |= moved.traits.heap;
            target.traits.stack |= moved.traits.stack;
            target.traits.external |= moved.traits.external;
            target.traits.given |= moved.traits.given;
            for (offset, field) in moved.fields {
                self.add_field(to, offset.wrapping_add(delta), field, &mut pending);
            }
            if modulus > 0 {
                self.stride(to, modulus);
            }
        }
    }

    /// Notes an access of a size and type.
    pub(crate) fn access(&mut self, ptr: Ptr, size: u64, ty: Type) {
        let at = self.find(ptr);
        let inserted = self.node(at).fields.entry(at.offset).or_default().accesses.insert((size, ty));
        self.changed |= inserted;
    }

    /// The fields that bytes at a pointer overlap.
    fn overlapping(&self, at: Ptr, size: u64) -> Vec<i64> {
        let node = &self.nodes[at.node.0 as usize];
        let size = size as i64;
        let extent = |field: &Field| field.accesses.last().map_or(1, |access| access.0) as i64;
        let meets = |start: i64| {
            node.fields
                .range(start - 32..start + size)
                .filter(move |(offset, field)| **offset + extent(field) > start)
                .map(|(offset, _)| *offset)
        };
        match node.modulus as i64 {
            0 => meets(at.offset).collect(),
            modulus if size >= modulus => node.fields.keys().copied().collect(),
            modulus => {
                meets(at.offset).chain(meets(at.offset - modulus)).chain(meets(at.offset + modulus)).collect()
            }
        }
    }

    /// The pointee of the bytes at a pointer.
    pub(crate) fn load(&mut self, ptr: Ptr, size: u64) -> Option<Ptr> {
        let at = self.find(ptr);
        let found: Vec<Ptr> = self
            .overlapping(at, size)
            .into_iter()
            .filter_map(|offset| self.nodes[at.node.0 as usize].fields[&offset].pointee)
            .collect();
        for pair in found.windows(2) {
            self.unify(pair[0], pair[1]);
        }
        found.first().copied()
    }

    /// Records that the bytes at a pointer may point somewhere.
    pub(crate) fn store(&mut self, ptr: Ptr, size: u64, pointee: Ptr) {
        match self.load(ptr, size) {
            Some(known) => self.unify(known, pointee),
            None => {
                let at = self.find(ptr);
                self.node(at).fields.entry(at.offset).or_default().pointee = Some(pointee);
                self.changed = true;
            }
        }
    }

    /// The pointee of the bytes at a pointer; a new node if nothing is known.
    pub(crate) fn load_or_fresh(&mut self, ptr: Ptr, size: u64) -> Ptr {
        self.load(ptr, size).unwrap_or_else(|| {
            let pointee = self.fresh();
            self.store(ptr, size, pointee);
            pointee
        })
    }

    /// All nodes that were not merged into others.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Ptr> + '_ {
        let roots = self.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
        roots.map(|(index, _)| Ptr { node: NodeId(index as u32), offset: 0 })
    }

    /// All that something in memory may point to.
    pub(crate) fn pointees(&self) -> impl Iterator<Item = Ptr> + '_ {
        self.nodes.iter().flat_map(|node| node.fields.values().filter_map(|field| field.pointee))
    }

    /// The pointees of the bytes of a node.
    pub(crate) fn pointees_of(&self, ptr: Ptr) -> impl Iterator<Item = Ptr> + '_ {
        self.root(ptr).fields.values().filter_map(|field| field.pointee)
    }

    /// All values that may be pointers.
    pub(crate) fn values(&self) -> impl Iterator<Item = (Key, Ptr)> + '_ {
        self.values.iter().map(|(key, ptr)| (*key, *ptr))
    }

    /// The accesses of a root: offset, size, type.
    pub(crate) fn accesses(&self, root: Ptr) -> impl Iterator<Item = (i64, u64, Type)> + '_ {
        let fields = self.root(root).fields.iter();
        fields.flat_map(|(offset, field)| field.accesses.iter().map(|access| (*offset, access.0, access.1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: Type = Type::Bv(32);

    fn offsets(analysis: &PointsTo, ptr: Ptr) -> Vec<i64> {
        analysis.accesses(analysis.find(ptr)).map(|access| access.0).collect()
    }

    #[test]
    fn merging_shifts_offsets() {
        let mut analysis = PointsTo::default();
        let (a, b) = (analysis.fresh(), analysis.fresh());
        analysis.access(a.plus(8), 4, WORD);
        analysis.access(b, 4, WORD);
        // b points into a, at 4.
        analysis.unify(a.plus(4), b);
        assert_eq!(analysis.find(b).node, analysis.find(a).node);
        let at = analysis.find(b).offset - analysis.find(a).offset;
        assert_eq!(at, 4);
        let mut found = offsets(&analysis, a);
        found.iter_mut().for_each(|offset| *offset -= analysis.find(a).offset);
        assert_eq!(found, [4, 8]);
    }

    #[test]
    fn an_index_folds_the_fields_of_an_array() {
        let mut analysis = PointsTo::default();
        let a = analysis.fresh();
        for offset in [0, 4, 16, 20, 36] {
            analysis.access(a.plus(offset), 4, WORD);
        }
        analysis.stride(a, 16);
        assert_eq!(offsets(&analysis, a), [0, 4]);
        analysis.stride(a, 6);
        assert_eq!(analysis.modulus(a), 2);
    }

    #[test]
    fn a_pointer_to_two_places_of_an_object_makes_it_an_array() {
        let mut analysis = PointsTo::default();
        let a = analysis.fresh();
        analysis.unify(a, a.plus(12));
        assert_eq!(analysis.modulus(a), 12);
    }

    #[test]
    fn pointees_of_merged_fields_are_merged() {
        let mut analysis = PointsTo::default();
        let (a, b, x, y) = (analysis.fresh(), analysis.fresh(), analysis.fresh(), analysis.fresh());
        analysis.access(a, 8, Type::Bv(64));
        analysis.access(b, 8, Type::Bv(64));
        analysis.store(a, 8, x);
        analysis.store(b, 8, y);
        analysis.unify(a, b);
        assert_eq!(analysis.find(x), analysis.find(y));
    }

    #[test]
    fn bytes_of_a_pointer_carry_it() {
        let mut analysis = PointsTo::default();
        let (a, x) = (analysis.fresh(), analysis.fresh());
        analysis.access(a, 8, Type::Bv(64));
        analysis.store(a, 8, x);
        assert!(analysis.load(a.plus(3), 1).is_some());
        assert!(analysis.load(a.plus(8), 1).is_none());
    }
}
