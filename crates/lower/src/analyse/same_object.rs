//! Pointers that are computed from one pointer, and so lead to one object.

use crate::analyse::cfg::is_in_cycle;
use crate::analyse::promote::Object;
use crate::analyse::scope::Scope;
use crate::instruction::{callee, is_hint, operand_type, operands};
use beeline_module::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The origin of a pointer, which is the same each time in one activation of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    /// The address of an object.
    Object(Object),
    /// A parameter.
    Param(u32),
    /// The result of an instruction that runs once at most in an activation.
    Inst(InstId),
}

/// The number of calls through which parameters are followed.
const CALLS: u32 = 3;

/// Whether two pointers, operands in one function, are computed from one pointer.
pub(crate) fn same_object(scope: Scope, id: FnId, a: &Operand, b: &Operand) -> bool {
    share_object(scope, id, a, b, CALLS)
}

fn share_object(scope: Scope, id: FnId, a: &Operand, b: &Operand, calls: u32) -> bool {
    let Some(roots) = roots(scope, id, &[a, b], CALLS) else { return false };
    let [first, rest @ ..] = &roots[..] else { return true };
    rest.iter().all(|other| match (first, other) {
        (Root::Param(first), Root::Param(other)) if calls > 0 => {
            callers_share(scope, id, *first, *other, calls)
        }
        _ => false,
    })
}

/// Whether all callers pass pointers for two parameters that are computed from one pointer.
fn callers_share(scope: Scope, id: FnId, first: u32, other: u32, calls: u32) -> bool {
    let reach = scope.reach;
    if id == scope.entry || reach.address_taken.contains(&id) || reach.callbacks.contains(&id) {
        return false;
    }
    let mut sites = reach.functions.iter().flat_map(|&caller| {
        let insts = scope.module.functions[caller].insts.values();
        insts.filter_map(move |inst| match &inst.kind {
            InstKind::Call(call) => Some((caller, call)),
            _ => None,
        })
    });
    sites.all(|(caller, call)| {
        let is_other = callee(scope.module, call).is_none_or(|(called, _)| called != id);
        is_other
            || match (call.args.get(first as usize), call.args.get(other as usize)) {
                (Some(a), Some(b)) => share_object(scope, caller, a, b, calls - 1),
                _ => false,
            }
    })
}

/// The origins of some operands in a function, if all of them are known.
fn roots(scope: Scope, id: FnId, operands: &[&Operand], calls: u32) -> Option<Vec<Root>> {
    let (seen, phis) = (FxHashSet::default(), FxHashSet::default());
    let mut search = Search { scope, id, calls, seen, phis, roots: BTreeSet::new() };
    let known = operands.iter().all(|operand| search.follow(operand));
    known.then(|| search.roots.into_iter().collect())
}

/// Collects the origins of pointers.
struct Search<'a> {
    scope: Scope<'a>,
    id: FnId,
    /// The number of calls that it may still follow.
    calls: u32,
    seen: FxHashSet<(Object, i64)>,
    phis: FxHashSet<InstId>,
    roots: BTreeSet<Root>,
}

