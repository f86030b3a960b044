//! All steps in order: from a module to a program.

use crate::analyse::activation::Activations;
use crate::analyse::bools::Bools;
use crate::analyse::bounds::{Bounds, HEAP_NEXT, STACK_NEXT};
use crate::analyse::callees::Callees;
use crate::analyse::coincide::coincidences;
use crate::analyse::flow::{analyse, operand_ptr};
use crate::analyse::memory::{Layout, Memory, initial_cell};
use crate::analyse::points_to::PointsTo;
use crate::analyse::promote::{Object, Promotion};
use crate::analyse::reach::{Givers, IsLeaf, Reach};
use crate::analyse::scope::Scope;
use crate::analyse::shape::{VECTOR_OF_BITS, shares_bytes};
use crate::instruction::operands;
use crate::libc;
use crate::names::{cell_name, named_cells, texts};
use crate::options::{Externals, LowerError, Options, Property};
use crate::prepare::prepare;
use crate::sides::Sides;
use crate::threads::Threads;
use crate::threads::library::may_access_more;
use crate::threads::points::Ordinals;
use crate::threads::start::{creates_threads, start_threads};
use crate::threads::unmodelled::end_at_threads;
use crate::translate::entry::Arguments;
use crate::translate::{Accesses, Context, declare, define};
use beeline_ir::{Direction, FloatKind, Program, ProgramBuilder, Type, Value, VarId};
use beeline_module::mangled::{panics, plain};
use beeline_module::names::LEFT_OUT;
use beeline_module::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The assumptions about the world of a command (models/world.c).
const COMMAND: &str = "the program is called `program`, with at most 4 arguments of at most 8 bytes and an empty environment where main asks for that; its standard input and the files that it reads are regular files, at most 2 beside the standard input, with at most 1024 bytes each; it opens none by a name that begins with a slash, writes none while it has it open for reading, and reads none both by a stream and by a descriptor; no stream is a terminal or closed at the start, and no device fails";

/// Lowers a module.
pub fn lower(module: Module, options: &Options) -> Result<Program, LowerError> {
    lower_traced(module, options).map(|lowered| lowered.program)
}

/// A program, with a record of how it was made.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The accesses, and the number of checked ones.
    pub accesses: Accesses,
    /// The edges that stand for the branch edges of the module.
    pub sides: Sides,
}

/// Lowers a module, and records how.
pub fn lower_traced(mut module: Module, options: &Options) -> Result<Lowered, LowerError> {
    if !is_known(&module.language) {
        return Err(LowerError::Language(module.language));
    }
    let started = started(&module, options);
    let options = &started;
    let ordinals = crate::threads::points::ordinals(&module);
    prepare(&mut module, options);
    let about_threads = [Property::NoDataRace, Property::NoDeadlock];
    if !creates_threads(&module) || about_threads.iter().any(|property| options.properties.contains(property))
    {
        return interleaved(module, options, &ordinals);
    }
    match interleaved(module.clone(), options, &ordinals) {
        Err(LowerError::Unsupported { place, what, overridable: false }) => {
            end_at_threads(&mut module, &format!("{place}: {what}"));
            interleaved(module, options, &ordinals)
        }
        lowered => lowered,
    }
}

/// The program of a prepared module, with its threads.
fn interleaved(mut module: Module, options: &Options, ordinals: &Ordinals) -> Result<Lowered, LowerError> {
    let threads = start_threads(&mut module, options, ordinals)?;
    module.float_bits = needs_float_bits(&module, options);
    translated(&module, options, threads)
}

/// Whether programs in a language are lowered: their compilers leave nothing to a runtime of their own, except
/// exceptions, whose instructions are refused.
fn is_known(language: &str) -> bool {
    let is_c = language.strip_prefix('C').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    language.is_empty() || is_c || language.starts_with("C++") || language == "Rust"
}

/// The function where the program starts.
fn entry_of(module: &Module, options: &Options) -> Result<FnId, LowerError> {
    let entry = module.functions.iter().find(|(_, f)| f.name == options.entry && !f.is_declaration());
    entry.map(|(entry, _)| entry).ok_or_else(|| {
        let bodies = module.functions.values().filter(|function| !function.is_declaration());
        let others = bodies.map(|function| function.name.clone()).collect();
        LowerError::NoEntry { name: options.entry.clone(), others }
    })
}

