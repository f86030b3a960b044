//! Functions of each thread: gives each thread of a module its own, and replaces what creates threads.

use super::build::{CREATE, START, Types};
use super::escape::escaping;
use super::locks::is_lock;
use super::points::{ATOMIC, Ordinals, mark_points};
use super::{Thread, Threads, is_marker, marker};
use crate::analyse::cfg::is_in_cycle;
use crate::instruction::{callee, for_each_operand, operands};
use crate::models::is_model;
use crate::options::{LowerError, Options, Property};
use beeline_ir::Bits;
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of threads of a call that may create any number ...
const MANY: u32 = 3;
/// ... and the most where the program shows the number.
const COUNTED: u32 = 8;
/// The most threads; the models have no room for more.
const MOST: usize = 32;

/// Gives each thread its functions, and marks scheduling points; there are none where no thread is created.
pub(crate) fn start_threads(
    module: &mut Module,
    options: &Options,
    ordinals: &Ordinals,
) -> Result<Option<Threads>, LowerError> {
    let entry = options.entry.as_str();
    let named =
        |module: &Module, name: &str| module.functions.iter().find(|(_, f)| f.name == name).map(|f| f.0);
    let creates: Vec<FnId> = CREATE.iter().filter_map(|name| named(module, name)).collect();
    let main = module.functions.iter().find(|(_, f)| f.name == entry && !f.is_declaration()).map(|f| f.0);
    // One thread alone may wait for itself.
    let is_wanted = creates_threads(module) || options.properties.contains(&Property::NoDeadlock);
    let Some(main) = main.filter(|_| is_wanted) else {
        number_self(module);
        return Ok(None);
    };
    if module.functions[main].number.is_none() && module.functions[main].place.is_none() {
        // It is not known which of it is the program's and which a model, which is one step.
        return Err(LowerError::Unsupported {
            place: format!("function {entry}"),
            what:
                "threads in a module that LLVM passes changed, without debug information, are not supported"
                    .into(),
            overridable: false,
        });
    }
    let own_lock =
        |function: &&Function| !function.is_declaration() && !is_model(function) && is_lock(&function.name);
    if let Some(function) = module.functions.values().find(own_lock) {
        let what = format!("threads in a program that defines {} itself are not supported", function.name);
        return Err(LowerError::Unsupported { place: format!("function {entry}"), what, overridable: false });
    }
    if let Some(what) = atomic_in_pieces(module) {
        return Err(LowerError::Unsupported { place: format!("function {entry}"), what, overridable: false });
    }
    let types = Types::new(module);
    for name in marker::ALL {
        types.give_body(module, name);
    }
    let too_many = types.marker(module, marker::TOO_MANY);
    let originals = FxHashMap::default();
    let mut starter = Starter { threads: Threads::default(), too_many, creates, types, sites: 0, originals };
    starter.threads.list.push(Thread { start: entry.into(), function: entry.into() });
    let races = options.properties.contains(&Property::NoDataRace);
    let (own, creators) = (&starter.types, starter.creates.clone());
    starter.threads.points = mark_points(module, own, (main, &creators), ordinals, races);
    let locals = starter.locals_of_called_through_pointers(module);
    let many = starter.create_all(module, main)?;
    starter.end_creation(module);
    if let Some(function) = locals.filter(|_| many) {
        return Err(LowerError::Unsupported {
            place: format!("function {function}"),
            what: "thread-local variables, or variables in memory, of a function that threads call through a pointer are not supported".into(),
            overridable: false,
        });
    }
    Ok(Some(starter.threads))
}

/// Why functions that are one step would be several, if they would: only calls by name are seen as one.
fn atomic_in_pieces(module: &mut Module) -> Option<String> {
    let is_atomic = |function: &Function| {
        function.name.starts_with(ATOMIC) && !function.is_declaration() && !is_model(function)
    };
    if module.optimised && module.functions.values().any(is_atomic) {
        return Some(format!("functions named {ATOMIC}* in optimised code are not supported"));
    }
    let mut taken = Vec::new();
    crate::rewrite::for_each_address(module, &mut |id| taken.push(*id));
    let function = taken.into_iter().map(|id| &module.functions[id]).find(|function| is_atomic(function))?;
    Some(format!("{}, which is called through a pointer or by a new thread, is not supported", function.name))
}

/// Whether a thread starts in a function.
pub(crate) fn is_start(function: &Function) -> bool {
    function.name.strip_prefix(START).is_some_and(|number| number.parse::<u64>().is_ok())
}

/// Whether something in the module creates a thread.
pub(crate) fn creates_threads(module: &Module) -> bool {
    let insts = module.functions.values().flat_map(|function| function.insts.values());
    let mut callees = insts.filter_map(|inst| match &inst.kind {
        InstKind::Call(call) => callee(module, call),
        _ => None,
    });
    callees.any(|(_, function)| function.is_declaration() && CREATE.contains(&function.name.as_str()))
}

