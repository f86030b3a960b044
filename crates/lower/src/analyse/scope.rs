//! The part of a module that is analysed, with what is known of it before the analysis of pointers.

use crate::analyse::promote::{Object, Promotion};
use crate::analyse::reach::{IsLeaf, Reach};
use crate::instruction::callee;
use crate::libc::{self, Allocation, Effect};
use beeline_module::*;

/// The analysed part of a module.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The module.
    pub module: &'a Module,
    /// Its used part.
    pub reach: &'a Reach,
    /// The objects that became variables.
    pub promotion: &'a Promotion,
    /// Functions whose bodies do not matter.
    pub is_leaf: IsLeaf<'a>,
    /// The function where the program starts.
    pub entry: FnId,
}

impl Scope<'_> {
    /// Whether a call allocates on the heap, once at most. Then what it allocates has an address of its own.
    pub(crate) fn is_heap_object(&self, function: FnId, inst: InstId) -> bool {
        let InstKind::Call(call) = &self.module.functions[function].insts[inst].kind else { return false };
        let effect = callee(self.module, call)
            .filter(|(_, callee)| callee.is_declaration())
            .map(|(_, callee)| libc::effect(&callee.name));
        let allocates = match effect {
            Some(Effect::Allocate(kind)) => kind != Allocation::Stack,
            Some(Effect::Reallocate) => true,
            _ => false,
        };
        allocates && self.reach.runs_once(function, inst)
    }

    /// Whether something runs after the entry function has returned.
    pub(crate) fn runs_at_end(&self) -> bool {
        self.reach.functions.iter().any(|&id| crate::around::runs_at_end(self.module, id))
    }

    /// The calls that allocate once at most.
    pub(crate) fn heap_objects(&self) -> impl Iterator<Item = (FnId, InstId)> + '_ {
        self.reach.functions.iter().flat_map(move |&id| {
            let blocks = self.module.functions[id].blocks.values();
            let insts = blocks.flat_map(|block| block.insts.iter().copied());
            insts.filter(move |&inst| self.is_heap_object(id, inst)).map(move |inst| (id, inst))
        })
    }

    /// The source's name of an object, with its function.
    pub(crate) fn object_name(&self, object: Object) -> String {
        match object {
            Object::Global(global) => {
                let global = &self.module.globals[global];
                global.debug.as_ref().map_or(&global.name, |var| &var.name).clone()
            }
            Object::Alloca(id, inst) => {
                let function = &self.module.functions[id];
                let debug =
                    function.allocas.iter().find(|(at, _)| *at == inst).map(|(_, var)| var.name.clone());
                let name = debug.unwrap_or_else(|| function.insts[inst].name.clone());
                format!("{}.{}", function.name, if name.is_empty() { "local" } else { &name })
            }
            Object::Heap(id, inst) => {
                let function = &self.module.functions[id];
                let callee = match &function.insts[inst].kind {
                    InstKind::Call(call) => callee(self.module, call).map(|(_, callee)| callee.name.as_str()),
                    _ => None,
                };
                format!("heap.{}.{}", function.name, callee.unwrap_or("allocation"))
            }
        }
    }
}