/// The functions that the entry reaches, the objects that become variables, and the result of the points-to analysis.
fn reached(module: &Module, options: &Options, entry: FnId, is_leaf: IsLeaf) -> (Reach, Promotion, PointsTo) {
    let mut givers = Givers::new();
    loop {
        let reach = Reach::new(module, entry, is_leaf, options.externals, &givers);
        let promotion = Promotion::new(module, &reach, !options.flat, is_leaf);
        let scope = Scope { module, reach: &reach, promotion: &promotion, is_leaf, entry };
        let points = analyse(scope);
        if options.externals == Externals::Inert {
            return (reach, promotion, points);
        }
        // The functions that pass on functions which are called are found by the points-to analysis.
        let found = crate::analyse::flow::givers(scope, &points);
        if found.is_subset(&givers) {
            return (reach, promotion, points);
        }
        givers.extend(found);
    }
}

/// The program of a prepared module.
fn translated(module: &Module, options: &Options, threads: Option<Threads>) -> Result<Lowered, LowerError> {
    let entry = entry_of(module, options)?;
    let is_leaf = |name: &str| options.violated_by_call(name).is_some();
    let (reach, promotion, mut points) = reached(module, options, entry, &is_leaf);
    expect_whole_bytes(module, &reach)?;
    let scope = Scope { module, reach: &reach, promotion: &promotion, is_leaf: &is_leaf, entry };
    let activations = Activations::new(scope, &mut points, options.flat);
    let callees = Callees::new(scope, &points);
    let layout = Layout::new(scope, &activations);
    let coincidences = coincidences(scope, &points, &activations);
    let mut builder = ProgramBuilder::new(&module.name, module.pointer_width);
    builder.program_mut().big_endian = module.big_endian;
    let memory = Memory::new(scope, &points, &layout, &mut builder, options.flat);
    let bools = Bools::new(scope, &points);
    let bounds = Bounds::new(scope, &points, &layout, &activations, &mut builder, options.counts_objects());
    let main_arguments = Arguments::find(scope, &points, &mut builder);
    let counts = options.counts_objects() && bounds.heap.counted;
    let Counters { heap, stack, locals, objects } = counters(&mut builder, &layout, counts);
    let mut cx = Context {
        scope,
        options,
        points: &points,
        callees: &callees,
        layout: &layout,
        memory: &memory,
        bools: &bools,
        builder,
        funcs: FxHashMap::default(),
        cells: FxHashMap::default(),
        activations: &activations,
        bounds: &bounds,
        coincidences: &coincidences,
        heap,
        stack,
        locals,
        objects,
        main_arguments,
        reallocates_in_place: reallocates_in_place(scope, &points),
        accesses: Default::default(),
        global_names: FxHashSet::default(),
        reads: FxHashMap::default(),
        helpers: BTreeMap::new(),
        noted: FxHashSet::default(),
        open: FxHashMap::default(),
        positions: FxHashMap::default(),
        sides: Sides::default(),
        target_names: FxHashMap::default(),
    };
    globals(&mut cx);
    assumptions(&mut cx, threads.is_some());
    translate_functions(&mut cx)?;
    finished(cx, threads)
}

/// Refuses variables with vectors whose elements share bytes: their initial values are laid out by element.
fn expect_whole_bytes(module: &Module, reach: &Reach) -> Result<(), LowerError> {
    let mut variables = reach.globals.iter().map(|&id| &module.globals[id]);
    match variables.find(|global| shares_bytes(module, global.ty)) {
        None => Ok(()),
        Some(global) => Err(LowerError::Unsupported {
            place: format!("variable {}", global.name),
            what: VECTOR_OF_BITS.into(),
            overridable: false,
        }),
    }
}

/// The counters of a program: the next address of each arena, and the objects of the heap where they count.
struct Counters {
    heap: VarId,
    stack: VarId,
    locals: VarId,
    objects: Option<VarId>,
}

fn counters(builder: &mut ProgramBuilder, layout: &Layout, counts: bool) -> Counters {
    let pointer = builder.program().pointer_width;
    let mut counter =
        |name: &str, start: u64| builder.global(name, Type::Bv(pointer), Some(Value::bv(pointer, start)));
    Counters {
        heap: counter(HEAP_NEXT, layout.heap.start),
        stack: counter(STACK_NEXT, layout.stack.start),
        locals: counter("locals.next", layout.locals.start),
        objects: counts.then(|| counter("heap.objects", 0)),
    }
}

