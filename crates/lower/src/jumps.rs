//! Jumps out of functions (`setjmp`, `longjmp`) as control flow that every later step sees.
//!
//! Each call of `setjmp` has a number of its own in each call of its function, a *place*: the function keeps it, and the
//! buffer has it. `longjmp` writes down the place from its buffer and ends its function. Behind each call that may
//! have jumped, a function goes on where `setjmp` returned, if the place is its own, and ends otherwise. Where no
//! function that is active has the place, the behaviour is undefined: an assumption excludes it.
//!
//! A local that is not volatile and that changed between `setjmp` and the jump holds any value (C11 7.13.2.1) if a compiler
//! may keep it in a register; other locals hold what they have.

mod blocks;
mod places;
mod split;
mod values;

use crate::instruction::{callee, is_hint};
use crate::libc::{BUILTIN_LONGJMP, Effect, LONGJMP, NOWHERE, effect};
use crate::options::{Externals, Options};
use crate::rewrite::{Types, for_each_address, type_of};
use beeline_ir::Bits;
use beeline_module::*;
use cranelift_entity::EntityRef;

/// What rewritten functions have in common.
struct Jumps {
    /// The functions that may end by a jump.
    may_jump: Vec<bool>,
    /// The functions whose calls do nothing.
    hints: Vec<bool>,
    /// Does the address of one of them lead anywhere?
    by_address: bool,
    externals: Externals,
    /// How many places there have been, which one is jumped to (none: 0), and what `setjmp` returns there.
    places: GlobalId,
    to: GlobalId,
    result: GlobalId,
    /// The function that is called where no place is found.
    nowhere: FnId,
    nowhere_type: TyId,
    types: Types,
    int: TyId,
    bit: TyId,
}

/// Makes jumps explicit, where they are those of one thread and change no masks of signals.
pub(crate) fn expand_jumps(module: &mut Module, options: &Options) {
    let lands = module.functions.values().any(|function| !landings(module, function).is_empty());
    if !lands || crate::threads::start::creates_threads(module) || restores_masks(module) {
        return;
    }
    let Some(jumps) = Jumps::new(module, options) else { return };
    for id in module.functions.keys().collect::<Vec<_>>() {
        let function = &module.functions[id];
        let lands = !landings(module, function).is_empty();
        if function.is_declaration() || !jumps.may_jump[id.index()] && !lands {
            continue;
        }
        let is_entry = function.name == options.entry;
        jumps.rewrite(module, id, is_entry);
    }
}

/// The calls in a function that remember a place.
fn landings(module: &Module, function: &Function) -> Vec<InstId> {
    let remembers = |inst: &&InstId| match &function.insts[**inst].kind {
        InstKind::Call(call) => callee(module, call).is_some_and(|(_, f)| {
            f.is_declaration() && effect(&f.name) == Effect::Landing && !call.args.is_empty()
        }),
        _ => false,
    };
    function.blocks.values().flat_map(|block| block.insts.iter().filter(remembers)).copied().collect()
}

/// Whether a jump may change which signals are blocked.
fn restores_masks(module: &Module) -> bool {
    let changes = |function: &Function| {
        ["raise", "sigprocmask"].contains(&function.name.as_str()) && !function.is_declaration()
    };
    let keeps = |function: &Function| {
        landings(module, function).into_iter().any(|inst| match &function.insts[inst].kind {
            InstKind::Call(call) => call.args.len() > 1 && !is_zero(&call.args[1]),
            _ => false,
        })
    };
    module.functions.values().any(changes) && module.functions.values().any(keeps)
}

fn is_zero(operand: &Operand) -> bool {
    match operand {
        Operand::Const(_, Const::Int(bits)) => bits.is_zero(),
        Operand::Const(_, Const::Zero) => true,
        _ => false,
    }
}

impl Jumps {
    fn new(module: &mut Module, options: &Options) -> Option<Jumps> {
        let mut taken = Vec::new();
        for_each_address(module, &mut |id| taken.push(*id));
        let types = Types::find_or_add(module);
        let (int, bit) = (type_of(module, TyKind::Int(32), 4), type_of(module, TyKind::Int(1), 1));
        let nowhere_type = type_of(module, TyKind::Func(types.void(), Vec::new(), false), 0);
        let externals = options.externals;
        let mut jumps = Jumps {
            may_jump: vec![false; module.functions.len()],
            hints: module.functions.values().map(|function| is_hint(&function.name)).collect(),
            by_address: false,
            externals,
            places: GlobalId::new(0),
            to: GlobalId::new(0),
            result: GlobalId::new(0),
            nowhere: FnId::new(0),
            nowhere_type,
            types,
            int,
            bit,
        };
        jumps.find_what_may_jump(module, &taken);
        if !jumps.may_jump.contains(&true) {
            return None;
        }
        jumps.places = number(module, "setjmp.places", jumps.types.word(), 64);
        jumps.to = number(module, "longjmp.place", jumps.types.word(), 64);
        jumps.result = number(module, "longjmp.result", int, 32);
        jumps.nowhere = module.functions.push(Function::new(NOWHERE, nowhere_type, 0));
        jumps.may_jump.push(false);
        Some(jumps)
    }

    /// Finds the functions that may jump: they call one that does.
    fn find_what_may_jump(&mut self, module: &Module, taken: &[FnId]) {
        loop {
            let found: Vec<FnId> = module
                .functions
                .iter()
                .filter(|(id, function)| {
                    !self.may_jump[id.index()]
                        && function.insts.values().any(|inst| self.may_jump(module, &inst.kind))
                })
                .map(|(id, _)| id)
                .collect();
            if found.is_empty() {
                return;
            }
            found.iter().for_each(|id| self.may_jump[id.index()] = true);
            self.by_address = taken.iter().any(|id| self.may_jump[id.index()]);
        }
    }

    /// Whether a call does nothing.
    fn is_hint(&self, call: &CallInst) -> bool {
        matches!(call.callee, Operand::Const(_, Const::Func(id)) if self.hints.get(id.index()) == Some(&true))
    }

    /// Whether an instruction may end in a jump, its own or one of what it calls.
    fn may_jump(&self, module: &Module, kind: &InstKind) -> bool {
        let InstKind::Call(call) = kind else { return false };
        if jumps(module, call) {
            return true;
        }
        let is_given = |operand: &Operand| matches!(operand, Operand::Const(_, Const::Func(id)) if self.may_jump[id.index()]);
        match callee(module, call) {
            Some((id, function)) if !function.is_declaration() => self.may_jump[id.index()],
            // A function without a body may call what it is given.
            Some((_, function)) if function.name.starts_with("llvm.") => false,
            Some(_) => {
                call.args.iter().any(is_given) || self.by_address && self.externals == Externals::Havoc
            }
            None => call.asm.is_none() && self.by_address,
        }
    }
}

/// Whether a call is one of `longjmp`.
fn jumps(module: &Module, call: &CallInst) -> bool {
    let named = |name: &str| match call.args.len() {
        2 => LONGJMP.contains(&name),
        1 => name == BUILTIN_LONGJMP,
        _ => false,
    };
    callee(module, call).is_some_and(|(_, function)| function.is_declaration() && named(&function.name))
}

/// A new variable that begins as zero.
fn number(module: &mut Module, name: &str, ty: TyId, width: u32) -> GlobalId {
    module.globals.push(Global {
        name: name.into(),
        ty,
        init: Some(Const::Int(Bits::zero(width))),
        constant: false,
        exported: false,
        unnamed: false,
        weak: false,
        thread_local: false,
        align: u64::from(width / 8),
        section: String::new(),
        debug: None,
    })
}
