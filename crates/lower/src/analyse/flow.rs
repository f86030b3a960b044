//! Flow of pointers through the program: applies the instructions to the points-to analysis until nothing changes.

mod call;

use crate::analyse::convention::fits;
use crate::analyse::points_to::{Key, NodeTraits, PointsTo, Ptr};
use crate::analyse::promote::Object;
use crate::analyse::reach::Givers;
use crate::analyse::scope::Scope;
use crate::analyse::shape::{Leaf, leaves, pieces};
use crate::instruction::operand_type;
use crate::instruction::{callee, constant_i64};
use crate::libc::{self, Effect};
use beeline_ir::Type;
use beeline_module::*;
use std::collections::BTreeSet;

/// Runs the analysis.
pub(crate) fn analyse(scope: Scope) -> PointsTo {
    let mut flow = Flow {
        scope,
        points: PointsTo::default(),
        outside: None,
        world: None,
        exposed: None,
        filled: Vec::new(),
    };
    flow.initial();
    flow.meet_world();
    loop {
        flow.filled.clear();
        for &id in &scope.reach.functions {
            flow.function(id);
        }
        if !flow.points.take_changed() {
            flow.points.mark_external_pointees(&flow.filled);
            return flow.points;
        }
    }
}

/// The functions that a call may call: the one it names, those its pointer may point to, or, when nothing is known of
/// the pointer, all that have a fitting type. The flag says whether it was a guess.
pub(crate) fn candidates(scope: Scope, points: &PointsTo, id: FnId, call: &CallInst) -> (Vec<FnId>, bool) {
    if let Some((callee, _)) = callee(scope.module, call) {
        return (vec![callee], false);
    }
    let known = pointees(points, id, &call.callee);
    if !known.is_empty() {
        return (known, false);
    }
    let fits = |function: &FnId| fits(scope.module, call, &scope.module.functions[*function]);
    (scope.reach.address_taken.iter().copied().filter(fits).collect(), true)
}

/// The functions that an operand may point to.
pub(crate) fn pointees(points: &PointsTo, id: FnId, operand: &Operand) -> Vec<FnId> {
    operand_ptr(points, id, operand).map_or(Vec::new(), |ptr| points.functions_of(ptr))
}

/// The function that an operand names, or those that it may point to, if it leads to no objects: a pointer to an object
/// is hardly one to a function.
pub(crate) fn functions_only(points: &PointsTo, id: FnId, operand: &Operand) -> Vec<FnId> {
    if let Operand::Const(_, Const::Func(function)) = operand {
        return vec![*function];
    }
    let ptr = operand_ptr(points, id, operand);
    ptr.filter(|&ptr| points.objects_of(ptr).next().is_none())
        .map_or(Vec::new(), |ptr| points.functions_of(ptr))
}

/// Whether a function without a body may call its arguments.
pub(crate) fn may_call(name: &str) -> bool {
    let unknown = matches!(libc::effect(name), Effect::Unknown | Effect::Input) && !name.starts_with("llvm.");
    unknown || libc::calls_back(name)
}

/// The functions of the program that are arguments of a call.
pub(crate) fn given_functions(scope: Scope, points: &PointsTo, id: FnId, call: &CallInst) -> Vec<FnId> {
    let given = call.args.iter().flat_map(|arg| functions_only(points, id, arg));
    let defined = |function: &FnId| !scope.module.functions[*function].is_declaration();
    given.filter(defined).collect::<BTreeSet<FnId>>().into_iter().collect()
}

/// Which functions pass which ones to functions without a body, which may call these.
pub(crate) fn givers(scope: Scope, points: &PointsTo) -> Givers {
    let mut givers = Givers::default();
    for &id in &scope.reach.functions {
        for inst in scope.module.functions[id].insts.values() {
            let InstKind::Call(call) = &inst.kind else { continue };
            let called = callee(scope.module, call).map(|(_, called)| called);
            if called.is_some_and(|called| called.is_declaration() && may_call(&called.name)) {
                let given = given_functions(scope, points, id, call);
                givers.extend(given.into_iter().map(|given| (id, given)));
            }
        }
    }
    givers
}

