//! An LLVM module as plain data, whichever version of LLVM read it.
//!
//! Everything after the import works on this, in safe Rust, and is not linked with LLVM. Constant expressions are resolved
//! as far as they can be without addresses: what remains is a global's address with an offset, or an arithmetic
//! expression over such addresses.
//!
//! [`names`] has the functions that Beeline calls in modules that it changes, [`sanitizer`] the checks that clang builds
//! into a module, [`options`] what can be asked of the import, [`producer`] which LLVM wrote a module,
//! [`mangled`] the names that Rust and C++ have for symbols.

pub mod mangled;
pub mod names;
pub mod options;
pub mod producer;
pub mod sanitizer;

use beeline_ir::{Bits, FloatKind};
use cranelift_entity::{PrimaryMap, entity_impl};

/// A type, stored once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TyId(u32);
entity_impl!(TyId, "ty");

/// A global variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// A function, defined or declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FnId(u32);
entity_impl!(FnId, "fn");

/// A basic block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(u32);
entity_impl!(BlockId, "block");

/// An instruction of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// A type with its layout; sizes and offsets are those of the module's data layout, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ty {
    /// The kind of the type.
    pub kind: TyKind,
    /// Distance between consecutive elements of an array of it (0 for void, functions and the like).
    pub size: u64,
    /// Bytes that a store of it writes.
    pub store_size: u64,
    /// Its ABI alignment.
    pub align: u64,
    /// Whether it is how clang represents a union.
    pub is_union: bool,
}

/// Kinds of types.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TyKind {
    /// No value.
    Void,
    /// An integer of a width.
    Int(u32),
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Ptr,
    /// An array: element and length.
    Array(TyId, u64),
    /// A vector of fixed length: element and length.
    Vector(TyId, u64),
    /// A structure: fields with their offsets.
    Struct(Vec<(TyId, u64)>),
    /// A function: result, parameters, whether it takes more arguments.
    Func(TyId, Vec<TyId>, bool),
    /// Anything else (labels, metadata, tokens, scalable vectors ...), by name.
    Other(String),
}

/// A constant.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // The variants' texts name their fields.
pub enum Const {
    /// An integer; a null pointer is the zero of the pointer's width.
    Int(Bits),
    /// A floating-point number by its representation.
    Float(FloatKind, Bits),
    /// Any value, the same at every use of one evaluation or not: undef and poison.
    Undef,
    /// All bytes zero, of any type.
    Zero,
    /// Bytes of an array of `i8`.
    Bytes(Vec<u8>),
    /// Elements of an array, vector or structure.
    Aggregate(Vec<(TyId, Const)>),
    /// The address of a global plus an offset in bytes.
    Global(GlobalId, i64),
    /// The address of a function.
    Func(FnId),
    /// An integer operation (LLVM's opcode) on constants of one width that depends on addresses.
    Binary(BinaryOp, Box<Const>, Box<Const>),
    /// A conversion of an integer that depends on addresses: truncated or extended to a width.
    Resize { to: u32, signed: bool, value: Box<Const> },
    /// Something that the import does not support, for a message.
    Unknown(String),
}

/// An operand of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A constant with its type.
    Const(TyId, Const),
    /// The result of an instruction.
    Inst(InstId),
    /// A parameter of the function.
    Param(u32),
    /// Inline assembly, or anything else that is no value to compute with.
    Other(String),
}

/// Integer and floating-point operations with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
}

/// Conversions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CastKind {
    Trunc,
    ZExt,
    SExt,
    FpTrunc,
    FpExt,
    FpToUi,
    FpToSi,
    UiToFp,
    SiToFp,
    PtrToInt,
    IntToPtr,
    BitCast,
}

/// Comparisons of integers and pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Comparisons of floats: which of the four relations make it true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatPredicate {
    /// Less.
    pub less: bool,
    /// Equal.
    pub equal: bool,
    /// Greater.
    pub greater: bool,
    /// One of them is NaN.
    pub unordered: bool,
}