/// Replaces calls for the number of the thread by the number, as there is one thread.
pub(super) fn number_self(module: &mut Module) {
    let Some(own) = module.functions.iter().find(|(_, f)| f.name == marker::SELF).map(|f| f.0) else {
        return;
    };
    for function in module.functions.values_mut() {
        for inst in function.insts.values_mut() {
            if let InstKind::Call(call) = &inst.kind
                && matches!(call.callee, Operand::Const(_, Const::Func(callee)) if callee == own)
                && let TyKind::Int(width) = module.types[inst.ty].kind
            {
                inst.kind = InstKind::Freeze(Operand::Const(inst.ty, Const::Int(Bits::new(width, 1))));
            }
        }
    }
}

/// The functions with a body that a function calls by name, and those that these call.
fn reached(module: &Module, from: FnId) -> Vec<FnId> {
    reached_in(module, &FxHashMap::default(), from)
}

/// The same where some functions are taken as they were.
fn reached_in(module: &Module, originals: &FxHashMap<FnId, Function>, from: FnId) -> Vec<FnId> {
    let mut found = vec![from];
    let mut at = 0;
    while let Some(&id) = found.get(at) {
        at += 1;
        for inst in originals.get(&id).unwrap_or(&module.functions[id]).insts.values() {
            if let InstKind::Call(call) = &inst.kind
                && let Some((callee, function)) = callee(module, call)
                && !function.is_declaration()
                && !is_marker(&function.name)
                && !found.contains(&callee)
            {
                found.push(callee);
            }
        }
    }
    found
}

/// How often a function runs while the first of some functions does, as far as the code shows it; what is known of others is
/// kept.
fn runs(
    module: &Module,
    functions: &[FnId],
    id: FnId,
    known: &mut FxHashMap<FnId, Option<u32>>,
) -> Option<u32> {
    if let Some(&times) = known.get(&id) {
        return times;
    }
    // Where it is met again below, it calls itself.
    known.insert(id, None);
    let mut sum = Some(u32::from(functions.first() == Some(&id)));
    for &caller in functions {
        let function = &module.functions[caller];
        let calls_it = |inst: &&InstId| matches!(&function.insts[**inst].kind, InstKind::Call(call) if callee(module, call).is_some_and(|(callee, _)| callee == id));
        let placed = function.blocks.values().flat_map(|block| &block.insts);
        for inst in placed.filter(calls_it) {
            let times = turns(module, function, *inst).zip(runs(module, functions, caller, known));
            let times = times.and_then(|(turns, runs)| turns.checked_mul(runs));
            sum = sum.zip(times).and_then(|(sum, times)| sum.checked_add(times));
        }
    }
    known.insert(id, sum);
    sum
}

struct Starter {
    threads: Threads,
    too_many: (FnId, TyId),
    creates: Vec<FnId>,
    types: Types,
    /// The number of calls found that create threads.
    sites: u32,
    /// Functions that create threads, as they were before their calls were replaced: a thread that calls one creates threads
    /// of its own.
    originals: FxHashMap<FnId, Function>,
}

impl Starter {
    /// The calls in a function that create threads.
    fn creations(&self, module: &Module, id: FnId) -> Vec<InstId> {
        let creates = |inst: &Inst| match &inst.kind {
            InstKind::Call(call) => {
                callee(module, call).is_some_and(|(callee, _)| self.creates.contains(&callee))
            }
            _ => false,
        };
        module.functions[id].insts.iter().filter(|(_, inst)| creates(inst)).map(|(inst, _)| inst).collect()
    }

    /// A function with a variable in memory, or with a thread-local one, that some thread may call through a pointer:
    /// copies have other addresses, so that all threads call the same one.
    fn locals_of_called_through_pointers(&self, module: &mut Module) -> Option<String> {
        let mut taken: FxHashSet<FnId> = FxHashSet::default();
        let mut through_pointers = false;
        for function in module.functions.values() {
            for inst in function.insts.values() {
                if let InstKind::Call(call) = &inst.kind {
                    through_pointers |=
                        !matches!(call.callee, Operand::Const(_, Const::Func(_))) && call.asm.is_none();
                    let created =
                        callee(module, call).map(|(id, _)| id).filter(|id| self.creates.contains(id));
                    // The thread's function has a copy.
                    let start = created.map(|id| arguments_of(module, id).0);
                    let given = call.args.iter().enumerate().filter(|(at, _)| Some(*at) != start);
                    taken.extend(given.filter_map(|(_, argument)| function_of(argument)));
                } else {
                    taken.extend(operands(&inst.kind).into_iter().filter_map(function_of));
                }
            }
        }
        if !through_pointers {
            return None;
        }
        let mut roots: Vec<FnId> =
            taken.into_iter().filter(|id| !module.functions[*id].is_declaration()).collect();
        for global in module.globals.values() {
            global.init.iter().for_each(|init| functions_in(init, &mut roots));
        }
        let all = roots.into_iter().flat_map(|root| reached(module, root));
        let mut all = all.filter(|id| {
            let function = &module.functions[*id];
            // A model is one step, but for what belongs to a thread.
            uses_own_of_thread(module, function) || !is_model(function) && keeps_memory(module, function)
        });
        all.next().map(|id| module.functions[id].name.clone())
    }

