//! A module made ready to run natively: every call of a violation is reported before it is made.

use super::debug::Debug;
use super::raw::{Attributes, Context, Inst, RawModule, Type, Value};
use super::{ImportError, read};
use crate::options::handler_of_trap;
use beeline_ir::FloatKind;
use llvm_sys::{LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

/// The function that a native module calls before a violation, with the number of the [`Site`]. Whoever
/// links the module defines it: `void beeline_reached(int)`.
pub const REACHED: &str = "beeline_reached";
/// What the function is called where the program starts, unless that is a `main` without parameters.
pub const ENTRY: &str = "beeline_entry";

/// A module that reports violations, and what it needs from outside.
#[derive(Debug, Clone)]
pub struct Native {
    /// The bitcode.
    pub bitcode: Vec<u8>,
    /// Where it reports violations, by number.
    pub sites: Vec<Site>,
    /// The functions that it declares, intrinsics of LLVM's aside.
    pub declared: Vec<Declared>,
    /// The global variables that it declares.
    pub variables: Vec<DeclaredVariable>,
    /// The parameters of the function where the program starts, if it is called [`ENTRY`].
    pub entry: Option<Declared>,
    /// Bits of a pointer.
    pub pointer_width: u32,
}

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
    /// What it returns.
    pub result: NativeType,
    /// Its parameters.
    pub params: Vec<NativeType>,
    /// Does it never return?
    pub noreturn: bool,
}

/// A global variable that is defined elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredVariable {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
}

/// A type as far as calls need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NativeType {
    /// Nothing.
    Void,
    /// An integer.
    Int {
        /// Its bits.
        width: u32,
        /// Is its sign extended when it is passed?
        signed: bool,
    },
    /// A floating-point number.
    Float(FloatKind),
    /// An address.
    Pointer,
    /// Something else, as LLVM writes it.
    Other(String),
}

/// Makes a module ready: `entry` is the function where the program starts, `is_violation` says of which
/// functions a call is a violation.
pub fn native(
    bytes: &[u8],
    name: &str,
    entry: &str,
    is_violation: impl Fn(&str) -> bool,
) -> Result<Native, ImportError> {
    let context = Context::new();
    let mut module = read(&context, bytes, name)?;
    let pointer_width = module.layout().pointer_size() * 8;
    let functions = module.functions();
    let start = functions.iter().find(|function| function.name() == entry);
    let start = start.map(|&function| declared(function));
    let start = start.filter(|start| entry != "main" || !start.params.is_empty());
    let elsewhere = functions.iter().filter(|function| function.is_declaration());
    let elsewhere = elsewhere.filter(|function| !function.name().starts_with("llvm."));
    let mut native = Native {
        bitcode: Vec::new(),
        sites: sites(&module, &is_violation),
        declared: elsewhere.map(|&function| declared(function)).collect(),
        variables: variables(&module),
        entry: start,
        pointer_width,
    };
    let mut number = 0..;
    module.call_before(REACHED, |function, inst, first| {
        violation_at(function, inst, first, &is_violation).and_then(|_| number.next())
    });
    if native.entry.is_some() {
        module.relink(|symbol| (symbol.name() == entry).then_some(LLVMLinkage::LLVMExternalLinkage));
        module.rename(|name| match name {
            _ if name == entry => Some(ENTRY.into()),
            "main" => Some("beeline_main".into()),
            _ => None,
        });
    }
    native.bitcode = module.bitcode();
    Ok(native)
}

/// The violation that is reported before an instruction, the first of its function or not: the function
/// whose call it is, and whether the instruction is that call. The other reports are made where a
/// function begins that was called through a pointer.
fn violation_at(
    function: Value<'_>,
    inst: Inst<'_>,
    first: bool,
    is_violation: &impl Fn(&str) -> bool,
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
fn sites(module: &RawModule<'_>, is_violation: &impl Fn(&str) -> bool) -> Vec<Site> {
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

/// The global variables that are defined elsewhere.
fn variables(module: &RawModule<'_>) -> Vec<DeclaredVariable> {
    let layout = module.layout();
    let elsewhere = module.globals().into_iter().filter(|global| global.is_declaration());
    let variable = |global: Value<'_>| {
        let ty = global.value_type();
        DeclaredVariable { name: global.name(), size: if ty.is_sized() { layout.size(ty) } else { 0 } }
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