/// A step of an address computation.
#[derive(Debug, Clone, PartialEq)]
pub struct GepStep {
    /// The index; sign-extended or truncated to the pointer's width.
    pub index: Operand,
    /// The distance in bytes of consecutive indices.
    pub scale: u64,
}

/// Operations of `atomicrmw`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum RmwOp {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin,
    UIncWrap,
    UDecWrap,
    USubCond,
    USubSat,
    FMaximum,
    FMinimum,
}

/// The operation of an instruction.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // The variants' texts name their fields.
pub enum InstKind {
    /// Memory in the frame: type and number of elements, alignment; `dynamic` outside the entry block or
    /// with a number that is no constant.
    Alloca { ty: TyId, count: Operand, align: u64, dynamic: bool },
    /// Reads memory; volatile memory may change on its own.
    Load { addr: Operand, volatile: bool },
    /// Writes memory.
    Store { addr: Operand, value: Operand },
    /// An address: base plus constant offset plus scaled indices (constant ones are in the offset).
    Gep { base: Operand, offset: i64, steps: Vec<GepStep> },
    /// An operation on two operands of one type, vectors by element.
    Binary(BinaryOp, Operand, Operand),
    /// Negation of a float.
    FNeg(Operand),
    /// A comparison of integers or pointers, vectors by element.
    IntCompare(IntPredicate, Operand, Operand),
    /// A comparison of floats, vectors by element.
    FloatCompare(FloatPredicate, Operand, Operand),
    /// A conversion to the instruction's type, vectors by element (but for `BitCast`).
    Cast(CastKind, Operand),
    /// A choice; the condition may be a vector.
    Select(Operand, Operand, Operand),
    /// The value that belongs to the predecessor that control came from.
    Phi(Vec<(BlockId, Operand)>),
    /// The operand, with undef and poison replaced by some value.
    Freeze(Operand),
    /// A part of an aggregate.
    ExtractValue(Operand, Vec<u32>),
    /// An aggregate with one part replaced: aggregate, part.
    InsertValue(Operand, Operand, Vec<u32>),
    /// An element of a vector: vector, index.
    ExtractElement(Operand, Operand),
    /// A vector with one element replaced: vector, element, index.
    InsertElement(Operand, Operand, Operand),
    /// Elements of two vectors; `None` is undef.
    ShuffleVector(Operand, Operand, Vec<Option<u32>>),
    /// A call (also of intrinsics, by their name).
    Call(CallInst),
    /// Compare and exchange: address, expected, new; the result is {old value, success}. A weak one may fail for no reason.
    CmpXchg { addr: Operand, expected: Operand, new: Operand, weak: bool },
    /// Read, modify, write; the result is the old value.
    AtomicRmw { op: RmwOp, addr: Operand, value: Operand },
    /// An order of memory accesses: no effect with one thread.
    Fence,
    /// The next variable argument of a `va_list` (clang expands it itself on most targets).
    VaArg { list: Operand },
    /// Goes on at a block.
    Br(BlockId),
    /// Goes on at the first block if the condition holds, else at the second.
    CondBr(Operand, BlockId, BlockId),
    /// Goes on at the block of the value's case, or at the default.
    Switch { value: Operand, default: BlockId, cases: Vec<(Bits, BlockId)> },
    /// Goes on at the block whose address the operand is.
    IndirectBr { addr: Operand, targets: Vec<BlockId> },
    /// Returns.
    Ret(Option<Operand>),
    /// Is never reached in a correct program.
    Unreachable,
    /// Something that C does not compile to, by LLVM's name of the opcode.
    Unsupported(String),
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallInst {
    /// The callee: `Const::Func`, a value, or inline assembly.
    pub callee: Operand,
    /// The function's type as the call sees it.
    pub ty: TyId,
    /// Arguments.
    pub args: Vec<Operand>,
    /// For each argument, the type of a `byval` attribute of the call.
    pub byval: Vec<Option<TyId>>,
    /// Whether the call is declared not to return.
    pub noreturn: bool,
    /// For inline assembly: what it is.
    pub asm: Option<Assembly>,
}

/// Inline assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembly {
    /// Its template.
    pub text: String,
    /// The constraints of its operands, with commas between them: results, arguments, and what it overwrites.
    pub constraints: String,
    /// Whether instructions are written as Intel does, destination first.
    pub intel: bool,
}

