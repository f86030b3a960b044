//! Prepares a module for a native run: every call of a violation is reported before it is made.

use crate::import::debug::Debug;
use crate::raw::{Attributes, Context, Inst, RawModule, Report, Says, Type, Value};
use crate::read::{ImportError, read};
use beeline_ir::FloatKind;
use beeline_module::DebugVar;
use beeline_module::names::BEFORE_RETURN;
use beeline_module::sanitizer::handler_of_trap;
use llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

/// The function that a native module calls before a violation, with the number of the [`Site`]. The program that links
/// the module defines it: `void beeline_reached(int)`.
pub const REACHED: &str = "beeline_reached";
/// The function that a native module calls where the lifetime of memory begins, with its address and the number of the
/// [`Storage`]: `void beeline_fill(void *, int)`.
pub const FILL: &str = "beeline_fill";
/// The function that a native module calls at scheduling points, with the number of the point:
/// `void beeline_point(int)`.
pub const POINT: &str = "beeline_point";
/// Functions of threads that the program which links the module defines, with `beeline_` before the name.
pub const SCHEDULED: [&str; 13] = [
    "pthread_create",
    "thrd_create",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "cnd_wait",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "cnd_timedwait",
    "pthread_mutex_timedlock",
    "mtx_timedlock",
    "sem_timedwait",
    "pthread_exit",
    "thrd_exit",
];
/// The name of the function where the program starts, unless that is a `main` without parameters.
pub const ENTRY: &str = "beeline_entry";

/// A module that reports violations, and what it needs from outside.
#[derive(Debug, Clone)]
pub struct Native {
    /// The bitcode.
    pub bitcode: Vec<u8>,
    /// The places where it reports violations, by number.
    pub sites: Vec<Site>,
    /// The functions that it declares, intrinsics of LLVM's aside.
    pub declared: Vec<Declared>,
    /// The global variables that it declares.
    pub variables: Vec<DeclaredVariable>,
    /// The parameters of the function where the program starts, if it is called [`ENTRY`].
    pub entry: Option<Declared>,
    /// The width of a pointer in bits.
    pub pointer_width: u32,
    /// The places where it reports the start of a lifetime of memory, by number.
    pub storage: Vec<Storage>,
    /// Whether it was compiled with `-ffast-math`. Such programs are linked differently: tiny numbers become zero.
    pub fast_math: bool,
}

/// Memory whose content is unknown when its lifetime begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Storage {
    /// A variable of a function, each time that the function is called.
    Variable {
        /// The function.
        function: String,
        /// The variable.
        variable: DebugVar,
    },
    /// The same, each time that control reaches its declaration in a block inside the function.
    Block {
        /// The function.
        function: String,
        /// The variable.
        variable: DebugVar,
    },
    /// The same, each time that a function of the C library reads into it from outside.
    Read {
        /// The function.
        function: String,
        /// The variable.
        variable: DebugVar,
        /// The most bytes; as many as the function's argument says if there is no number.
        limit: Option<u64>,
    },
    /// The result of a function, as clang stores it.
    Result {
        /// The function.
        function: String,
    },
    /// Memory that a function of the C library allocates.
    Heap,
}

/// Functions of the C library that allocate their result, as the models of the lowering count it.
const ALLOCATE: [&str; 10] = [
    "malloc",
    "calloc",
    "realloc",
    "valloc",
    "memalign",
    "aligned_alloc",
    "reallocarray",
    "strdup",
    "strndup",
    "alloca",
];

/// A place where a violation is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The function whose call is the violation.
    pub callee: String,
    /// The function that calls it; none at the callee's own beginning, for calls through pointers.
    pub caller: Option<String>,
    /// File, line and column of the call.
    pub place: Option<(String, u32, u32)>,
}

/// A function that is defined elsewhere, or the one where the program starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The type of its result.
    pub result: NativeType,
    /// Its parameters.
    pub params: Vec<NativeType>,
    /// Whether it never returns.
    pub noreturn: bool,
}

/// A global variable that is defined elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredVariable {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it is thread-local.
    pub thread_local: bool,
}

/// A type as far as calls need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NativeType {
    /// Nothing.
    Void,
    /// An integer.
    Int {
        /// The number of its bits.
        width: u32,
        /// Whether its sign is extended when it is passed.
        signed: bool,
    },
    /// A floating-point number.
    Float(FloatKind),
    /// An address.
    Pointer,
    /// Something else, as LLVM writes it.
    Other(String),
}