/// The pointer that an operand holds, as far as it is known.
pub(crate) fn operand_ptr(points: &PointsTo, id: FnId, operand: &Operand) -> Option<Ptr> {
    match operand {
        Operand::Inst(inst) => points.value(Key::Inst(id, *inst)),
        Operand::Param(index) => points.value(Key::Param(id, *index)),
        Operand::Const(_, constant) => constant_ptr(points, constant),
        Operand::Other(_) => None,
    }
}

fn constant_ptr(points: &PointsTo, constant: &Const) -> Option<Ptr> {
    match constant {
        Const::Global(global, offset) => {
            let ptr = points.known_object(Object::Global(*global))?;
            Some(ptr.plus(*offset))
        }
        Const::Func(function) => points.known_function(*function),
        Const::Binary(_, a, b) => constant_ptr(points, a).or_else(|| constant_ptr(points, b)),
        Const::Resize { value, .. } => constant_ptr(points, value),
        Const::Aggregate(parts) => parts.iter().find_map(|(_, part)| constant_ptr(points, part)),
        _ => None,
    }
}

struct Flow<'a> {
    scope: Scope<'a>,
    points: PointsTo,
    /// The memory that the entry's parameters point to, and what pointers in it point to.
    outside: Option<(Ptr, Ptr)>,
    /// All memory that functions without a body can access.
    world: Option<Ptr>,
    /// The objects whose addresses the program uses as numbers, where a pointer is made of a number of unknown origin:
    /// it may point to any of them.
    exposed: Option<Ptr>,
    /// Memory that functions of the library without a body write, perhaps pointers to memory of their own.
    filled: Vec<Ptr>,
}