/// A place in a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Index into [`Module::files`].
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, or 0.
    pub col: u32,
}

/// A branch edge: an edge out of a block with several successors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side {
    /// The function, by its position in the module.
    pub function: u32,
    /// The block, by its position in the function.
    pub block: u32,
    /// The successor, by its position in LLVM's list.
    pub way: u32,
}

/// What LLVM says about an instruction. Where one of its assumptions does not hold, the result is poison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// No signed wrap-around.
    pub nsw: bool,
    /// No unsigned wrap-around.
    pub nuw: bool,
    /// No remainder.
    pub exact: bool,
    /// The operand is not negative.
    pub nneg: bool,
    /// No bit is set in both operands.
    pub disjoint: bool,
    /// The operands that are compared have the same sign.
    pub same_sign: bool,
    /// Neither operands nor result are NaN.
    pub nnan: bool,
    /// Neither operands nor result are infinite.
    pub ninf: bool,
    /// The result need not be the one of IEEE 754 (`arcp`, `contract`, `afn`, `reassoc`, `nsz`).
    pub approximate: bool,
    /// Whether it is an atomic access.
    pub atomic: bool,
    /// Whether a sanitizer added it: the source does not contain it.
    pub sanitizer: bool,
    /// Whether it may read memory where no object is, because the program does not want that checked.
    pub unchecked: bool,
    /// Whether a rewrite added it: the module that was read does not contain it.
    pub added: bool,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Inst {
    /// Its operation.
    pub kind: InstKind,
    /// The assumptions about it.
    pub flags: Flags,
    /// The type of its result.
    pub ty: TyId,
    /// Its name in the module, or empty.
    pub name: String,
    /// Its place in the source.
    pub place: Option<Place>,
}

/// A variable of the source, from debug information.
#[derive(Debug, Clone, PartialEq)]
pub struct DebugVar {
    /// Its name.
    pub name: String,
    /// Its type, as C writes it where that is simple, else empty.
    pub ty: String,
    /// The place of its declaration.
    pub place: Option<Place>,
    /// Its scalars, if it is a structure, a union or an array; at most a few hundred.
    pub parts: Vec<Part>,
}

/// A scalar of a structure or union, or the scalars at the same place of all elements of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name, with `[]` for each index: `.next`, `[].length`.
    pub name: String,
    /// Its type, as C writes it where that is simple, else empty.
    pub ty: String,
    /// Its distance in bytes from the variable's start, where all indices are 0.
    pub offset: u64,
    /// For each index, the outermost first, the bytes of an element and the number of elements.
    pub repeats: Vec<(u64, u64)>,
}

impl Part {
    /// The distance of the scalar with a name such as `[2].length`, if it is one of these.
    pub fn offset_of(&self, name: &str) -> Option<u64> {
        let mut texts = self.name.split("[]");
        let mut rest = name.strip_prefix(texts.next()?)?;
        let mut offset = self.offset;
        for (&(bytes, count), text) in self.repeats.iter().zip(texts) {
            let (index, behind) = rest.strip_prefix('[')?.split_once(']')?;
            let index = index.parse().ok().filter(|index| *index < count)?;
            offset = offset.checked_add(bytes.checked_mul(index)?)?;
            rest = behind.strip_prefix(text)?;
        }
        rest.is_empty().then_some(offset)
    }
}