/// The reports that a native module shall make.
pub struct Reports<'a> {
    /// The function where the program starts.
    pub entry: &'a str,
    /// Whether a call of a function is a violation.
    pub is_violation: &'a dyn Fn(&str) -> bool,
    /// Whether variables of a function are reported when their lifetimes begin.
    pub fills: &'a dyn Fn(&str) -> bool,
    /// The first of the arguments through which a function of the C library reads from outside into memory.
    pub reads_into: &'a dyn Fn(&str) -> Option<usize>,
    /// The number of the scheduling point in a function before the access or call that so many precede.
    pub point: &'a dyn Fn(&str, u32) -> Option<u32>,
    /// Whether AddressSanitizer checks all functions.
    pub sanitized: bool,
}

/// Prepares a module.
pub fn native(bytes: &[u8], name: &str, reports: &Reports<'_>) -> Result<Native, ImportError> {
    let &Reports { entry, is_violation, fills, reads_into, point, sanitized } = reports;
    let context = Context::new();
    let mut module = read(&context, bytes, name)?;
    module.use_debug_records();
    let pointer_width = module.layout().pointer_size() * 8;
    let functions = module.functions();
    let start = functions.iter().find(|function| function.name() == entry);
    let start = start.map(|&function| declared(function));
    let start = start.filter(|start| entry != "main" || !start.params.is_empty());
    let elsewhere = functions.iter().filter(|function| function.is_declaration());
    let elsewhere = elsewhere.filter(|function| !function.name().starts_with("llvm."));
    let mut native = Native {
        bitcode: Vec::new(),
        sites: sites(&module, is_violation),
        declared: elsewhere.map(|&function| declared(function)).collect(),
        variables: variables(&module),
        entry: start,
        pointer_width,
        storage: Vec::new(),
        fast_math: functions.iter().flat_map(|function| function.insts()).any(is_fast),
    };
    let (storage, calls) = storage(&module, fills, reads_into);
    native.storage = storage;
    module.report(FILL, &calls);
    call_points(&mut module, point);
    let mut number = 0..;
    module.call_before(REACHED, |function, inst, first| {
        violation_at(function, inst, first, is_violation).and_then(|_| number.next())
    });
    if native.entry.is_some() {
        module.relink(|symbol| (symbol.name() == entry).then_some(LLVMLinkage::LLVMExternalLinkage));
        module.rename(|name| match name {
            _ if name == entry => Some(ENTRY.into()),
            "main" => Some("beeline_main".into()),
            _ => None,
        });
    }
    module.rename(|name| SCHEDULED.contains(&name).then(|| format!("beeline_{name}")));
    if sanitized {
        module.sanitize();
    }
    native.bitcode = module.bitcode();
    Ok(native)
}

/// Calls [`POINT`] at scheduling points.
fn call_points(module: &mut RawModule<'_>, point: &dyn Fn(&str, u32) -> Option<u32>) {
    let mut at = (String::new(), 0);
    module.call_before(POINT, |function, inst, first| {
        if first {
            at = (function.name(), 0);
        }
        let counts = match inst.opcode() {
            LLVMOpcode::LLVMLoad
            | LLVMOpcode::LLVMStore
            | LLVMOpcode::LLVMAtomicRMW
            | LLVMOpcode::LLVMAtomicCmpXchg => true,
            LLVMOpcode::LLVMCall => !inst.is_debug_call() && called(inst) != FILL,
            _ => false,
        };
        let ordinal =
            if inst.opcode() == LLVMOpcode::LLVMRet { Some(BEFORE_RETURN) } else { counts.then_some(at.1) };
        at.1 += u32::from(counts);
        point(&at.0, ordinal?)
    });
}

/// The violation that is reported before an instruction, which may be the first of its function: the function whose
/// call it is, and whether the instruction is that call. The other reports are made where a function begins that was
/// called through a pointer.
fn violation_at(
    function: Value<'_>,
    inst: Inst<'_>,
    first: bool,
    is_violation: &dyn Fn(&str) -> bool,
) -> Option<(String, bool)> {
    if inst.opcode() == LLVMOpcode::LLVMCall {
        let callee = inst.callee();
        let is_function = callee.kind() == LLVMValueKind::LLVMFunctionValueKind;
        let name = if is_function { callee.name() } else { String::new() };
        let trap = if name == "llvm.ubsantrap" { inst.value().operand(0).small_int() } else { None };
        let name = trap.map_or(name, handler_of_trap);
        if is_violation(&name) {
            return Some((name, true));
        }
    }
    (first && is_violation(&function.name())).then(|| (function.name(), false))
}

