//! Callees of pointers: which functions a pointer may lead to, more finely than the points-to analysis.
//!
//! The points-to analysis unifies everything that is ever in the same place, and so the functions of a table whose
//! index is not known: wherever one of them is found, all are. Here sets of functions flow forwards only, along what
//! the program does with them: from the mention of a function, through values, cells and memory, to calls. Elements of
//! a table that is never written are read from the table where the index is known.
//!
//! Operations on functions that are not followed (arithmetic on them, parts of them, memory of other code) may yield
//! anything that the points-to analysis allows. Each call is checked to lead to one of its candidates, so that a missed
//! candidate is never part of a proof.

use crate::analyse::flow::{candidates, operand_ptr};
use crate::analyse::points_to::{Key, NodeId, PointsTo, Ptr};
use crate::analyse::promote::Object;
use crate::analyse::scope::Scope;
use crate::analyse::shape::pieces;
use crate::instruction::{callee, operand_type, range_call};
use beeline_module::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Functions; nothing where the result of the points-to analysis is taken.
type Functions = Option<BTreeSet<FnId>>;

/// A place that may hold functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Value(Key),
    /// Bytes of a node that was merged into no other, at an offset.
    Memory(NodeId, i64),
}

/// The functions that pointers may lead to.
pub(crate) struct Callees<'a> {
    scope: Scope<'a>,
    points: &'a PointsTo,
    kept: FxHashMap<Place, Functions>,
    /// The functions in the initial values of globals.
    initial: FxHashMap<(GlobalId, u64), FnId>,
    changed: bool,
}

