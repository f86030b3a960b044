//! Undefined results and behaviour of LLVM, and their treatment here: one row for each instruction, flag, attribute and
//! intrinsic that the import takes.
//!
//! A result that may be poison or undef is *any value*, an execution that may be undefined is *stuck* and counted, or
//! what happens is *defined*: by the dialect of C that `beeline check` compiles, or by the machine. A convenient
//! constant is never a treatment. `ir-spec/undefined.md` is this table for users.
//!
//! Instructions and flags have their rows by an exhaustive `match`; an intrinsic without a row counts as unknown
//! ([`intrinsic`]).

use beeline_module::{BinaryOp, CastKind, InstKind};
use std::fmt::Write;

/// The treatment of what is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// The result is any value, another one each time.
    Any,
    /// The execution ends, and the operation is counted: if an execution reaches it, nothing is claimed of the program;
    /// where that cannot be excluded, it is an assumption.
    Stuck,
    /// The result is what the sentence says: nothing relies on what LLVM permits.
    Defined(&'static str),
    /// It is noted as an assumption where it occurs.
    Noted,
    /// Nothing is undefined.
    Total,
}

/// A row: its subject, when something is undefined, and the treatment of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The instruction, flag, attribute or intrinsic.
    pub name: &'static str,
    /// When something is undefined.
    pub when: &'static str,
    /// The treatment.
    pub treatment: Treatment,
}

const fn row(name: &'static str, when: &'static str, treatment: Treatment) -> Row {
    Row { name, when, treatment }
}

use Treatment::*;

const OUTSIDE: &str = "the access does not lie in an object";
const WIDE: &str = "the shift is by the width or more";
const DIVISION: &str = "division by zero, or of the least number by -1";
const NO_BOOL: &str =
    "a byte is read as a `_Bool`, holds neither 0 nor 1, and may have been written as something else";
const FROM_FLOAT: &str = "NaN, or the number does not fit";
const NAN: &str = "the sign and the payload of a NaN that is computed";
const ADDRESS: Treatment = Defined("the address is a number; what is accessed there is checked");
const KEPT: Treatment = Defined("what it held, until its variable begins to exist anew");
const MACHINE: Treatment = Defined("the value that was computed: the hint is not used");

/// The row of an instruction.
pub fn instruction(kind: &InstKind) -> Row {
    match kind {
        InstKind::Alloca { .. } => row("alloca", "what the memory holds before it is written", Any),
        InstKind::Load { .. } => row("load", OUTSIDE, Stuck),
        InstKind::Store { .. } => row("store", OUTSIDE, Stuck),
        InstKind::Gep { .. } => row("getelementptr", "the result leaves its object", ADDRESS),
        InstKind::Binary(op, ..) => operation(*op),
        InstKind::FNeg(_) => row("fneg", "", Total),
        InstKind::IntCompare(..) => row("icmp", "", Total),
        InstKind::FloatCompare(..) => row("fcmp", "", Total),
        InstKind::Cast(kind, _) => cast(*kind),
        InstKind::Select(..) => row("select", "", Total),
        InstKind::Phi(_) => row("phi", "", Total),
        InstKind::Freeze(_) => row("freeze", "", Total),
        InstKind::ExtractValue(..) => row("extractvalue", "", Total),
        InstKind::InsertValue(..) => row("insertvalue", "", Total),
        InstKind::ExtractElement(..) => row("extractelement", "the index is outside", Any),
        InstKind::InsertElement(..) => row("insertelement", "the index is outside", Any),
        InstKind::ShuffleVector(..) => row("shufflevector", "elements that the mask leaves open", Any),
        InstKind::Call(_) => row("call", "the function has another type", Stuck),
        InstKind::CmpXchg { .. } => row("cmpxchg", OUTSIDE, Stuck),
        InstKind::AtomicRmw { .. } => row("atomicrmw", OUTSIDE, Stuck),
        InstKind::Fence => row("fence", "", Total),
        InstKind::VaArg { .. } => row("va_arg", "the instruction is refused", Total),
        InstKind::Br(_) | InstKind::CondBr(..) => row("br", "the condition is undef or poison", Any),
        InstKind::Switch { .. } => row("switch", "the value is undef or poison", Any),
        InstKind::IndirectBr { .. } => row("indirectbr", "the address is none of the labels", Stuck),
        InstKind::Ret(_) => row("ret", "", Total),
        InstKind::Unreachable => row("unreachable", "control gets there", Stuck),
        InstKind::Unsupported(_) => row("other instructions", "they are refused", Total),
    }
}