impl Flow<'_> {
    /// Objects, functions, initial values, and what the entry gets from outside.
    fn initial(&mut self) {
        let Scope { module, reach, promotion, entry, .. } = self.scope;
        for &function in &reach.address_taken {
            self.points.function(function);
        }
        for &global in &reach.globals {
            let (object, external) = (Object::Global(global), module.globals[global].init.is_none());
            let traits = NodeTraits { external, ..NodeTraits::default() };
            match promotion.cells(object) {
                None => {
                    let ptr = self.points.object(object);
                    self.points.mark(ptr, traits);
                }
                Some(cells) if external => {
                    for cell in cells.iter().filter(|cell| cell.size == u64::from(module.pointer_width / 8)) {
                        let ptr = self.points.value_or_fresh(Key::Cell(object, cell.offset));
                        self.points.mark(ptr, traits);
                    }
                }
                Some(_) => {}
            }
        }
        for &global in &reach.globals {
            if let Some(init) = &module.globals[global].init {
                self.initial_value(Object::Global(global), module.globals[global].ty, init);
            }
        }
        // Pointers from outside may alias each other, those in memory as well; but the strings of `main` are not the
        // array of pointers to them.
        if let TyKind::Func(_, params, _) = module.kind(module.functions[entry].ty) {
            for (index, ty) in params.iter().enumerate() {
                if matches!(module.kind(*ty), TyKind::Ptr) {
                    let (ptr, _) = self.outside();
                    self.points.set(Key::Param(entry, index as u32), ptr);
                }
            }
        }
    }

    /// Unifies the memory that functions without a body can access: all of it may point to all of it.
    fn meet_world(&mut self) {
        let Scope { module, reach, promotion, .. } = self.scope;
        if reach.havoc.is_empty() {
            return;
        }
        let world = self.points.fresh();
        self.points.mark(world, NodeTraits { external: true, ..NodeTraits::default() });
        self.points.stride(world, 1);
        self.points.store(world, u64::from(module.pointer_width / 8), world);
        self.world = Some(world);
        self.points.set(Key::World, world);
        for &global in &reach.globals {
            let data = &module.globals[global];
            if data.exported && !data.constant && promotion.cells(Object::Global(global)).is_none() {
                let object = self.points.object(Object::Global(global));
                self.points.unify(object, world);
            }
        }
        for &callback in &reach.callbacks {
            let function = self.points.function(callback);
            self.points.unify(function, world);
            for index in 0..module.functions[callback].params.len() {
                self.points.set(Key::Param(callback, index as u32), world);
            }
            self.points.set(Key::Ret(callback), world);
        }
    }

    /// A call of a function without a body: its arguments become known to the world.
    fn known_to_world(&mut self, id: FnId, inst: InstId, data: &Inst, call: &CallInst, world: Ptr) {
        let module = self.scope.module;
        let is_pointer = |ty: TyId| matches!(module.kind(ty), TyKind::Ptr);
        for (index, arg) in call.args.iter().enumerate() {
            let ty = operand_type(module, &module.functions[id], arg);
            if let Some(passed) = call.byval.get(index).copied().flatten() {
                // It gets a copy, and what the copy points to.
                self.contents_known_to_world(id, arg, passed, world);
                continue;
            }
            match (self.operand(id, arg), arg) {
                (Some(ptr), _) => self.points.unify(ptr, world),
                (None, Operand::Inst(source)) if ty.is_some_and(is_pointer) => {
                    self.points.set(Key::Inst(id, *source), world);
                }
                _ => {}
            }
        }
        if is_pointer(data.ty) {
            self.points.set(Key::Inst(id, inst), world);
        }
    }

    fn contents_known_to_world(&mut self, id: FnId, arg: &Operand, ty: TyId, world: Ptr) {
        let Some(ptr) = self.operand(id, arg) else { return };
        for leaf in leaves(self.scope.module, ty).unwrap_or_default() {
            if let Some(pointee) = self.points.load(ptr.plus(leaf.offset as i64), leaf.size) {
                self.points.unify(pointee, world);
            }
        }
    }

    fn outside(&mut self) -> (Ptr, Ptr) {
        if let Some(outside) = self.outside {
            return outside;
        }
        let first = self.points.fresh();
        let main = self.scope.module.functions[self.scope.entry].name == "main";
        let behind = if main { self.points.fresh() } else { first };
        for ptr in [first, behind] {
            self.points.mark(ptr, NodeTraits { external: true, given: true, ..NodeTraits::default() });
        }
        self.outside = Some((first, behind));
        (first, behind)
    }

    /// The pointee of a pointer at a place in memory.
    fn pointee(&mut self, at: Ptr, size: u64) -> Ptr {
        let Some((first, behind)) = self.outside else { return self.points.load_or_fresh(at, size) };
        let node = self.points.find(at).node;
        if [first, behind].into_iter().any(|outside| self.points.find(outside).node == node) {
            self.points.store(at, size, behind);
        }
        self.points.load_or_fresh(at, size)
    }

    fn initial_value(&mut self, object: Object, ty: TyId, constant: &Const) {
        let module = self.scope.module;
        for (offset, ty, piece) in pieces(module, ty, constant) {
            if let Some(pointee) = self.constant(piece) {
                self.write(object, offset, module.types[ty].store_size, pointee);
            }
        }
    }

    /// Bytes of an object may point somewhere.
    fn write(&mut self, object: Object, offset: u64, size: u64, pointee: Ptr) {
        match self.scope.promotion.cells(object) {
            Some(cells) => {
                for cell in cells
                    .iter()
                    .filter(|cell| cell.offset < offset + size && offset < cell.offset + cell.size)
                {
                    self.points.set(Key::Cell(object, cell.offset), pointee);
                }
            }
            None => {
                let ptr = self.points.object(object);
                self.points.store(ptr.plus(offset as i64), size, pointee);
            }
        }
    }

    /// The pointer that a constant holds; pointers that it computes with are merged.
    fn constant(&mut self, constant: &Const) -> Option<Ptr> {
        match constant {
            Const::Global(global, offset) => {
                if self.scope.promotion.cells(Object::Global(*global)).is_some() {
                    return None;
                }
                Some(self.points.object(Object::Global(*global)).plus(*offset))
            }
            Const::Func(function) => Some(self.points.function(*function)),
            Const::Binary(_, a, b) => {
                let (a, b) = (self.constant(a), self.constant(b));
                if let (Some(a), Some(b)) = (a, b) {
                    self.points.unify(a, b);
                }
                let ptr = a.or(b)?;
                self.points.stride(ptr, 1);
                Some(ptr)
            }
            Const::Resize { value, .. } => self.constant(value),
            Const::Aggregate(parts) => {
                let found: Vec<Ptr> = parts.iter().filter_map(|(_, part)| self.constant(part)).collect();
                for pair in found.windows(2) {
                    self.points.unify(pair[0], pair[1]);
                }
                found.first().copied()
            }
            _ => None,
        }
    }

    fn operand(&mut self, id: FnId, operand: &Operand) -> Option<Ptr> {
        match operand {
            Operand::Const(_, constant) => self.constant(constant),
            _ => operand_ptr(&self.points, id, operand),
        }
    }

    fn function(&mut self, id: FnId) {
        let module = self.scope.module;
        let function = &module.functions[id];
        if (self.scope.is_leaf)(&function.name) || function.is_declaration() {
            return;
        }
        for block in function.blocks.values() {
            for &inst in &block.insts {
                self.inst(id, inst, &function.insts[inst]);
            }
        }
    }

    /// Records that the result of an instruction may be the value of an operand.
    fn flows(&mut self, id: FnId, inst: InstId, operand: &Operand) {
        if let Some(ptr) = self.operand(id, operand) {
            self.points.set(Key::Inst(id, inst), ptr);
        } else if let Some(ptr) = self.points.value(Key::Inst(id, inst)) {
            // Backwards as well: the operand's source may be found later, and it is the same value.
            match operand {
                Operand::Inst(source) => self.points.set(Key::Inst(id, *source), ptr),
                Operand::Param(index) => self.points.set(Key::Param(id, *index), ptr),
                _ => {}
            }
        }
    }

    fn inst(&mut self, id: FnId, inst: InstId, data: &Inst) {
        let key = Key::Inst(id, inst);
        match &data.kind {
            InstKind::Alloca { .. } => {
                let object = Object::Alloca(id, inst);
                if self.scope.promotion.cells(object).is_none() {
                    let ptr = self.points.object(object);
                    self.points.set(key, ptr);
                }
            }
            InstKind::Load { addr, .. } => self.load(id, Some(inst), addr, data.ty),
            InstKind::Store { addr, value } => self.store(id, addr, value),
            InstKind::Gep { base, offset, steps } => self.gep(id, key, base, *offset, steps),
            InstKind::Cast(CastKind::IntToPtr, operand) => self.int_to_ptr(id, inst, operand),
            InstKind::Cast(CastKind::PtrToInt, operand) => self.ptr_to_int(id, inst, operand),
            InstKind::Cast(_, operand) | InstKind::Freeze(operand) | InstKind::ExtractValue(operand, _) => {
                self.flows(id, inst, operand);
            }
            InstKind::Binary(op, a, b) => self.binary(id, inst, *op, a, b),
            InstKind::Select(_, a, b)
            | InstKind::InsertValue(a, b, _)
            | InstKind::InsertElement(a, b, _)
            | InstKind::ShuffleVector(a, b, _) => {
                self.flows(id, inst, a);
                self.flows(id, inst, b);
            }
            InstKind::ExtractElement(a, _) => self.flows(id, inst, a),
            InstKind::Phi(incoming) => incoming.iter().for_each(|(_, operand)| self.flows(id, inst, operand)),
            InstKind::CmpXchg { addr, new, .. } => self.compare_exchange(id, inst, addr, new),
            InstKind::AtomicRmw { op, addr, value } => {
                self.store(id, addr, value);
                self.load(id, Some(inst), addr, data.ty);
                // The result in memory is as far from the old value as the operand says.
                if let (Some(ptr), true) = (self.points.value(key), *op != RmwOp::Xchg) {
                    self.points.stride(ptr, constant_i64(value).map_or(1, i64::unsigned_abs));
                }
            }
            InstKind::VaArg { list } => {
                if let Some(ptr) = self.operand(id, list) {
                    self.points.set(key, ptr);
                }
            }
            InstKind::Ret(Some(operand)) => {
                if let Some(ptr) = self.operand(id, operand) {
                    self.points.set(Key::Ret(id), ptr);
                }
            }
            InstKind::Call(call) => self.call(id, inst, data, call),
            _ => {}
        }
    }

    /// The number of a pointer leads where the pointer does, and any number may lead there.
    fn ptr_to_int(&mut self, id: FnId, inst: InstId, operand: &Operand) {
        self.flows(id, inst, operand);
        if let (Some(exposed), Some(ptr)) = (self.exposed, self.operand(id, operand)) {
            self.points.unify(exposed, ptr);
        }
    }

    /// A comparison and exchange stores the new value and loads the old one.
    fn compare_exchange(&mut self, id: FnId, inst: InstId, addr: &Operand, new: &Operand) {
        self.store(id, addr, new);
        let ty = operand_type(self.scope.module, &self.scope.module.functions[id], new);
        if let Some(ty) = ty {
            self.load(id, Some(inst), addr, ty);
        }
    }

    /// The two pointers whose difference an operand is.
    fn difference(&mut self, id: FnId, operand: &Operand) -> Option<(Ptr, Ptr)> {
        let Operand::Inst(inst) = operand else { return None };
        let module = self.scope.module;
        match &module.functions[id].insts[*inst].kind {
            InstKind::Binary(BinaryOp::Sub, a, b) => self.operand(id, a).zip(self.operand(id, b)),
            InstKind::Cast(_, operand) | InstKind::Freeze(operand) => self.difference(id, operand),
            _ => None,
        }
    }

    /// Arithmetic on what may be a pointer. The difference of two pointers is none, but may be added to a third.
    fn binary(&mut self, id: FnId, inst: InstId, op: BinaryOp, a: &Operand, b: &Operand) {
        let (x, y) = (self.operand(id, a), self.operand(id, b));
        if let (BinaryOp::Add, Some(ptr)) = (op, x.or(y))
            && let Some((from, to)) = self.difference(id, if x.is_some() { b } else { a })
        {
            self.points.unify(from, to);
            self.points.unify(from, ptr);
            return self.set_inexact(Key::Inst(id, inst), ptr, true);
        }
        match (op, x, y) {
            (BinaryOp::Sub, Some(_), Some(_)) | (_, None, None) => {}
            (BinaryOp::Add, Some(ptr), None) | (BinaryOp::Add, None, Some(ptr)) => {
                let number = constant_i64(if x.is_some() { b } else { a });
                let ptr = match number {
                    Some(bytes) => ptr.plus(bytes),
                    None => ptr,
                };
                self.set_inexact(Key::Inst(id, inst), ptr, number.is_none());
            }
            (_, ptr, other) => {
                if let (Some(ptr), Some(other)) = (ptr, other) {
                    self.points.unify(ptr, other);
                }
                if let Some(ptr) = ptr.or(other) {
                    self.set_inexact(Key::Inst(id, inst), ptr, true);
                }
            }
        }
    }

    /// An integer computed from a pointer; with an unknown offset, if it is made a pointer again.
    fn set_inexact(&mut self, key: Key, ptr: Ptr, unknown: bool) {
        if unknown {
            self.points.stride(ptr, 1);
        }
        self.points.set(key, ptr);
    }

    fn int_to_ptr(&mut self, id: FnId, inst: InstId, operand: &Operand) {
        self.flows(id, inst, operand);
        let constant = matches!(operand, Operand::Const(..));
        if self.points.value(Key::Inst(id, inst)).is_none() && !constant {
            let exposed = match self.exposed {
                Some(exposed) => exposed,
                None => self.points.fresh(),
            };
            self.exposed = Some(exposed);
            self.points.stride(exposed, 1);
            self.points.set(Key::Inst(id, inst), exposed);
            self.points.mark(exposed, NodeTraits { external: true, ..NodeTraits::default() });
        }
    }

    fn gep(&mut self, id: FnId, key: Key, base: &Operand, offset: i64, steps: &[GepStep]) {
        if self
            .scope
            .promotion
            .base(id, base)
            .is_some_and(|(object, _)| self.scope.promotion.cells(object).is_some())
        {
            return;
        }
        let Some(ptr) = self.operand(id, base) else { return };
        for step in steps {
            if step.scale > 0 {
                self.points.stride(ptr, step.scale);
            }
        }
        self.points.set(key, ptr.plus(offset));
    }

    /// The promoted object and offset that an address is.
    fn promoted(&self, id: FnId, addr: &Operand) -> Option<(Object, u64)> {
        let (object, offset) = self.scope.promotion.base(id, addr)?;
        self.scope.promotion.cells(object)?;
        Some((object, offset as u64))
    }

    fn is_pointer(&self, leaf: &Leaf, ty: TyId) -> bool {
        // A leaf of pointer width in an aggregate may be a pointer; a plain integer is one only if
        // something says so.
        let width = Type::Bv(self.scope.module.pointer_width);
        leaf.ty == width && !matches!(self.scope.module.kind(ty), TyKind::Int(_))
    }

    fn load(&mut self, id: FnId, result: Option<InstId>, addr: &Operand, ty: TyId) {
        let Some(list) = leaves(self.scope.module, ty) else { return };
        if let Some((object, offset)) = self.promoted(id, addr) {
            let cells = self.scope.promotion.cells(object).unwrap_or(&[]);
            for leaf in &list {
                let (start, end) = (offset + leaf.offset, offset + leaf.offset + leaf.size);
                for cell in cells.iter().filter(|cell| cell.offset < end && start < cell.offset + cell.size) {
                    if self.is_pointer(leaf, ty) {
                        self.points.value_or_fresh(Key::Cell(object, cell.offset));
                    }
                    if let Some(inst) = result {
                        self.points.link(Key::Cell(object, cell.offset), Key::Inst(id, inst));
                    }
                }
            }
            return;
        }
        let Some(ptr) = self.operand(id, addr) else { return };
        for leaf in &list {
            let at = ptr.plus(leaf.offset as i64);
            self.points.access(at, leaf.size, leaf.memory_type());
            let pointee = if self.is_pointer(leaf, ty) {
                Some(self.pointee(at, leaf.size))
            } else {
                self.points.load(at, leaf.size)
            };
            if let (Some(pointee), Some(inst)) = (pointee, result) {
                self.points.set(Key::Inst(id, inst), pointee);
            }
        }
    }

    fn store(&mut self, id: FnId, addr: &Operand, value: &Operand) {
        let module = self.scope.module;
        let Some(ty) = operand_type(module, &module.functions[id], value) else { return };
        let pointee = self.operand(id, value);
        let size = module.types[ty].store_size;
        if let Some((object, offset)) = self.promoted(id, addr) {
            if let Some(pointee) = pointee {
                self.write(object, offset, size, pointee);
            }
            return;
        }
        let Some(ptr) = self.operand(id, addr) else { return };
        for leaf in leaves(module, ty).unwrap_or_default() {
            let at = ptr.plus(leaf.offset as i64);
            self.points.access(at, leaf.size, leaf.memory_type());
            if let Some(pointee) = pointee {
                self.points.store(at, leaf.size, pointee);
            }
        }
    }
}
