//! Copies of models of the C library, one for each call in the program, where the accesses of the model are checked:
//! each check belongs to one call then, and is reported at its location.

use crate::models::is_model;
use crate::options::{Fault, Options};
use beeline_module::*;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;

/// Replaces calls of models by calls of copies, which in turn call copies.
pub(crate) fn copy_models(module: &mut Module, options: &Options) {
    let checked = [Fault::Null, Fault::Outside, Fault::Access, Fault::Free];
    if checked.into_iter().all(|fault| options.violated_by(fault).is_none()) {
        return;
    }
    let mut copier = Copier { checks: checks(module), numbers: FxHashMap::default() };
    let program: Vec<FnId> = module
        .functions
        .iter()
        .filter(|(_, f)| f.number.is_some() && !f.is_declaration())
        .map(|(id, _)| id)
        .collect();
    for id in program {
        for inst in copier.calls(module, id) {
            let place = module.functions[id].insts[inst].place;
            copier.copy_for(module, id, inst, place);
        }
    }
}

/// The models that access memory of their callers, or that call functions which do.
fn checks(module: &Module) -> Vec<bool> {
    let is_own = |function: &Function, addr: &Operand| match addr {
        Operand::Inst(inst) => matches!(function.insts[*inst].kind, InstKind::Alloca { .. }),
        Operand::Const(_, Const::Global(..)) => true,
        _ => false,
    };
    let accesses = |function: &Function| {
        function.insts.values().any(|inst| match &inst.kind {
            InstKind::Load { addr, .. }
            | InstKind::Store { addr, .. }
            | InstKind::AtomicRmw { addr, .. }
            | InstKind::CmpXchg { addr, .. } => !is_own(function, addr),
            InstKind::Call(call) => {
                !call.args.is_empty() && called(call).is_none_or(|id| module.functions[id].is_declaration())
            }
            _ => false,
        })
    };
    let models: Vec<FnId> = module.functions.iter().filter(|(_, f)| is_model(f)).map(|(id, _)| id).collect();
    let mut checks: Vec<bool> = module.functions.values().map(|_| false).collect();
    models.iter().for_each(|id| checks[id.index()] = accesses(&module.functions[*id]));
    loop {
        let calls_one = |id: &FnId| {
            let insts = module.functions[*id].insts.values();
            let mut callees = insts.filter_map(|inst| match &inst.kind {
                InstKind::Call(call) => called(call),
                _ => None,
            });
            callees.any(|callee| checks[callee.index()])
        };
        let more: Vec<FnId> =
            models.iter().copied().filter(|id| !checks[id.index()] && calls_one(id)).collect();
        if more.is_empty() {
            return checks;
        }
        more.into_iter().for_each(|id| checks[id.index()] = true);
    }
}

fn called(call: &CallInst) -> Option<FnId> {
    if let Operand::Const(_, Const::Func(id)) = &call.callee { Some(*id) } else { None }
}

struct Copier {
    /// By function, whether it is a model that is copied.
    checks: Vec<bool>,
    /// The number of copies of a model.
    numbers: FxHashMap<FnId, u32>,
}

impl Copier {
    /// The calls of a function that lead to models that are copied.
    fn calls(&self, module: &Module, id: FnId) -> Vec<InstId> {
        let leads_to_one = |inst: &Inst| match &inst.kind {
            InstKind::Call(call) => called(call).is_some_and(|callee| self.is_copied(callee)),
            _ => false,
        };
        let insts = module.functions[id].insts.iter();
        insts.filter(|(_, inst)| leads_to_one(inst)).map(|(inst, _)| inst).collect()
    }

    fn is_copied(&self, id: FnId) -> bool {
        self.checks.get(id.index()).copied().unwrap_or(false)
    }

    /// Replaces a call of the program by one of copies.
    fn copy_for(&mut self, module: &mut Module, id: FnId, inst: InstId, place: Option<Place>) {
        // A model that calls itself calls its copy.
        let mut copies: FxHashMap<FnId, FnId> = FxHashMap::default();
        let mut open = vec![(id, inst)];
        while let Some((caller, inst)) = open.pop() {
            let InstKind::Call(call) = &module.functions[caller].insts[inst].kind else { continue };
            let Some(callee) = called(call) else { continue };
            let copy = match copies.get(&callee) {
                Some(copy) => *copy,
                None => {
                    let number = self.numbers.entry(callee).or_insert(0);
                    *number += 1;
                    let copy = Function { call: Some((*number, place)), ..module.functions[callee].clone() };
                    let copy = module.functions.push(copy);
                    copies.insert(callee, copy);
                    open.extend(self.calls(module, copy).into_iter().map(|inst| (copy, inst)));
                    copy
                }
            };
            if let InstKind::Call(call) = &mut module.functions[caller].insts[inst].kind
                && let Operand::Const(_, Const::Func(callee)) = &mut call.callee
            {
                *callee = copy;
            }
        }
    }
}