impl Search<'_> {
    /// Adds the roots of an operand; returns whether they are all known.
    fn follow(&mut self, operand: &Operand) -> bool {
        match operand {
            Operand::Const(_, Const::Global(global, _)) => self.root(Root::Object(Object::Global(*global))),
            // Null leads to no object.
            Operand::Const(_, Const::Int(_) | Const::Zero) => true,
            Operand::Param(index) => self.root(Root::Param(*index)),
            Operand::Inst(inst) => self.inst(*inst),
            _ => false,
        }
    }

    fn inst(&mut self, inst: InstId) -> bool {
        let function = &self.scope.module.functions[self.id];
        match &function.insts[inst].kind {
            InstKind::Alloca { dynamic: false, .. } => self.root(Root::Object(Object::Alloca(self.id, inst))),
            InstKind::Gep { base, .. } => self.follow(base),
            InstKind::Cast(CastKind::BitCast, operand) | InstKind::Freeze(operand) => self.follow(operand),
            InstKind::Load { addr, .. } => match self.scope.promotion.base(self.id, addr) {
                Some(cell @ (Object::Alloca(..), _)) => self.cell(cell),
                _ => self.once(inst),
            },
            InstKind::Select(_, a, b) => self.follow(a) && self.follow(b),
            InstKind::Phi(incoming) => {
                !self.phis.insert(inst) || incoming.iter().all(|(_, operand)| self.follow(operand))
            }
            InstKind::Call(call) => match self.returned(call) {
                Some(operands) => operands.into_iter().all(|operand| self.follow(operand)),
                None => self.once(inst),
            },
            _ => false,
        }
    }

    /// The arguments of a call from which alone its result is computed, if there are such.
    fn returned<'c>(&self, call: &'c CallInst) -> Option<Vec<&'c Operand>> {
        let (id, callee) = callee(self.scope.module, call).filter(|_| self.calls > 0)?;
        let results = callee.insts.values().filter_map(|inst| match &inst.kind {
            InstKind::Ret(result) => result.as_ref(),
            _ => None,
        });
        let results: Vec<&Operand> = results.collect();
        let roots = roots(self.scope, id, &results, self.calls - 1)?;
        let arguments = roots.into_iter().map(|root| match root {
            Root::Param(index) => call.args.get(index as usize),
            Root::Object(_) | Root::Inst(_) => None,
        });
        arguments.collect::<Option<Vec<&Operand>>>().filter(|arguments| !arguments.is_empty())
    }

    /// Follows what is stored to a variable of the function.
    fn cell(&mut self, cell: (Object, i64)) -> bool {
        let (object, _) = cell;
        if self.scope.promotion.cells(object).is_none() {
            return false;
        }
        if !self.seen.insert(cell) {
            return true;
        }
        let function = &self.scope.module.functions[self.id];
        let base = |operand: &Operand| self.scope.promotion.base(self.id, operand);
        let mut given = Vec::new();
        for inst in function.insts.values() {
            match &inst.kind {
                InstKind::Store { addr, value } if base(addr).is_some_and(|to| to.0 == object) => {
                    if base(addr) == Some(cell) {
                        given.push(value);
                    } else if self.covers(base(addr), value, cell.1) {
                        return false;
                    }
                }
                InstKind::Load { .. } | InstKind::Gep { .. } | InstKind::Cast(..) => {}
                InstKind::Call(call)
                    if callee(self.scope.module, call).is_some_and(|(_, callee)| is_hint(&callee.name)) => {}
                kind => {
                    let uses = operands(kind).into_iter().filter_map(base);
                    if uses.into_iter().any(|(used, _)| used == object) {
                        return false;
                    }
                }
            }
        }
        given.into_iter().all(|value| self.follow(value))
    }

    /// Whether a store of a value to a place in an object also covers an offset after that place.
    fn covers(&self, to: Option<(Object, i64)>, value: &Operand, offset: i64) -> bool {
        let module = self.scope.module;
        let ty = operand_type(module, &module.functions[self.id], value);
        let size = ty.map_or(i64::MAX, |ty| module.types[ty].store_size as i64);
        to.is_none_or(|(_, at)| at < offset && at.saturating_add(size) > offset)
    }

    /// Adds the result of an instruction, if it runs once at most in an activation.
    fn once(&mut self, inst: InstId) -> bool {
        let function = &self.scope.module.functions[self.id];
        let home = function.blocks.iter().find(|(_, block)| block.insts.contains(&inst));
        home.is_some_and(|(block, _)| !is_in_cycle(function, block)) && self.root(Root::Inst(inst))
    }

    fn root(&mut self, root: Root) -> bool {
        self.roots.insert(root);
        true
    }
}
