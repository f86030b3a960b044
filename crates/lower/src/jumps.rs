//! Jumps out of functions (`setjmp`, `longjmp`) as control flow that every later step sees.
//!
//! Each call of `setjmp` has a number of its own in each call of its function, a *place*: the function keeps it, and the
//! buffer has it. `longjmp` writes down the place from its buffer and ends its function. Behind each call that may
//! have jumped, a function goes on where `setjmp` returned, if the place is its own, and ends otherwise. Where no
//! function that is active has the place, the behaviour is undefined: an assumption excludes it.
//!
//! A local that is not volatile and that changed between `setjmp` and the jump holds any value (C11 7.13.2.1) if a compiler
//! may keep it in registers: its address is not handed on, and none of it is found by an index. Others hold what they have.

mod blocks;
mod places;
mod split;
mod values;

use crate::analyse::flow::may_call;
use crate::around::enter_once;
use crate::instruction::{callee, is_hint, range_call};
use crate::libc::{BUILTIN_LONGJMP, ENDS_OF_THREADS, Effect, LONGJMP, NOWHERE, effect};
use crate::options::{Externals, Options};
use crate::rewrite::{Types, for_each_address, type_of};
use crate::threads::start::creates_threads;
use beeline_ir::Bits;
use beeline_module::*;
use cranelift_entity::EntityRef;

/// What rewritten functions have in common.
struct Jumps {
    calls: Calls,
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
    if !lands || has_other_jumps(module) || restores_masks(module) {
        return;
    }
    // A jump out of a call of the entry function goes on in its caller, one out of the program nowhere.
    enter_once(module, &options.entry);
    let calls = Calls::new(module, options.externals);
    if calls.may_jump.contains(&true) {
        let jumps = Jumps::new(module, calls);
        module
            .functions
            .keys()
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|id| jumps.expand(module, id, options));
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

/// Whether threads jump, or a thread ends, which runs the handlers of `pthread_cleanup_push` by jumps of its own.
fn has_other_jumps(module: &Module) -> bool {
    let ends = |inst: &Inst| match &inst.kind {
        InstKind::Call(call) => {
            callee(module, call).is_some_and(|(_, f)| ENDS_OF_THREADS.contains(&f.name.as_str()))
        }
        _ => false,
    };
    creates_threads(module) || module.functions.values().any(|function| function.insts.values().any(ends))
}

/// Whether a jump may change which signals are blocked.
fn restores_masks(module: &Module) -> bool {
    let changes = |function: &Function| {
        ["raise", "sigprocmask"].contains(&function.name.as_str()) && !function.is_declaration()
    };
    let keeps = |function: &Function| {
        landings(module, function).into_iter().any(|inst| match &function.insts[inst].kind {
            InstKind::Call(call) => call.args.get(1).is_some_and(|keeps| !is_zero(keeps)),
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
    fn new(module: &mut Module, calls: Calls) -> Jumps {
        let types = Types::find_or_add(module);
        let (int, bit) = (type_of(module, TyKind::Int(32), 4), type_of(module, TyKind::Int(1), 1));
        let nowhere_type = type_of(module, TyKind::Func(types.void(), Vec::new(), false), 0);
        Jumps {
            calls,
            places: number(module, "setjmp.places", types.word(), 64),
            to: number(module, "longjmp.place", types.word(), 64),
            result: number(module, "longjmp.result", int, 32),
            nowhere: module.functions.push(Function::new(NOWHERE, nowhere_type, 0)),
            nowhere_type,
            types,
            int,
            bit,
        }
    }
}

/// What calls may do.
struct Calls {
    /// The functions that may end by a jump.
    may_jump: Vec<bool>,
    /// The functions that only read and write what they are given, or do nothing.
    plain: Vec<bool>,
    /// Does an address lead to a function that may jump?
    by_address: bool,
    externals: Externals,
}

impl Calls {
    fn new(module: &mut Module, externals: Externals) -> Calls {
        let mut taken = Vec::new();
        for_each_address(module, &mut |id| taken.push(*id));
        if externals == Externals::Havoc {
            // Unknown code calls what it knows by name.
            taken.extend(module.functions.iter().filter(|(_, f)| f.exported).map(|(id, _)| id));
        }
        let plain = |function: &Function| is_hint(&function.name) || range_call(function).is_some();
        let mut calls = Calls {
            may_jump: vec![false; module.functions.len()],
            plain: module.functions.values().map(plain).collect(),
            by_address: false,
            externals,
        };
        loop {
            let jumps = |(id, function): &(FnId, &Function)| {
                !calls.may_jump[id.index()]
                    && function.insts.values().any(|inst| calls.may_jump(module, &inst.kind))
            };
            let found: Vec<FnId> = module.functions.iter().filter(jumps).map(|(id, _)| id).collect();
            if found.is_empty() {
                return calls;
            }
            found.iter().for_each(|id| calls.may_jump[id.index()] = true);
            calls.by_address = taken.iter().any(|id| calls.may_jump[id.index()]);
        }
    }

    /// Whether an instruction may end in a jump, its own or one of what it calls.
    fn may_jump(&self, module: &Module, kind: &InstKind) -> bool {
        let InstKind::Call(call) = kind else { return false };
        if jumps(module, call) {
            return true;
        }
        match callee(module, call) {
            Some((id, function)) if !function.is_declaration() => self.may_jump[id.index()],
            Some((_, function)) => {
                let calls_back = match self.externals {
                    Externals::Inert => false,
                    Externals::Pure => !call.args.is_empty(),
                    Externals::Havoc => true,
                };
                self.by_address && calls_back && may_call(&function.name)
            }
            None => call.asm.is_none() && self.by_address,
        }
    }

    /// Whether a call does no more with an address than to read or write there.
    fn is_plain(&self, call: &CallInst) -> bool {
        // Functions that the rewrite itself adds are not listed.
        matches!(call.callee, Operand::Const(_, Const::Func(id)) if self.plain.get(id.index()) == Some(&true))
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