    /// Replaces the calls that create threads in the functions of the first thread, and in those of the threads that
    /// are created. Returns whether there are several threads.
    fn create_all(&mut self, module: &mut Module, main: FnId) -> Result<bool, LowerError> {
        let closure = reached(module, main);
        let mut open = vec![(1, closure)];
        let mut many = false;
        while let Some((thread, functions)) = open.pop() {
            many |= thread > 1;
            let mut known = FxHashMap::default();
            for &id in &functions {
                let creations = self.creations(module, id);
                let runs = if creations.is_empty() { None } else { runs(module, &functions, id, &mut known) };
                for inst in creations {
                    open.extend(self.create(module, id, inst, runs)?);
                }
            }
        }
        Ok(many)
    }

    /// Replaces a call that creates threads by one of a function that starts the next of its threads, which are new.
    /// Returns these, with their functions.
    fn create(
        &mut self,
        module: &mut Module,
        id: FnId,
        inst: InstId,
        runs: Option<u32>,
    ) -> Result<Vec<(u64, Vec<FnId>)>, LowerError> {
        let InstKind::Call(call) = module.functions[id].insts[inst].kind.clone() else {
            return Ok(Vec::new());
        };
        let place = module.functions[id].insts[inst].place;
        let Some((created, _)) = callee(module, &call) else { return Ok(Vec::new()) };
        let (at, given) = arguments_of(module, created);
        let times = turns(module, &module.functions[id], inst)
            .zip(runs)
            .and_then(|(turns, runs)| turns.checked_mul(runs));
        let count = times.map_or(MANY, |times| times.min(COUNTED));
        let mut started = Vec::new();
        let mut instances = Vec::new();
        for start in starts_of(module, id, call.args.get(at))? {
            for _ in 0..count {
                if self.threads.list.len() >= MOST {
                    break;
                }
                let number = self.threads.list.len() as u64 + 1;
                let copies = copy(module, &self.originals, start, number);
                let run = self.types.run(module, copies[0], number, place);
                let function = module.functions[start].name.clone();
                self.threads.list.push(Thread { start: module.functions[run].name.clone(), function });
                instances.push((start, number, (run, module.functions[run].ty)));
                started.push((number, copies));
            }
        }
        self.sites += 1;
        self.originals.entry(id).or_insert_with(|| module.functions[id].clone());
        let known = matches!(call.args.get(at), Some(operand) if function_of(operand).is_some());
        let creator = self.types.creator(module, created, self.sites, &instances, (at, given, known), place);
        let none = self.types.null(module);
        let ty = module.functions[creator].ty;
        if let InstKind::Call(call) = &mut module.functions[id].insts[inst].kind
            && let Operand::Const(_, Const::Func(callee)) = &mut call.callee
        {
            *callee = creator;
            call.ty = ty;
            call.args.truncate(given + 1);
            call.byval.truncate(given + 1);
            // The creator knows the function: nothing else takes its address here.
            if known {
                call.args[at] = none;
            }
        }
        Ok(started)
    }

    /// Replaces the calls that create threads and are left: a function that no thread runs creates none.
    fn end_creation(&self, module: &mut Module) {
        for function in module.functions.values_mut() {
            for inst in function.insts.values_mut() {
                if let InstKind::Call(call) = &mut inst.kind
                    && function_of(&call.callee).is_some_and(|callee| self.creates.contains(&callee))
                {
                    let Operand::Const(_, Const::Func(callee)) = &mut call.callee else { continue };
                    *callee = self.too_many.0;
                    call.ty = self.too_many.1;
                    call.args.clear();
                    call.byval.clear();
                }
            }
        }
    }
}

/// How often an instruction runs in one run of its function, as far as the code shows it.
fn turns(module: &Module, function: &Function, inst: InstId) -> Option<u32> {
    let block = function.blocks.iter().find(|(_, block)| block.insts.contains(&inst)).map(|(block, _)| block);
    match block.filter(|block| is_in_cycle(function, *block)) {
        Some(block) => super::endless::turns(module, function, block),
        None => Some(1),
    }
}