impl<'a> Callees<'a> {
    /// Follows the functions of a program.
    pub(crate) fn new(scope: Scope<'a>, points: &'a PointsTo) -> Callees<'a> {
        let (kept, initial) = (FxHashMap::default(), FxHashMap::default());
        let mut callees = Callees { scope, points, kept, initial, changed: true };
        for &global in &scope.reach.globals {
            let data = &scope.module.globals[global];
            if let Some(init) = &data.init {
                callees.initial_value(global, data.ty, init);
            }
        }
        for given in scope.reach.callbacks.iter().chain([&scope.entry]) {
            for index in 0..scope.module.functions[*given].params.len() {
                callees.add(Place::Value(Key::Param(*given, index as u32)), None);
            }
        }
        // A single function needs no distinction.
        while scope.reach.address_taken.len() > 1 && std::mem::take(&mut callees.changed) {
            for &id in &scope.reach.functions {
                callees.function(id);
            }
        }
        callees
    }

    /// The functions that a call may call, and whether that is a guess, as [`candidates`].
    pub(crate) fn of(&self, id: FnId, call: &CallInst) -> (Vec<FnId>, bool) {
        let known = self.met(id, call);
        if known.is_empty() { candidates(self.scope, self.points, id, call) } else { (known, false) }
    }

    /// The functions that were found so far for a call.
    fn met(&self, id: FnId, call: &CallInst) -> Vec<FnId> {
        let (mut found, _) = candidates(self.scope, self.points, id, call);
        if let Some(known) = self.operand(id, &call.callee) {
            found.retain(|function| known.contains(function));
        }
        found
    }

    fn initial_value(&mut self, global: GlobalId, ty: TyId, constant: &Const) {
        for (offset, _, piece) in pieces(self.scope.module, ty, constant) {
            if let Const::Func(function) = piece {
                self.initial.insert((global, offset), *function);
            }
            for place in self.written(Object::Global(global), offset) {
                self.add(place, of_constant(piece));
            }
        }
    }

    /// The places that a write to an object sets.
    fn written(&self, object: Object, offset: u64) -> Vec<Place> {
        match self.scope.promotion.cells(object) {
            Some(_) => vec![Place::Value(Key::Cell(object, offset))],
            None => {
                let base = self.points.known_object(object);
                base.map(|base| self.memory(base.plus(offset as i64))).into_iter().collect()
            }
        }
    }

    fn memory(&self, at: Ptr) -> Place {
        let at = self.points.find(at);
        Place::Memory(at.node, at.offset)
    }

    /// Adds functions to those that a place may hold.
    fn add(&mut self, place: Place, functions: Functions) {
        let known = self.kept.entry(place).or_insert_with(|| Some(BTreeSet::new()));
        match (known.as_mut(), functions) {
            (None, _) => {}
            (Some(_), None) => {
                *known = None;
                self.changed = true;
            }
            (Some(known), Some(more)) => {
                let before = known.len();
                known.extend(more);
                self.changed |= known.len() > before;
            }
        }
    }

    fn at(&self, place: Place) -> Functions {
        self.kept.get(&place).map_or_else(|| Some(BTreeSet::new()), Functions::clone)
    }

    fn operand(&self, id: FnId, operand: &Operand) -> Functions {
        match operand {
            Operand::Const(_, constant) => of_constant(constant),
            Operand::Inst(inst) => self.at(Place::Value(Key::Inst(id, *inst))),
            Operand::Param(index) => self.at(Place::Value(Key::Param(id, *index))),
            Operand::Other(_) => None,
        }
    }

    fn function(&mut self, id: FnId) {
        let function = &self.scope.module.functions[id];
        if (self.scope.is_leaf)(&function.name) || function.is_declaration() {
            return;
        }
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            self.inst(id, *inst, &function.insts[*inst]);
        }
    }

    fn inst(&mut self, id: FnId, inst: InstId, data: &Inst) {
        let found = match &data.kind {
            InstKind::Load { addr, .. } => self.load(id, addr, data.ty),
            InstKind::Store { addr, value } => return self.store(id, addr, value, true),
            InstKind::Cast(CastKind::IntToPtr | CastKind::PtrToInt, operand) | InstKind::Freeze(operand) => {
                self.operand(id, operand)
            }
            InstKind::Select(_, a, b) => joined([self.operand(id, a), self.operand(id, b)]),
            InstKind::Phi(incoming) => joined(incoming.iter().map(|(_, operand)| self.operand(id, operand))),
            InstKind::Gep { base, .. } => computed(self.operand(id, base)),
            InstKind::Binary(_, a, b) => computed(joined([self.operand(id, a), self.operand(id, b)])),
            InstKind::CmpXchg { addr, new, .. } => {
                self.store(id, addr, new, true);
                None
            }
            InstKind::AtomicRmw { op, addr, value } => {
                self.store(id, addr, value, *op == RmwOp::Xchg);
                None
            }
            InstKind::Ret(Some(operand)) => {
                return self.add(Place::Value(Key::Ret(id)), self.operand(id, operand));
            }
            InstKind::Call(call) => return self.call(id, inst, call),
            _ => None,
        };
        self.add(Place::Value(Key::Inst(id, inst)), found);
    }

    /// Whether a type has exactly the size of a pointer to a function.
    fn is_word(&self, ty: TyId) -> bool {
        let module = self.scope.module;
        let is_scalar = matches!(module.kind(ty), TyKind::Ptr | TyKind::Int(_));
        is_scalar && module.types[ty].store_size == u64::from(module.pointer_width / 8)
    }

    fn load(&self, id: FnId, addr: &Operand, ty: TyId) -> Functions {
        if !self.is_word(ty) {
            return None;
        }
        if let Some((Object::Global(global), offset)) = self.scope.promotion.base(id, addr)
            && self.scope.module.globals[global].constant
        {
            let function = u64::try_from(offset).ok().and_then(|at| self.initial.get(&(global, at)));
            return Some(function.copied().into_iter().collect());
        }
        match self.promoted(id, addr) {
            Some(cell) => self.at(cell),
            None => self.read(operand_ptr(self.points, id, addr)?),
        }
    }

    /// The functions that a read from memory may give; nothing where parts of it are written, or code that is not
    /// followed writes.
    fn read(&self, at: Ptr) -> Functions {
        let (at, word) = (self.points.find(at), i64::from(self.scope.module.pointer_width / 8));
        let modulus = self.points.modulus(at) as i64;
        let is_apart = |(offset, size): (i64, i64)| {
            let meets = |shift: i64| offset + shift < at.offset + word && at.offset < offset + shift + size;
            offset == at.offset && size == word || ![0, modulus, -modulus].into_iter().any(meets)
        };
        let root = Ptr { offset: 0, ..at };
        let mut accesses = self.points.accesses(root).map(|(offset, size, _)| (offset, size as i64));
        let others_write = self.points.traits(at).external;
        if others_write || modulus > 0 && modulus < word || !accesses.all(is_apart) {
            return None;
        }
        self.at(Place::Memory(at.node, at.offset))
    }

    /// The cell of a variable that an address is.
    fn promoted(&self, id: FnId, addr: &Operand) -> Option<Place> {
        let (object, offset) = self.scope.promotion.base(id, addr)?;
        self.scope.promotion.cells(object)?;
        Some(Place::Value(Key::Cell(object, u64::try_from(offset).ok()?)))
    }

    fn store(&mut self, id: FnId, addr: &Operand, value: &Operand, is_kept: bool) {
        let module = self.scope.module;
        let ty = operand_type(module, &module.functions[id], value);
        let is_word = ty.is_some_and(|ty| self.is_word(ty));
        let functions = if is_word && is_kept { self.operand(id, value) } else { None };
        let memory = || operand_ptr(self.points, id, addr).map(|at| self.memory(at));
        if let Some(place) = self.promoted(id, addr).or_else(memory) {
            self.add(place, functions);
        }
    }

    fn call(&mut self, id: FnId, inst: InstId, call: &CallInst) {
        let (module, result) = (self.scope.module, Place::Value(Key::Inst(id, inst)));
        let named = callee(module, call);
        if let Some((to, from)) =
            named.and_then(|(_, function)| range_call(function)).and(call.args.first().zip(call.args.get(1)))
        {
            self.copied(id, to, from);
            return self.add(result, None);
        }
        if call.asm.is_some() {
            return self.add(result, None);
        }
        for target in self.met(id, call) {
            let function = &module.functions[target];
            if function.is_declaration() || (self.scope.is_leaf)(&function.name) {
                self.add(result, None);
                continue;
            }
            let fits = call.args.len() >= function.params.len();
            for index in 0..function.params.len() {
                let given = call.args.get(index).filter(|_| fits);
                let given = given.and_then(|arg| self.operand(id, arg));
                self.add(Place::Value(Key::Param(target, index as u32)), given);
            }
            self.add(result, self.at(Place::Value(Key::Ret(target))));
        }
    }

    /// A copy of memory: both sides are one node already. What cells get or give is not followed.
    fn copied(&mut self, id: FnId, to: &Operand, from: &Operand) {
        let cells = |addr| {
            let (object, _) = self.scope.promotion.base(id, addr)?;
            Some((object, self.scope.promotion.cells(object)?))
        };
        let memory = |addr| {
            let at = self.points.find(operand_ptr(self.points, id, addr)?);
            Some((at.node, self.points.accesses(Ptr { offset: 0, ..at })))
        };
        if cells(to).is_none() && cells(from).is_none() {
            return;
        }
        let mut places = Vec::new();
        for addr in [to, from] {
            if let Some((object, cells)) = cells(addr) {
                places.extend(cells.iter().map(|cell| Place::Value(Key::Cell(object, cell.offset))));
            } else if let Some((node, accesses)) = memory(addr) {
                places.extend(accesses.map(|(offset, ..)| Place::Memory(node, offset)));
            }
        }
        places.into_iter().for_each(|place| self.add(place, None));
    }
}

/// The result of arithmetic on functions, which is not followed.
fn computed(from: Functions) -> Functions {
    from.filter(BTreeSet::is_empty)
}

fn joined(all: impl IntoIterator<Item = Functions>) -> Functions {
    all.into_iter().try_fold(BTreeSet::new(), |mut known, more| {
        known.extend(more?);
        Some(known)
    })
}

fn of_constant(constant: &Const) -> Functions {
    match constant {
        Const::Func(function) => Some(BTreeSet::from([*function])),
        Const::Int(_) | Const::Zero | Const::Global(..) => Some(BTreeSet::new()),
        _ => None,
    }
}