/// The sites, in the order in which the module's instructions are visited.
fn sites(module: &RawModule<'_>, is_violation: &dyn Fn(&str) -> bool) -> Vec<Site> {
    let mut debug = Debug::new(module);
    let mut found = Vec::new();
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        for (index, inst) in function.insts().into_iter().enumerate() {
            let Some((callee, is_call)) = violation_at(function, inst, index == 0, is_violation) else {
                continue;
            };
            let place = debug.inst_place(inst).filter(|_| is_call);
            let place = place.map(|at| (debug.files[at.file as usize].clone(), at.line, at.col));
            found.push(Site { callee, caller: is_call.then(|| function.name()), place });
        }
    }
    found
}

/// Where the lifetime of memory begins or it is read into, with the calls that report it.
fn storage(
    module: &RawModule<'_>,
    fills: &dyn Fn(&str) -> bool,
    reads_into: &dyn Fn(&str) -> Option<usize>,
) -> (Vec<Storage>, Vec<Report>) {
    let mut finder = StorageFinder { debug: Debug::new(module), found: Vec::new(), calls: Vec::new() };
    for (number, function) in module.functions().into_iter().enumerate() {
        if !function.is_declaration() {
            finder.function(number, function, fills, reads_into);
        }
    }
    (finder.found, finder.calls)
}

struct StorageFinder<'m> {
    debug: Debug<'m>,
    found: Vec<Storage>,
    calls: Vec<Report>,
}

impl<'m> StorageFinder<'m> {
    fn note(&mut self, storage: Storage, call: Report) {
        self.calls.push(Report { number: self.found.len() as u32, ..call });
        self.found.push(storage);
    }

    fn function(
        &mut self,
        number: usize,
        function: Value<'m>,
        fills: &dyn Fn(&str) -> bool,
        reads_into: &dyn Fn(&str) -> Option<usize>,
    ) {
        let insts = function.insts();
        let name = function.name();
        let in_entry = function.blocks().first().map_or(0, |block| block.insts().len());
        let mut variables: Vec<(usize, DebugVar)> = Vec::new();
        for (index, &inst) in insts.iter().enumerate() {
            let call = Report { function: number, before: index + 1, pointer: index, number: 0 };
            let called = called(inst);
            let is_result = || inst.value().name() == "retval";
            if inst.opcode() == LLVMOpcode::LLVMAlloca && fills(&name) && is_result() {
                self.note(Storage::Result { function: name.clone() }, call);
            }
            if ALLOCATE.contains(&called.as_str()) && fills("") {
                self.note(Storage::Heap, call);
            }
            if !fills(&name) {
                continue;
            }
            for record in self.debug.records(inst).into_iter().filter(|record| record.says == Says::Address) {
                let Some(alloca) = insts.iter().position(|inst| is_alloca(*inst, record.value)) else {
                    continue;
                };
                let variable = self.debug.variable(record.variable);
                let storage = Storage::Variable { function: name.clone(), variable: variable.clone() };
                self.note(storage, Report { before: alloca + 1, pointer: alloca, ..call });
                if index >= in_entry {
                    let storage = Storage::Block { function: name.clone(), variable: variable.clone() };
                    let before = index + usize::from(inst.is_debug_call());
                    self.note(storage, Report { before, pointer: alloca, ..call });
                }
                variables.push((alloca, variable));
            }
        }
        for (index, &inst) in insts.iter().enumerate() {
            let called = called(inst);
            let Some(first) = reads_into(&called) else { continue };
            let Some(limits) = limits_of(&called, inst, first as u32) else { continue };
            for (argument, limit) in (first as u32..inst.arg_count()).zip(limits) {
                let base = base_of(inst.value().operand(argument));
                let known = variables.iter().find(|(alloca, _)| insts[*alloca].value() == base);
                if let Some((alloca, variable)) = known.cloned() {
                    let storage = Storage::Read { function: name.clone(), variable, limit };
                    let call = Report { function: number, before: index + 1, pointer: alloca, number: 0 };
                    self.note(storage, call);
                }
            }
        }
    }
}

/// The number of bytes that a function reads into each of its pointer arguments from one on. Nothing if the input has a
/// form of its own, such as words, so that not all bytes are possible.
fn limits_of(called: &str, inst: Inst<'_>, first: u32) -> Option<Vec<Option<u64>>> {
    // A pointer that leads nowhere is no argument that is read into.
    if ["fgets", "read", "recv", "fread"].contains(&called) {
        return Some(vec![None; 2]);
    }
    if !called.ends_with("scanf") || first == 0 {
        return None;
    }
    let format = inst.value().operand(first - 1);
    let is_variable = format.kind() == LLVMValueKind::LLVMGlobalVariableValueKind;
    let format = if is_variable { format.initializer()?.byte_string()? } else { return None };
    numbers_read(&String::from_utf8_lossy(&format)).map(|sizes| sizes.into_iter().map(Some).collect())
}