/// The row of an arithmetic operation.
fn operation(op: BinaryOp) -> Row {
    use BinaryOp::*;
    match op {
        Add => row("add", "", Total),
        Sub => row("sub", "", Total),
        Mul => row("mul", "", Total),
        UDiv => row("udiv", DIVISION, Stuck),
        SDiv => row("sdiv", DIVISION, Stuck),
        URem => row("urem", DIVISION, Stuck),
        SRem => row("srem", DIVISION, Stuck),
        And => row("and", "", Total),
        Or => row("or", "", Total),
        Xor => row("xor", "", Total),
        Shl => row("shl", WIDE, Any),
        LShr => row("lshr", WIDE, Any),
        AShr => row("ashr", WIDE, Any),
        FAdd => row("fadd", NAN, Any),
        FSub => row("fsub", NAN, Any),
        FMul => row("fmul", NAN, Any),
        FDiv => row("fdiv", NAN, Any),
        FRem => row("frem", NAN, Any),
    }
}

/// The row of a conversion.
fn cast(kind: CastKind) -> Row {
    match kind {
        CastKind::Trunc => row("trunc", NO_BOOL, Any),
        CastKind::ZExt => row("zext", "", Total),
        CastKind::SExt => row("sext", "", Total),
        CastKind::FpTrunc => row("fptrunc", NAN, Any),
        CastKind::FpExt => row("fpext", NAN, Any),
        CastKind::FpToUi => row("fptoui", FROM_FLOAT, Any),
        CastKind::FpToSi => row("fptosi", FROM_FLOAT, Any),
        CastKind::UiToFp => row("uitofp", "", Total),
        CastKind::SiToFp => row("sitofp", "", Total),
        CastKind::PtrToInt => row("ptrtoint", "", Total),
        CastKind::IntToPtr => row("inttoptr", "the number is no address of an object", ADDRESS),
        CastKind::BitCast => row("bitcast", "", Total),
    }
}

/// The rows of flags, attributes, metadata and constants.
pub const FLAGS: &[Row] = &[
    row("nsw", "the result wraps around as a signed number", Any),
    row("nuw", "the result wraps around as an unsigned number", Any),
    row("exact", "a remainder is lost", Any),
    row("nneg", "the operand is negative", Any),
    row("disjoint", "a bit is set in both operands", Any),
    row("inbounds, nusw, nuw of addresses", "the address leaves its object, or wraps around", ADDRESS),
    row("samesign", "the operands have different signs", Any),
    row("nnan", "an operand or the result is NaN", Any),
    row("ninf", "an operand or the result is infinite", Any),
    row("nsz arcp contract afn reassoc", "always: the result is only near that of IEEE 754", Any),
    row("range, !range", "the value is outside", MACHINE),
    row("nonnull, !nonnull", "the pointer is null", MACHINE),
    row("align, !align", "the address is not aligned", MACHINE),
    row("noundef, !noundef", "the value is undef or poison", MACHINE),
    row("dereferenceable", "the pointer leads to no object", MACHINE),
    row("dead_on_return", "the memory is read after the call", Defined("what it held")),
    row("captures, initializes", "the function does otherwise with the pointer", MACHINE),
    row("noalias", "another pointer leads there as well", MACHINE),
    row("!tbaa", "memory is read as another type than it was written as", MACHINE),
    row("undef, poison", "always", Any),
    row("!nontemporal, !invariant.load", "the memory changes", MACHINE),
];