/// A basic block.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    /// Its name in the module, or empty.
    pub name: String,
    /// Its instructions; the last one is a terminator.
    pub insts: Vec<InstId>,
    /// The block of the module that was read whose last part it is, if a rewrite has split that one.
    pub origin: Option<BlockId>,
}

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TyId,
    /// Names of the parameters, or empty.
    pub params: Vec<String>,
    /// For each parameter, the type of a `byval` attribute.
    pub byval: Vec<Option<TyId>>,
    /// Whether it is declared never to return.
    pub noreturn: bool,
    /// Whether it is declared `weak`, so that its address is null if nothing defines it.
    pub weak: bool,
    /// Whether other modules can name it.
    pub exported: bool,
    /// Whether it writes no memory (`memory(none)`, or read-only).
    pub writes_nothing: bool,
    /// Whether jumps lead back into it, so that control does more in it than its branches in the module that was read say.
    pub lands: bool,
    /// The features of the processor that its code may use and must not use, such as `+fma,-sse`.
    pub features: String,
    /// Its position in the list of functions of the module that was read, before anything was linked to that; none if
    /// it was only declared there, or if passes changed the module.
    pub number: Option<u32>,
    /// The number and the place of the call for which this function is a copy, if it is one.
    pub call: Option<(u32, Option<Place>)>,
    /// Blocks, the entry first; none for a declaration.
    pub blocks: PrimaryMap<BlockId, Block>,
    /// Instructions of all blocks (debug intrinsics are left out).
    pub insts: PrimaryMap<InstId, Inst>,
    /// Its place in the source.
    pub place: Option<Place>,
    /// Source variables that are stored in an alloca (`dbg.declare`).
    pub allocas: Vec<(InstId, DebugVar)>,
    /// Where a variable's lifetime begins again and again, outside of the entry block: the instruction after the
    /// declaration, and the alloca.
    pub begins: Vec<(InstId, InstId)>,
    /// Source variables that a value of an instruction or a parameter was at some time (`dbg.value`).
    pub values: Vec<(Operand, DebugVar)>,
}

/// A global variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// The type of its value.
    pub ty: TyId,
    /// Its initial value; none if it is defined elsewhere.
    pub init: Option<Const>,
    /// Whether it is constant.
    pub constant: bool,
    /// Whether other modules can name it.
    pub exported: bool,
    /// Whether its address is not significant, so that it may be one with an equal constant.
    pub unnamed: bool,
    /// Whether it is declared `weak`, so that its address is null if nothing defines it.
    pub weak: bool,
    /// Whether it is thread-local.
    pub thread_local: bool,
    /// Its alignment.
    pub align: u64,
    /// Its section, or empty.
    pub section: String,
    /// The source variable that it is.
    pub debug: Option<DebugVar>,
}

/// A module.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// Its name or the source file's.
    pub name: String,
    /// The target it was compiled for.
    pub triple: String,
    /// Width of a pointer in bits.
    pub pointer_width: u32,
    /// Whether the most significant byte is at the lowest address.
    pub big_endian: bool,
    /// Types.
    pub types: PrimaryMap<TyId, Ty>,
    /// Global variables. Aliases are resolved to their aliasees.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions.
    pub functions: PrimaryMap<FnId, Function>,
    /// Source files.
    pub files: Vec<String>,
    /// Whether there is assembly outside of functions.
    pub module_asm: bool,
    /// Whether the program inspects the bits of floats, so that those of NaNs matter.
    pub float_bits: bool,
    /// Whether the compiler optimised it, according to its debug information.
    pub optimised: bool,
    /// The source language that the debug information names, such as `C11`, or empty.
    pub language: String,
}

impl Module {
    /// The kind of a type.
    pub fn kind(&self, ty: TyId) -> &TyKind {
        &self.types[ty].kind
    }

    /// Whether it was compiled for a processor of the x86 family.
    pub fn is_x86(&self) -> bool {
        let architecture = self.triple.split('-').next().unwrap_or_default();
        matches!(architecture, "x86_64" | "i386" | "i486" | "i586" | "i686")
    }
}

impl Function {
    /// A function with so many parameters that is not visible outside, and without a block.
    pub fn new(name: &str, ty: TyId, params: usize) -> Function {
        Function {
            name: name.into(),
            ty,
            params: vec![String::new(); params],
            byval: vec![None; params],
            noreturn: false,
            weak: false,
            exported: false,
            writes_nothing: false,
            lands: false,
            features: String::new(),
            number: None,
            call: None,
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            place: None,
            allocas: Vec::new(),
            begins: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Whether it has no body.
    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }
}
