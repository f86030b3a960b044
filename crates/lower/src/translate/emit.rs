//! Edges, pending values and variables.

use super::reads::Reads;
use super::{Body, Val};
use crate::analyse::promote::Object;
use crate::names::cell_name;
use beeline_ir::walk::PostOrder;
use beeline_ir::{Expr, ExprId, Op, Type, VarId};
use beeline_module::*;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Larger expressions are put into variables when they are used more than once.
const MANY_NODES: u32 = 24;
/// Larger expressions are put into variables in any case.
const TOO_MANY_NODES: u32 = 150;

impl Body<'_, '_> {
    /// The reads of an expression.
    pub(crate) fn reads(&mut self, root: ExprId) -> Rc<Reads> {
        let exprs = &self.cx.builder.program().exprs;
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(exprs, |id| self.cx.reads.contains_key(&id)) {
            let node = exprs[id];
            let operands = node.operands().map(|operand| &*self.cx.reads[&operand]);
            let reads = Reads::of(exprs, node, operands);
            self.cx.reads.insert(id, Rc::new(reads));
        }
        self.cx.reads[&root].clone()
    }

    /// Adds an edge, after saving pending values that it would change.
    pub(crate) fn emit(&mut self, op: Op) {
        let Some(current) = self.current else { return };
        let written = op.writes();
        let (region, everything) = match &op {
            Op::Store { region, .. } | Op::HavocRegion(region) => (Some(*region), false),
            Op::Call(_) => (None, true),
            _ => (None, false),
        };
        let effect = !matches!(op, Op::Assign(_) | Op::Havoc(..));
        for inst in self.pending.clone() {
            if self.left[inst] == 0 {
                continue;
            }
            let Some(val) = self.values.get(&inst).cloned() else { continue };
            let conflict = val.iter().any(|&leaf| {
                let reads = self.reads(leaf);
                let changed = |var: &VarId| {
                    written.contains(var)
                        || everything && self.cx.builder.program().vars[*var].owner.is_none()
                };
                reads.vars.iter().any(changed)
                    || reads.regions.iter().any(|read| everything || region == Some(*read))
                    || effect && reads.may_stick
            });
            if conflict {
                self.save(inst);
            }
        }
        self.pending.retain(|inst| self.left[*inst] > 0);
        let current = self.current.unwrap_or(current);
        let next = self.graph.node();
        self.graph.edge(current, next, op, self.span);
        self.current = Some(next);
    }

    /// Adds an edge that only sets a variable nothing pending reads.
    fn emit_plain(&mut self, op: Op) {
        if let Some(current) = self.current {
            let next = self.graph.node();
            self.graph.edge(current, next, op, self.span);
            self.current = Some(next);
        }
    }

    /// Puts a pending value into variables.
    fn save(&mut self, inst: InstId) {
        let Some(val) = self.values.get(&inst).cloned() else { return };
        let base = self.inst_name(inst);
        let mut saved = Val::new();
        for (index, &leaf) in val.iter().enumerate() {
            if self.is_stable(leaf) {
                saved.push(leaf);
                continue;
            }
            let name = if val.len() == 1 { base.clone() } else { format!("{base}.{index}") };
            let var = self.fresh(&name, self.cx.builder.program().exprs.ty(leaf));
            self.emit_plain(Op::assign(var, leaf));
            saved.push(self.read(var));
        }
        self.values.insert(inst, saved);
    }

    /// Whether this is a constant, or a variable that is set once for each execution of its block.
    fn is_stable(&self, leaf: ExprId) -> bool {
        match self.cx.builder.program().exprs[leaf] {
            Expr::Const(_) => true,
            Expr::Var(var) => {
                let global = self.cx.builder.program().vars[var].owner.is_none();
                !global && !self.cells.values().any(|cell| *cell == var) && Some(var) != self.ret
            }
            _ => false,
        }
    }

    /// A name for the value of an instruction.
    pub(crate) fn inst_name(&self, inst: InstId) -> String {
        let name = &self.function.insts[inst].name;
        match self.names_of.get(&inst) {
            Some(debug) => debug.clone(),
            None if name.is_empty() => "t".into(),
            None => name.clone(),
        }
    }