/// Whether a reallocation may leave an object where it is: the program can see that.
fn reallocates_in_place(scope: Scope, points: &PointsTo) -> bool {
    let functions = &scope.reach.functions;
    let calls_realloc =
        |&id: &FnId| libc::effect(&scope.module.functions[id].name) == libc::Effect::Reallocate;
    functions.iter().any(calls_realloc) && functions.iter().any(|&id| sees_addresses(scope, points, id))
}

/// The program of translated functions, interleaved if it has threads.
fn finished(mut cx: Context, threads: Option<Threads>) -> Result<Lowered, LowerError> {
    let (module, layout) = (cx.scope.module, cx.layout);
    let entry = cx.funcs[&cx.scope.entry];
    cx.builder.set_entry(entry);
    cx.builder.drop_unused_variables();
    cx.builder.program_mut().cells = named_cells(module, layout);
    let (accesses, mut sides) = (cx.accesses, cx.sides);
    let program = cx.builder.finish_with(sides.edges_mut());
    let mut program = program.map_err(|faults| LowerError::Invalid(faults[0].to_string()))?;
    if let Some(threads) = threads {
        program = crate::threads::product::interleave(&program, &threads, cx.options)?;
        sides = Sides::default();
    }
    let texts = texts(module, layout, &program);
    program.cells.extend(texts);
    Ok(Lowered { program, accesses, sides })
}

/// Declares and defines the functions that have a body and are no targets.
fn translate_functions(cx: &mut Context) -> Result<(), LowerError> {
    let Scope { module, reach, is_leaf, .. } = cx.scope;
    let is_translated = |id: &FnId| {
        let function = &module.functions[*id];
        !function.is_declaration() && (!is_leaf(&function.name) || reach.address_taken.contains(id))
    };
    let functions: Vec<FnId> = reach.functions.iter().copied().filter(is_translated).collect();
    for &id in &functions {
        declare(cx, id)?;
    }
    for &id in &functions {
        define(cx, id)?;
    }
    Ok(())
}

/// The options with the function where the program starts: that of its world, if it is a command.
fn started(module: &Module, options: &Options) -> Options {
    let mut defined = module.functions.values().filter(|function| !function.is_declaration());
    let start = defined.find(|function| crate::models::is_command(&function.name));
    let start = start.filter(|_| options.as_command && options.entry == "main");
    let entry = start.map_or(&options.entry, |start| &start.name);
    // A function of C++ that no other one has the name of can be given without its parameters.
    let mut functions = module.functions.values().filter(|function| !function.is_declaration());
    let named = |function: &&Function| plain(&function.name).is_some_and(|name| name == **entry);
    let is_there = functions.clone().any(|function| function.name == *entry);
    let found = functions.find(named).filter(|_| !is_there && functions.find(named).is_none());
    let entry = found.map_or(entry, |function| &function.name).clone();
    let panics = panics(module).map(|function| function.name.clone()).collect();
    Options { as_command: start.is_some(), entry, panics, ..options.clone() }
}

/// Whether the program inspects the bits of floats, in memory or by instructions. Then floats are represented by their
/// bits.
fn needs_float_bits(module: &Module, options: &Options) -> bool {
    let has_floats = module.types.values().any(|ty| matches!(ty.kind, TyKind::Float(_)));
    let entry = module.functions.iter().find(|(_, f)| f.name == options.entry);
    let Some((entry, _)) = entry.filter(|_| has_floats) else { return false };
    let is_leaf = |name: &str| options.violated_by_call(name).is_some();
    let reach = Reach::new(module, entry, &is_leaf, options.externals, &Givers::new());
    looks_at_float_bits(module, &reach)
        || !options.flat && Promotion::new(module, &reach, true, &is_leaf).mixes_floats
}

/// The functions that the program has and its module has not.
fn left_out(module: &Module) -> Option<String> {
    let global = module.globals.values().find(|global| global.name == LEFT_OUT)?;
    match &global.init {
        Some(Const::Bytes(text)) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    }
}

/// Whether 32-bit code of the x86 family computes with floats by SSE2, for which this toolkit has it compiled.
fn computes_with_sse(module: &Module, reach: &Reach) -> bool {
    let is_float = |ty: TyId| matches!(module.kind(ty), TyKind::Float(FloatKind::F32 | FloatKind::F64));
    let computes =
        |inst: &Inst| matches!(inst.kind, InstKind::Binary(..) | InstKind::Cast(..)) && is_float(inst.ty);
    module.is_x86()
        && module.pointer_width == 32
        && reach
            .functions
            .iter()
            .map(|&id| &module.functions[id])
            .any(|function| function.features.contains("+sse2") && function.insts.values().any(computes))
}

