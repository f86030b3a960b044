//! Flow of pointers through calls: into parameters and out of results, through variable arguments, and through what is
//! known of functions without a body.

use super::{Flow, candidates, functions_only, given_functions, may_call};
use crate::analyse::convention::{by_machine, extra_arguments, fits, slots, va_list_fields};
use crate::analyse::points_to::{Key, NodeTraits, Ptr};
use crate::analyse::promote::{Cell, Object};
use crate::analyse::scope::Scope;
use crate::instruction::{RangeKind, assembly_words, callee, constant_u64, is_hint, range_call};
use crate::libc::{self, Allocation, Effect};
use beeline_ir::Type;
use beeline_module::*;

impl Flow<'_> {
    pub(super) fn call(&mut self, id: FnId, inst: InstId, data: &Inst, call: &CallInst) {
        let module = self.scope.module;
        if let Some(Assembly { text, .. }) = &call.asm {
            self.named_by_assembly(text);
            return self.assembly(id, inst, data, call, text.trim().is_empty());
        }
        let named = callee(module, call);
        if let Some((_, function)) = named {
            if is_hint(&function.name) {
                return;
            }
            if let (Some(kind), [to, from, size, ..]) = (range_call(function), call.args.as_slice()) {
                self.range(id, kind, to, from, constant_u64(size));
                let returned = matches!(module.kind(data.ty), TyKind::Ptr);
                if let Some(ptr) = self.operand(id, to).filter(|_| returned) {
                    self.points.set(Key::Inst(id, inst), ptr);
                }
                return;
            }
        }
        let (targets, _) = candidates(self.scope, &self.points, id, call);
        for &target in &targets {
            let function = &module.functions[target];
            if let (Some(world), true) = (self.world, self.scope.reach.havoc.contains(&target)) {
                self.known_to_world(id, inst, data, call, world);
                continue;
            }
            if function.is_declaration() || (self.scope.is_leaf)(&function.name) {
                self.external(id, inst, data, call, &function.name);
                continue;
            }
            let given = if named.is_some() || fits(module, call, function) {
                (0..function.params.len().min(call.args.len())).map(Some).collect()
            } else {
                by_machine(module, &module.functions[id], call, function).unwrap_or_default()
            };
            for (index, arg) in given.into_iter().enumerate() {
                let Some(arg) = arg.and_then(|at| call.args.get(at)) else { continue };
                let param = Key::Param(target, index as u32);
                if let Some(ptr) = self.operand(id, arg) {
                    self.points.set(param, ptr);
                } else if let (Some(ptr), Operand::Inst(source)) = (self.points.value(param), arg) {
                    self.points.set(Key::Inst(id, *source), ptr);
                }
            }
            self.points.link(Key::Ret(target), Key::Inst(id, inst));
        }
        self.variable_arguments(id, &targets, call);
        if named.is_none() && matches!(module.kind(data.ty), TyKind::Ptr) {
            self.points.value_or_fresh(Key::Inst(id, inst));
        }
    }

    /// A result of assembly may be any argument; without text it is one of them.
    fn assembly(&mut self, id: FnId, inst: InstId, data: &Inst, call: &CallInst, trivial: bool) {
        let key = Key::Inst(id, inst);
        let is_pointer = matches!(self.scope.module.kind(data.ty), TyKind::Ptr);
        for arg in &call.args {
            if let Some(ptr) = self.operand(id, arg).filter(|_| trivial || is_pointer) {
                self.set_inexact(key, ptr, !trivial);
            }
        }
        if is_pointer && self.points.value(key).is_none() {
            let ptr = self.points.value_or_fresh(key);
            self.points.mark(ptr, NodeTraits { external: true, ..NodeTraits::default() });
        }
    }

    /// Variables that the text of assembly names may hold anything.
    fn named_by_assembly(&mut self, text: &str) {
        let Scope { module, reach, promotion, .. } = self.scope;
        let named = |id: &&GlobalId| assembly_words(text).any(|word| module.globals[**id].name == word);
        for object in reach.globals.iter().filter(named).copied().map(Object::Global) {
            let traits = NodeTraits { external: true, ..NodeTraits::default() };
            for cell in promotion.cells(object).unwrap_or(&[]) {
                if let Some(ptr) = self.points.value(Key::Cell(object, cell.offset)) {
                    self.points.mark(ptr, traits);
                }
            }
            if let Some(ptr) = self.points.known_object(object) {
                self.points.mark(ptr, traits);
            }
        }
    }

    /// Arguments beyond the parameters are put into memory, where any of the functions that may be called
    /// finds them.
    fn variable_arguments(&mut self, id: FnId, targets: &[FnId], call: &CallInst) {
        let module = self.scope.module;
        let function = &module.functions[id];
        let variadic = |target: &&FnId| {
            let callee = &module.functions[**target];
            !callee.is_declaration() && call.args.len() > callee.params.len()
        };
        let mut area = None;
        for &target in targets.iter().filter(variadic) {
            let fixed = module.functions[target].params.len();
            let given = extra_arguments(module, function, call, fixed);
            let known = self.points.value_or_fresh(Key::VarArgs(target));
            let area = *area.get_or_insert(known);
            self.points.unify(area, known);
            self.points.mark(area, NodeTraits { stack: true, ..NodeTraits::default() });
            self.points.stride(area, 1);
            for slot in slots(module.pointer_width, &given) {
                self.points.access(area.plus(slot.offset as i64), slot.size, slot.memory_type());
            }
            for (arg, extra) in call.args.iter().skip(fixed).zip(&given) {
                let Some(ptr) = self.operand(id, arg) else { continue };
                if !extra.by_value {
                    self.points.store(area, u64::from(module.pointer_width / 8), ptr);
                    continue;
                }
                for leaf in &extra.leaves {
                    let at = ptr.plus(leaf.offset as i64);
                    self.points.access(at, leaf.size, leaf.memory_type());
                    if let Some(pointee) = self.points.load(at, leaf.size) {
                        self.points.store(area, leaf.size, pointee);
                    }
                }
            }
        }
    }

    fn external(&mut self, id: FnId, inst: InstId, data: &Inst, call: &CallInst, name: &str) {
        let key = Key::Inst(id, inst);
        match libc::effect(name) {
            Effect::Allocate(_) | Effect::Reallocate if self.scope.is_heap_object(id, inst) => {
                let ptr = self.points.object(Object::Heap(id, inst));
                self.points.set(key, ptr);
                if let (Effect::Reallocate, Some(arg)) = (libc::effect(name), call.args.first())
                    && let Some(old) = self.operand(id, arg)
                {
                    self.points.unify(old, ptr);
                }
            }
            Effect::Allocate(kind) => {
                let ptr = self.points.value_or_fresh(key);
                let stack = kind == Allocation::Stack;
                self.points.mark(ptr, NodeTraits { heap: !stack, stack, ..NodeTraits::default() });
            }
            Effect::Reallocate => {
                let ptr = self.points.value_or_fresh(key);
                self.points.mark(ptr, NodeTraits { heap: true, ..NodeTraits::default() });
                if let Some(old) = call.args.first().and_then(|arg| self.operand(id, arg)) {
                    self.points.unify(old, ptr);
                }
            }
            Effect::VaStart => {
                if let Some(list) = call.args.first().and_then(|arg| self.operand(id, arg)) {
                    self.start_list(id, list);
                }
            }
            Effect::VaCopy => {
                if let [to, from, ..] = call.args.as_slice() {
                    self.copy_list(id, to, from);
                }
            }
            _ if name.starts_with("llvm.") && !matches!(self.scope.module.kind(data.ty), TyKind::Void) => {
                self.intrinsic(id, inst, call, name);
            }
            _ => self.of_unknown_effect(id, inst, data, call, name),
        }
    }

    /// `va_start` makes a list lead to the variable arguments of its function.
    fn start_list(&mut self, id: FnId, list: Ptr) {
        let area = self.points.value_or_fresh(Key::VarArgs(id));
        self.points.mark(area, NodeTraits { stack: true, ..NodeTraits::default() });
        self.points.stride(area, 1);
        for (offset, size, value) in va_list_fields(self.scope.module.pointer_width) {
            let at = list.plus(offset as i64);
            self.points.access(at, size, Type::Bv(size as u32 * 8));
            if value.is_none() {
                self.points.store(at, size, area);
            }
        }
    }

    /// A function without a body returns its argument or a pointer from outside, and may call what it is given.
    fn of_unknown_effect(&mut self, id: FnId, inst: InstId, data: &Inst, call: &CallInst, name: &str) {
        let key = Key::Inst(id, inst);
        if libc::returns_its_argument(name)
            && let Some(ptr) = call.args.first().and_then(|arg| self.operand(id, arg))
        {
            self.points.stride(ptr, 1);
            self.points.set(key, ptr);
        } else if matches!(self.scope.module.kind(data.ty), TyKind::Ptr) {
            let ptr = self.points.value_or_fresh(key);
            self.points.mark(ptr, NodeTraits { external: true, ..NodeTraits::default() });
        }
        if let Effect::GuessInto(first) = libc::effect(name) {
            for arg in call.args.iter().skip(first) {
                let written = self.operand(id, arg);
                self.filled.extend(written);
            }
        }
        if may_call(name) {
            self.given(id, call);
        }
    }

    /// A function without a body calls the functions among its arguments, with pointers from its arguments or of its
    /// own.
    fn given(&mut self, id: FnId, call: &CallInst) {
        let Scope { module, .. } = self.scope;
        let is_pointer = |ty: TyId| {
            matches!(module.kind(ty), TyKind::Ptr)
                || matches!(module.kind(ty), TyKind::Int(width) if *width == module.pointer_width)
        };
        for callback in given_functions(self.scope, &self.points, id, call) {
            let TyKind::Func(_, params, _) = module.kind(module.functions[callback].ty) else { continue };
            for (index, _) in params.iter().enumerate().filter(|(_, ty)| is_pointer(**ty)) {
                let param = self.points.value_or_fresh(Key::Param(callback, index as u32));
                self.points.mark(param, NodeTraits { external: true, ..NodeTraits::default() });
                for arg in &call.args {
                    if !functions_only(&self.points, id, arg).is_empty() {
                        continue;
                    }
                    if let Some(ptr) = self.operand(id, arg) {
                        self.points.unify(param, ptr);
                    }
                }
            }
        }
    }

    /// An intrinsic returns one of its arguments, a number computed from them that may become a pointer again, or
    /// something that is no pointer.
    fn intrinsic(&mut self, id: FnId, inst: InstId, call: &CallInst, name: &str) {
        let short = name.trim_start_matches("llvm.");
        let is = |names: &[&str]| names.iter().any(|name| short.starts_with(name));
        if is(&["ctpop", "ctlz", "cttz", "objectsize", "is.constant"]) {
            return;
        }
        if is(&["load.relative"])
            && let Some(table) = call.args.first().and_then(|arg| self.operand(id, arg))
        {
            // The entries are distances from the table: it is unified with their pointees.
            self.points.stride(table, 1);
            self.points.access(table, 4, Type::Bv(32));
        }
        let same = is(&["expect", "launder.", "strip.", "ssa.copy", "annotation", "ptr.annotation", "umin"])
            || is(&["umax", "smin", "smax"]);
        for arg in &call.args {
            if let Some(ptr) = self.operand(id, arg) {
                self.set_inexact(Key::Inst(id, inst), ptr, !same);
            }
        }
    }

    /// A list of variable arguments is copied field by field.
    fn copy_list(&mut self, id: FnId, to: &Operand, from: &Operand) {
        let fields = va_list_fields(self.scope.module.pointer_width);
        let size = fields.iter().map(|(offset, size, _)| offset + size).max();
        self.range(id, RangeKind::Copy, to, from, size);
        for list in [to, from] {
            let Some(list) = self.operand(id, list) else { continue };
            for &(offset, size, _) in &fields {
                self.points.access(list.plus(offset as i64), size, Type::Bv(size as u32 * 8));
            }
        }
    }

    /// A copy unifies the two pieces of memory; a fill needs nothing but the cells that it fills.
    fn range(&mut self, id: FnId, kind: RangeKind, to: &Operand, from: &Operand, size: Option<u64>) {
        let (target, source) = (self.promoted(id, to), self.promoted(id, from));
        if kind == RangeKind::Fill {
            return;
        }
        let cells = |object: Object, at: u64, size: u64| {
            let cells = self.scope.promotion.cells(object).unwrap_or(&[]).to_vec();
            cells.into_iter().filter(move |cell| cell.offset >= at && cell.offset < at + size)
        };
        match (target, source, size) {
            (Some((to, at)), Some((from, start)), Some(size)) => {
                for cell in cells(to, at, size).collect::<Vec<_>>() {
                    self.points.link(Key::Cell(to, cell.offset), Key::Cell(from, cell.offset - at + start));
                }
            }
            (Some((object, at)), None, Some(size)) => {
                let Some(ptr) = self.operand(id, from) else { return };
                for cell in cells(object, at, size).collect::<Vec<_>>() {
                    self.cell_copy(object, cell, ptr.plus((cell.offset - at) as i64));
                }
            }
            (None, Some((object, at)), Some(size)) => {
                let Some(ptr) = self.operand(id, to) else { return };
                for cell in cells(object, at, size).collect::<Vec<_>>() {
                    self.cell_copy(object, cell, ptr.plus((cell.offset - at) as i64));
                }
            }
            _ => {
                if let (Some(to), Some(from)) = (self.operand(id, to), self.operand(id, from)) {
                    self.points.unify(to, from);
                }
            }
        }
    }

    /// A cell and memory hold the same.
    fn cell_copy(&mut self, object: Object, cell: Cell, at: Ptr) {
        self.points.access(at, cell.size, cell.ty);
        let key = Key::Cell(object, cell.offset);
        match (self.points.value(key), self.points.load(at, cell.size)) {
            (Some(known), _) => self.points.store(at, cell.size, known),
            (None, Some(pointee)) => self.points.set(key, pointee),
            (None, None) => {}
        }
    }
}