/// The functions that a call in a function may start a thread with, by its argument; all have a body.
fn starts_of(module: &mut Module, id: FnId, start: Option<&Operand>) -> Result<Vec<FnId>, LowerError> {
    let starts = match start.and_then(function_of) {
        Some(start) => vec![start],
        None => candidates(module),
    };
    let Some(function) = starts.iter().find(|start| module.functions[**start].is_declaration()) else {
        return Ok(starts);
    };
    let what = format!(
        "a thread that runs {}, which has no body, is not supported",
        module.functions[*function].name
    );
    let place = format!("function {}", beeline_ir::copied_function(&module.functions[id].name));
    Err(LowerError::Unsupported { place, what, overridable: false })
}

/// The functions that a pointer to a thread's function may lead to.
fn candidates(module: &mut Module) -> Vec<FnId> {
    let mut taken: Vec<FnId> = Vec::new();
    crate::rewrite::for_each_address(module, &mut |id| {
        if !taken.contains(id) {
            taken.push(*id);
        }
    });
    let fits = |id: &FnId| {
        let function = &module.functions[*id];
        let TyKind::Func(result, params, false) = module.kind(function.ty) else { return false };
        let takes_pointer = params.len() == 1 && *module.kind(params[0]) == TyKind::Ptr;
        takes_pointer
            && *module.kind(*result) != TyKind::Void
            && !function.is_declaration()
            && !is_model(function)
            && function.number.is_some()
    };
    taken.into_iter().filter(fits).collect()
}

/// Whether a function has a variable that may be memory.
fn keeps_memory(module: &Module, function: &Function) -> bool {
    let is_scalar = |ty: TyId| matches!(module.kind(ty), TyKind::Int(_) | TyKind::Float(_) | TyKind::Ptr);
    !escaping(module, function).is_empty()
        || function.insts.values().any(|inst| match &inst.kind {
            InstKind::Alloca { ty, dynamic, .. } => *dynamic || !is_scalar(*ty),
            _ => false,
        })
}

/// Whether a function uses a variable of which each thread has its own.
fn uses_own_of_thread(module: &Module, function: &Function) -> bool {
    let of_thread = |operand: &&Operand| matches!(operand, Operand::Const(_, Const::Global(global, _)) if is_of_thread(&module.globals[*global]));
    function.insts.values().any(|inst| operands(&inst.kind).iter().any(of_thread))
}

/// The positions of a thread's function, and of what that is given, among the arguments of a call that creates it.
fn arguments_of(module: &Module, created: FnId) -> (usize, usize) {
    if module.functions[created].name == CREATE[0] { (2, 3) } else { (1, 2) }
}

fn function_of(operand: &Operand) -> Option<FnId> {
    if let Operand::Const(_, Const::Func(id)) = operand { Some(*id) } else { None }
}

fn functions_in(constant: &Const, found: &mut Vec<FnId>) {
    match constant {
        Const::Func(id) => found.push(*id),
        Const::Aggregate(parts) => parts.iter().for_each(|(_, part)| functions_in(part, found)),
        _ => {}
    }
}

/// Whether each thread has its own copy of a variable: a thread-local one, or `errno`, which the models keep.
fn is_of_thread(global: &Global) -> bool {
    global.thread_local || global.name == "__beeline_errno"
}

/// Copies a function and its callees as they were for a thread, with the thread-local variables.
fn copy(module: &mut Module, originals: &FxHashMap<FnId, Function>, from: FnId, thread: u64) -> Vec<FnId> {
    let functions = reached_in(module, originals, from);
    let mut copies: FxHashMap<FnId, FnId> = FxHashMap::default();
    for &id in &functions {
        let function = originals.get(&id).unwrap_or(&module.functions[id]);
        let name = beeline_ir::copy_for_thread(&function.name, thread);
        let copy = Function { name, exported: false, ..function.clone() };
        copies.insert(id, module.functions.push(copy));
    }
    let mut own: FxHashMap<GlobalId, GlobalId> = FxHashMap::default();
    let locals: Vec<GlobalId> =
        module.globals.iter().filter(|(_, g)| is_of_thread(g)).map(|(id, _)| id).collect();
    for id in locals {
        let global = &module.globals[id];
        let name = beeline_ir::copy_for_thread(&global.name, thread);
        let copy = Global { name, exported: false, ..global.clone() };
        own.insert(id, module.globals.push(copy));
    }
    let list: Vec<FnId> = functions.iter().map(|id| copies[id]).collect();
    for &copy in &list {
        for inst in module.functions[copy].insts.values_mut() {
            if let InstKind::Call(call) = &mut inst.kind
                && let Operand::Const(_, Const::Func(callee)) = &mut call.callee
                && let Some(own) = copies.get(callee)
            {
                *callee = *own;
            }
            for_each_operand(&mut inst.kind, &mut |operand| {
                if let Operand::Const(_, Const::Global(global, _)) = operand
                    && let Some(copy) = own.get(global)
                {
                    *global = *copy;
                }
            });
        }
    }
    list
}