/// Whether a float is read as an integer somewhere, or its sign is copied to another one.
fn looks_at_float_bits(module: &Module, reach: &Reach) -> bool {
    let element = |ty: TyId| match *module.kind(ty) {
        TyKind::Vector(element, _) => element,
        _ => ty,
    };
    let is_float = |ty: TyId| matches!(module.kind(element(ty)), TyKind::Float(_));
    reach.functions.iter().map(|&id| &module.functions[id]).any(|function| {
        function.insts.values().any(|inst| match &inst.kind {
            InstKind::Cast(CastKind::BitCast, operand) => {
                let from = crate::instruction::operand_type(module, function, operand);
                from.is_some_and(|from| is_float(from) != is_float(inst.ty))
            }
            InstKind::Call(call) => crate::instruction::callee(module, call).is_some_and(|(_, callee)| {
                callee.name.starts_with("llvm.copysign") || callee.name.starts_with("copysign")
            }),
            _ => false,
        })
    })
}

/// Creates the variables of promoted globals, and records the names that are taken.
fn globals(cx: &mut Context) {
    let names: Vec<String> = {
        let program = cx.builder.program();
        let regions = program.regions.values().map(|region| region.name.clone());
        regions.chain(program.vars.values().map(|var| var.name.clone())).collect()
    };
    cx.global_names.extend(names);
    let module = cx.scope.module;
    for &id in &cx.scope.reach.globals {
        let object = Object::Global(id);
        let Some(cells) = cx.scope.promotion.cells(object) else { continue };
        let global = &module.globals[id];
        for cell in cells.iter().copied() {
            let named = cell_name(global.debug.as_ref(), &global.name, &cell, cells.len());
            let base = format!("{}{}", named.object, named.part).replace(['`', '\n'], "_");
            let mut name = base.clone();
            let mut number = 0;
            while !cx.global_names.insert(name.clone()) {
                number += 1;
                name = format!("{base}.{number}");
            }
            let init = initial_cell(module, global, &cell, cx.layout);
            let var = cx.builder.global(&name, cell.ty, init);
            cx.cells.insert((object, cell.offset), var);
            if let Some(debug) = &global.debug {
                let source = cx.source(debug, &named.part, named.ty);
                cx.builder.program_mut().vars[var].source = Some(source);
            }
        }
    }
}

/// Adds the assumptions about the whole program.
fn assumptions(cx: &mut Context, has_threads: bool) {
    let module = cx.scope.module;
    assumptions_of_variables(cx, has_threads);
    if module.optimised {
        let text = "the compiler optimised the program: undefined behaviour that it removed is not checked";
        cx.note("optimised", text.into(), Direction::MayHideBug, None);
    }
    if let Some(functions) = left_out(module) {
        let text = format!(
            "the program has functions without bitcode, or other ones than its bitcode, which are left out: {functions}"
        );
        cx.note("left-out", text, Direction::Both, None);
    }
    if module.module_asm {
        cx.note("assembly", "assembly outside of functions is ignored".into(), Direction::Both, None);
    }
    let handles_signals = |function: &Function| matches!(function.name.as_str(), "signal" | "sigaction");
    if cx.scope.reach.functions.iter().any(|&id| handles_signals(&module.functions[id])) {
        let text = "only raise and abort send signals";
        cx.note("signal", text.into(), Direction::MayHideBug, None);
    }
    let races = has_threads && cx.options.properties.contains(&Property::NoDataRace);
    let calls = |inst: &Inst| match &inst.kind {
        InstKind::Call(call) => may_access_more(module, call),
        _ => false,
    };
    let mut reached = cx.scope.reach.functions.iter().map(|&id| &module.functions[id]);
    if races && reached.any(|function| function.insts.values().any(calls)) {
        let text = "functions without a body race only where it is known what they access: the first bytes of names and strings, what calls for threads access";
        cx.note("races-of-library", text.into(), Direction::MayHideBug, None);
    }
    if computes_with_sse(module, cx.scope.reach) {
        let text = "floats have the digits of their types, as with -msse2: 32-bit code for the x87 computes with more";
        cx.note("float-digits", text.into(), Direction::Both, None);
    }
    if crate::analyse::alias::punned(cx.scope, cx.points).is_some() {
        let text = "reading memory as another type than it was written as yields the same bytes";
        cx.note("alias", text.into(), Direction::MayHideBug, None);
    }
    if cx.scope.reach.functions.iter().any(|&id| uses_addresses(cx.scope, cx.points, id)) {
        let text = "the result may depend on the numeric addresses of objects, which Beeline chooses";
        cx.note("addresses", text.into(), Direction::Both, None);
    }
    let params =
        crate::translate::signature(module, module.functions[cx.scope.entry].ty).map_or(&[][..], |s| s.1);
    if cx.options.as_command {
        cx.note("command", COMMAND.into(), Direction::MayHideBug, None);
    }
    for text in &cx.options.given {
        cx.note("entry-contract", text.clone(), Direction::MayHideBug, None);
    }
    // The arguments that the system passes to `main` are known.
    let is_main = cx.options.entry == "main";
    let pointers = params.iter().filter(|ty| matches!(module.kind(**ty), TyKind::Ptr)).count();
    if !is_main && pointers > 0 {
        let entry = &cx.options.entry;
        let text = match pointers {
            1 => format!(
                "the pointer argument of {entry} points to memory with any content outside of the program's objects"
            ),
            _ => format!(
                "pointer arguments of {entry} point to memory with any content outside of the program's objects; two of them are equal or do not overlap"
            ),
        };
        cx.note("entry-pointer", text, Direction::Both, None);
    }
}