    /// Sets the value of an instruction.
    pub(crate) fn define(&mut self, inst: InstId, val: Val) {
        if self.left[inst] == 0 {
            return;
        }
        let size = val.iter().map(|&leaf| self.reads(leaf).size).max().unwrap_or(0);
        let many = size > TOO_MANY_NODES || size > MANY_NODES && self.uses.count[inst] > 1;
        self.values.insert(inst, val);
        if self.uses.elsewhere[inst] || many {
            self.save(inst);
        }
        self.pending.push(inst);
    }

    /// Sets the value of an instruction that has one leaf.
    pub(crate) fn define_scalar(&mut self, inst: InstId, leaf: ExprId) {
        self.define(inst, Val::from_slice(&[leaf]));
    }

    /// Assigns a variable.
    pub(crate) fn assign(&mut self, var: VarId, value: ExprId) {
        self.emit(Op::assign(var, value));
    }

    /// The value of a variable.
    pub(crate) fn read(&mut self, var: VarId) -> ExprId {
        let ty = self.cx.builder.program().vars[var].ty;
        self.cx.builder.exprs().var(var, ty)
    }

    /// A name that nothing else in scope has.
    fn unique(&mut self, base: &str) -> String {
        let base: String = base.chars().map(|c| if c.is_control() || c == '`' { '_' } else { c }).collect();
        let base = if base.is_empty() { "t".to_string() } else { base };
        loop {
            let count = self.names.entry(base.clone()).or_insert(0);
            *count += 1;
            let name = if *count == 1 { base.clone() } else { format!("{base}.{}", *count - 1) };
            let taken = *count > 1 && self.names.contains_key(&name);
            if !taken && !self.cx.global_names.contains(&name) {
                if name != base {
                    self.names.insert(name.clone(), 1);
                }
                return name;
            }
        }
    }

    /// A new local variable.
    pub(crate) fn fresh(&mut self, base: &str, ty: Type) -> VarId {
        let name = self.unique(base);
        self.cx.builder.local(self.func, &name, ty)
    }

    /// Gives parameters and promoted allocas their variables.
    pub(crate) fn bind_variables(&mut self) {
        let (shared_params, shared_ret) = (self.parameters_in_allocas(), self.result_alloca());
        let function = self.cx.builder.program().functions[self.func].clone();
        let names: FxHashMap<InstId, DebugVar> = self.function.allocas.iter().cloned().collect();
        let values: Vec<(u32, DebugVar)> = self
            .function
            .values
            .iter()
            .filter_map(|(operand, var)| match operand {
                Operand::Param(index) => Some((*index, var.clone())),
                _ => None,
            })
            .collect();
        for (index, &var) in function.params.iter().enumerate() {
            let alloca =
                shared_params.iter().find(|(param, _)| *param == index as u32).map(|(_, inst)| *inst);
            let debug = alloca
                .and_then(|inst| names.get(&inst).cloned())
                .or_else(|| values.iter().find(|value| value.0 == index as u32).map(|value| value.1.clone()));
            let old = self.cx.builder.program().vars[var].name.clone();
            let name = self.unique(debug.as_ref().map_or(&old, |debug| &debug.name));
            let source = debug.map(|debug| self.cx.source(&debug, "", debug.ty.clone()));
            let variable = &mut self.cx.builder.program_mut().vars[var];
            variable.name = name;
            variable.source = source;
            if let Some(inst) = alloca {
                self.cells.insert((Object::Alloca(self.id, inst), 0), var);
            }
        }
        self.unpack_parameters(&function.params);
        if let Some(ret) = function.ret {
            let name = self.unique("return");
            self.cx.builder.program_mut().vars[ret].name = name;
            if let Some(inst) = shared_ret {
                self.cells.insert((Object::Alloca(self.id, inst), 0), ret);
            }
        }
        self.bind_cells(&names);
    }