/// The rows of intrinsics, by the name between `llvm.` and the types.
pub const INTRINSICS: &[Row] = &[
    row("abs", "the least number, if the flag says that it does not occur", Any),
    row("annotation", "", Total),
    row("arithmetic.fence", "", Total),
    row("assume", "the condition does not hold", MACHINE),
    row("bitreverse", "", Total),
    row("bswap", "", Total),
    row("ceil", NAN, Any),
    row("clear_cache", "", Total),
    row("copysign", "", Total),
    row("ctlz", "zero, if the flag says that it does not occur", Any),
    row("ctpop", "", Total),
    row("cttz", "zero, if the flag says that it does not occur", Any),
    row("dbg", "", Total),
    row("debugtrap", "", Total),
    row("donothing", "", Total),
    row("expect", "", Total),
    row("expect.with.probability", "", Total),
    row("experimental.noalias", "", Total),
    row("fabs", "", Total),
    row("floor", NAN, Any),
    row("fma", NAN, Any),
    row("fmuladd", "whether it is rounded once or twice, where the processor has both", Any),
    row("fshl", "", Total),
    row("fshr", "", Total),
    row("invariant", "", Total),
    row("is.constant", "what the optimiser finds out: false, as without it", Noted),
    row("is.fpclass", "", Total),
    row("launder.invariant.group", "", Total),
    row("lifetime", "what the memory holds afterwards", KEPT),
    row("load.relative", OUTSIDE, Stuck),
    row("maxnum", "which zero is the greater", Any),
    row("memcpy", "the ranges overlap", Stuck),
    row("memmove", OUTSIDE, Stuck),
    row("memset", OUTSIDE, Stuck),
    row("minnum", "which zero is the lesser", Any),
    row("modf", NAN, Any),
    row("nearbyint", NAN, Any),
    row("objectsize", "what the optimiser finds out", Noted),
    row("prefetch", "", Total),
    row("pseudoprobe", "", Total),
    row("ptr.annotation", "", Total),
    row("ptrmask", "", Total),
    row("rint", NAN, Any),
    row("round", NAN, Any),
    row("roundeven", NAN, Any),
    row("sadd.sat", "", Total),
    row("sadd.with.overflow", "", Total),
    row("scmp", "", Total),
    row("sideeffect", "", Total),
    row("smax", "", Total),
    row("smin", "", Total),
    row("smul.with.overflow", "", Total),
    row("sqrt", NAN, Any),
    row("ssa.copy", "", Total),
    row("ssub.sat", "", Total),
    row("ssub.with.overflow", "", Total),
    row("stackrestore", "what the memory holds afterwards", KEPT),
    row("stacksave", "", Total),
    row("strip.invariant.group", "", Total),
    row("threadlocal.address", "", Total),
    row("trap", "", Total),
    row("trunc", NAN, Any),
    row("uadd.sat", "", Total),
    row("uadd.with.overflow", "", Total),
    row("ubsantrap", "", Total),
    row("ucmp", "", Total),
    row("umax", "", Total),
    row("umin", "", Total),
    row("umul.with.overflow", "", Total),
    row("usub.sat", "", Total),
    row("usub.with.overflow", "", Total),
    row("va_copy", "", Total),
    row("va_end", "", Total),
    row("va_start", "", Total),
    row("vector.reduce.add", "", Total),
    row("vector.reduce.and", "", Total),
    row("vector.reduce.mul", "", Total),
    row("vector.reduce.or", "", Total),
    row("vector.reduce.smax", "", Total),
    row("vector.reduce.smin", "", Total),
    row("vector.reduce.umax", "", Total),
    row("vector.reduce.umin", "", Total),
    row("vector.reduce.xor", "", Total),
];

/// The row of an intrinsic, if it is known.
pub fn intrinsic(base: &str) -> Option<&'static Row> {
    INTRINSICS.binary_search_by(|row| row.name.cmp(base)).ok().map(|index| &INTRINSICS[index])
}

impl Treatment {
    /// The treatment in words.
    fn words(self) -> &'static str {
        match self {
            Any => "any value",
            Stuck => "stuck and counted",
            Defined(how) => how,
            Noted => "an assumption says so",
            Total => "",
        }
    }
}

/// The table in the form of the page `ir-spec/undefined.md`: rows in which something is undefined.
pub fn page(instructions: &[Row]) -> String {
    let mut text = String::from(
        "# What LLVM leaves undefined\n\n\
         A result that may be poison or undef is *any value*, another one each time. Where the execution itself is\n\
         undefined, it is *stuck*, and the operation is counted: if an execution is found that gets there, the verdict is\n\
         `unknown`, or with `--undefined continue` about the others, and says so; an assumption is listed where none is found and\n\
         none can be excluded. A test compares\n\
         this page with the table in the code (`crates/lower/src/undefined.rs`), which the lowering is made from;\n\
         what is not in the table is refused or named as an assumption.\n\n\
         A call of `fork`, for one, has no model, and is stuck and counted in the same way. Its assumption is of the kind\n\
         `not-modelled`. What happens behind is defined, so `--undefined continue` leaves it as it is.\n\n\
         `beeline check` compiles C with `-fwrapv`, `-fno-strict-aliasing` and `-fno-delete-null-pointer-checks`\n\
         unless a property asks for the sanitizer of overflows or the user asks for optimised code: signed overflow\n\
         wraps around, memory may be read as any type, and no check of a pointer is left out.\n\n\
         With `--property all` a division without a result is a target of its own where no sanitizer of clang looks: between vectors,\n\
         between complex numbers, in `div`, and in bitcode that was made without sanitizers. So is a shift of vectors by too much.\n\n\
         32-bit code for x86 is compiled with `-msse2`, unless the user's flags say `-mno-sse`, so that floats have the digits of their types. A\n\
         verdict about a program that computes with floats lists that as an assumption.\n\n\
         Copies by `strcpy`, `strncpy`, `strcat` and `strncat` of ranges that overlap are stuck and counted as those by `memcpy`.\n",
    );
    let parts =
        [("Instructions", instructions), ("Flags, attributes, constants", FLAGS), ("Intrinsics", INTRINSICS)];
    for (title, rows) in parts {
        let _ = write!(text, "\n## {title}\n\n| what | undefined when | becomes |\n| --- | --- | --- |\n");
        for row in rows.iter().filter(|row| !row.when.is_empty()) {
            let _ = writeln!(text, "| `{}` | {} | {} |", row.name, row.when, row.treatment.words());
        }
        let total: Vec<&str> = rows.iter().filter(|row| row.when.is_empty()).map(|row| row.name).collect();
        let _ = writeln!(text, "\nNothing is undefined of: {}.", total.join(", "));
    }
    text
}