/// Adds the assumptions about external and thread-local variables.
fn assumptions_of_variables(cx: &mut Context, has_threads: bool) {
    let module = cx.scope.module;
    for &id in &cx.scope.reach.globals {
        let global = &module.globals[id];
        if global.init.is_none() {
            let text = format!(
                "the external variable {} has any initial value and points to separate memory",
                global.name
            );
            cx.note("extern-variable", text, Direction::Both, None);
        }
        let is_kept = cx.scope.promotion.cells(Object::Global(id)).is_none();
        if global.thread_local && has_threads && is_kept {
            let name = global.debug.as_ref().map_or(&global.name, |var| &var.name);
            let text = format!("no use of a pointer to a thread's {name} after the thread has ended");
            cx.note("thread-local", text, Direction::MayHideBug, None);
        }
        if global.thread_local && !has_threads {
            cx.note(
                "thread-local",
                format!("{} exists once: the program has one thread", global.name),
                Direction::Both,
                None,
            );
        }
    }
}

/// Whether a function depends on the places of objects: on the number of an address, or on whether two pointers are
/// equal.
fn sees_addresses(scope: Scope, points: &PointsTo, id: FnId) -> bool {
    let (module, function) = (scope.module, &scope.module.functions[id]);
    let is_pointer = |operand: &Operand| {
        let ty = crate::instruction::operand_type(module, function, operand);
        let null = matches!(operand, Operand::Const(_, Const::Int(_) | Const::Zero));
        !null && ty.is_some_and(|ty| matches!(module.kind(ty), TyKind::Ptr))
    };
    let compares =
        |inst: &Inst| matches!(&inst.kind, InstKind::IntCompare(_, a, b) if is_pointer(a) && is_pointer(b));
    uses_addresses(scope, points, id) || function.insts.values().any(compares)
}

/// Whether a function computes with the number of an address, other than with the distance of two in one object.
fn uses_addresses(scope: Scope, points: &PointsTo, id: FnId) -> bool {
    let (module, function) = (scope.module, &scope.module.functions[id]);
    let is_number = |operand: &Operand| match operand {
        Operand::Inst(inst) => matches!(function.insts[*inst].kind, InstKind::Cast(CastKind::PtrToInt, _)),
        // The import leaves out casts of constants: the type shows them.
        Operand::Const(ty, Const::Global(..) | Const::Func(_)) => !matches!(module.kind(*ty), TyKind::Ptr),
        Operand::Const(_, constant) => matches!(constant, Const::Binary(..) | Const::Resize { .. }),
        _ => false,
    };
    function.insts.values().any(|inst| match &inst.kind {
        InstKind::Binary(BinaryOp::Sub, a, b) if is_number(a) && is_number(b) => {
            let node = |operand| operand_ptr(points, id, operand).map(|ptr| points.find(ptr).node);
            node(a).zip(node(b)).is_some_and(|(a, b)| a != b)
        }
        kind => operands(kind).into_iter().any(is_number),
    })
}