/// The sizes of the numbers that a format of `scanf` reads; nothing if it reads something else.
fn numbers_read(format: &str) -> Option<Vec<u64>> {
    let mut sizes = Vec::new();
    let mut rest = format.trim_end_matches('\0');
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        let conversion = rest.find(|c: char| c.is_ascii_alphabetic() && !"hlLjztq".contains(c))?;
        let (modifiers, kind) = (&rest[..conversion], rest[conversion..].chars().next()?);
        let size = match (modifiers, kind) {
            ("", 'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'f' | 'e' | 'g') => 4,
            ("hh", 'd' | 'i' | 'u' | 'x' | 'X' | 'o') => 1,
            ("h", 'd' | 'i' | 'u' | 'x' | 'X' | 'o') => 2,
            ("ll", 'd' | 'i' | 'u' | 'x' | 'X' | 'o') | ("l", 'f' | 'e' | 'g') => 8,
            _ => return None,
        };
        sizes.push(size);
        rest = &rest[conversion + 1..];
    }
    Some(sizes)
}

/// Whether an instruction has all flags of `-ffast-math`.
fn is_fast(inst: Inst<'_>) -> bool {
    let flags = inst.flags();
    flags.nnan && flags.ninf && flags.approximate
}

/// The name of the function that an instruction calls, or nothing.
fn called(inst: Inst<'_>) -> String {
    if inst.opcode() != LLVMOpcode::LLVMCall {
        return String::new();
    }
    let callee = inst.callee();
    let is_function = callee.kind() == LLVMValueKind::LLVMFunctionValueKind;
    if is_function { callee.name() } else { String::new() }
}

fn is_alloca(inst: Inst<'_>, value: Value<'_>) -> bool {
    inst.value() == value && inst.opcode() == LLVMOpcode::LLVMAlloca
}

/// The object that a pointer points into, if it is the first element of something.
fn base_of(value: Value<'_>) -> Value<'_> {
    let Some(inst) = value.as_inst().filter(|inst| inst.opcode() == LLVMOpcode::LLVMGetElementPtr) else {
        return value;
    };
    let is_zero = |index: u32| inst.value().operand(index).small_int() == Some(0);
    if (1..value.operand_count()).all(is_zero) { value.operand(0) } else { value }
}

/// The global variables that are defined elsewhere.
fn variables(module: &RawModule<'_>) -> Vec<DeclaredVariable> {
    let layout = module.layout();
    let elsewhere = module.globals().into_iter().filter(|global| global.is_declaration());
    let variable = |global: Value<'_>| {
        let ty = global.value_type();
        let size = if ty.is_sized() { layout.size(ty) } else { 0 };
        DeclaredVariable { name: global.name(), size, thread_local: global.is_thread_local() }
    };
    elsewhere.map(variable).collect()
}

fn declared(function: Value<'_>) -> Declared {
    let attributes = Attributes::new();

    let (result, params) = match function.value_type().signature() {
        Some((result, params, _)) => {
            let params = params.into_iter().map(|param| native_type(param, false));
            (native_type(result, function.returns_signed(attributes)), params.collect())
        }
        None => (NativeType::Void, Vec::new()),
    };
    Declared { name: function.name(), result, params, noreturn: function.is_noreturn(attributes) }
}

fn native_type(ty: Type<'_>, signed: bool) -> NativeType {
    match ty.kind() {
        LLVMTypeKind::LLVMVoidTypeKind => NativeType::Void,
        LLVMTypeKind::LLVMPointerTypeKind => NativeType::Pointer,
        LLVMTypeKind::LLVMHalfTypeKind => NativeType::Float(FloatKind::F16),
        LLVMTypeKind::LLVMBFloatTypeKind => NativeType::Float(FloatKind::Bf16),
        LLVMTypeKind::LLVMFloatTypeKind => NativeType::Float(FloatKind::F32),
        LLVMTypeKind::LLVMDoubleTypeKind => NativeType::Float(FloatKind::F64),
        LLVMTypeKind::LLVMX86_FP80TypeKind => NativeType::Float(FloatKind::X87),
        LLVMTypeKind::LLVMFP128TypeKind => NativeType::Float(FloatKind::F128),
        _ => match ty.int_width() {
            Some(width) => NativeType::Int { width, signed },
            None => NativeType::Other(ty.print()),
        },
    }
}