    /// Gives the cells of promoted allocas that have none yet their variables.
    fn bind_cells(&mut self, names: &FxHashMap<InstId, DebugVar>) {
        let insts: Vec<InstId> = self.function.insts.keys().collect();
        for inst in insts {
            let object = Object::Alloca(self.id, inst);
            let Some(cells) = self.cx.scope.promotion.cells(object) else { continue };
            for cell in cells.iter().copied() {
                if self.cells.contains_key(&(object, cell.offset)) {
                    continue;
                }
                let debug = names.get(&inst);
                let name = cell_name(debug, &self.function.insts[inst].name, &cell, cells.len());
                let var = self.fresh(&format!("{}{}", name.object, name.part), cell.ty);
                let source = debug.map(|debug| self.cx.source(debug, &name.part, name.ty));
                self.cx.builder.program_mut().vars[var].source = source;
                self.cells.insert((object, cell.offset), var);
            }
        }
    }

    /// The leaves of each parameter.
    fn unpack_parameters(&mut self, vars: &[VarId]) {
        let module = self.cx.scope.module;
        let Some((_, params, variadic)) = super::signature(module, self.function.ty) else { return };
        for (index, ty) in params.iter().enumerate() {
            let list = crate::analyse::shape::leaves(module, *ty).unwrap_or_default();
            let packed = self.read(vars[index]);
            let val = self.unpack(packed, &list);
            self.params.push(val);
        }
        if variadic {
            self.varargs = vars.last().copied();
        }
    }

    /// Parameters that are only stored to a promoted alloca of one cell: the cell is the parameter.
    fn parameters_in_allocas(&self) -> Vec<(u32, InstId)> {
        let mut uses: FxHashMap<u32, (u32, Option<InstId>)> = FxHashMap::default();
        let entry = BlockId::from_u32(0);
        for (block, data) in self.function.blocks.iter() {
            for &inst in &data.insts {
                let kind = &self.function.insts[inst].kind;
                for operand in crate::instruction::operands(kind) {
                    if let Operand::Param(index) = operand {
                        let entry_store = match kind {
                            InstKind::Store { addr: Operand::Inst(alloca), value } if value == operand => {
                                (block == entry).then_some(*alloca)
                            }
                            _ => None,
                        };
                        let known = uses.entry(*index).or_insert((0, None));
                        known.0 += 1;
                        known.1 = entry_store;
                    }
                }
            }
        }
        let module = self.cx.scope.module;
        let Some((_, params, _)) = super::signature(module, self.function.ty) else { return Vec::new() };
        let mut list: Vec<(u32, InstId)> = uses
            .into_iter()
            .filter_map(|(index, (count, alloca))| {
                let alloca = alloca.filter(|_| count == 1)?;
                let cells = self.cx.scope.promotion.cells(Object::Alloca(self.id, alloca))?;
                let ty = crate::analyse::shape::scalar(module, *params.get(index as usize)?)?;
                (cells.len() == 1 && cells[0].offset == 0 && cells[0].ty == ty).then_some((index, alloca))
            })
            .collect();
        list.sort();
        list.dedup_by_key(|entry| entry.1);
        list
    }

    /// The promoted alloca of one cell that is read only to be returned: the cell is the result.
    fn result_alloca(&self) -> Option<InstId> {
        let ret = self.cx.builder.program().vars[self.ret?].ty;
        let mut returned: Option<InstId> = None;
        for data in self.function.insts.values() {
            if let InstKind::Ret(Some(Operand::Inst(value))) = &data.kind {
                let InstKind::Load { addr: Operand::Inst(alloca), .. } = &self.function.insts[*value].kind
                else {
                    return None;
                };
                if returned.replace(*alloca).is_some_and(|other| other != *alloca)
                    || self.uses.count[*value] != 1
                {
                    return None;
                }
            }
        }
        let alloca = returned?;
        let named = self.function.allocas.iter().any(|(inst, _)| *inst == alloca);
        let read_elsewhere = self.function.insts.iter().any(|(inst, data)| {
            matches!(&data.kind, InstKind::Load { addr: Operand::Inst(addr), .. } if *addr == alloca)
                && !self.function.insts.values().any(
                    |user| matches!(&user.kind, InstKind::Ret(Some(Operand::Inst(value))) if *value == inst),
                )
        });
        let cells = self.cx.scope.promotion.cells(Object::Alloca(self.id, alloca))?;
        let fits = cells.len() == 1 && cells[0].offset == 0 && cells[0].ty == ret;
        (fits && !named && !read_elsewhere).then_some(alloca)
    }
}
