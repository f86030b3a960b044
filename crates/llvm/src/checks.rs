//! Assertions about what no sanitizer of clang checks: floats that become infinite or NaN, and pointers that leave
//! their objects. Each assertion is a call of a function of [`beeline_module::names`], whose argument is
//! whether it holds.

use crate::import::address::walk_address;
use crate::import::debug::Debug;
pub use crate::raw::checks::Kind;
use crate::raw::checks::{Callees, Site};
use crate::raw::{Context, Inst, RawModule};
use crate::read::{ImportError, read};
use crate::unchecked::Unchecked;
use llvm_sys::LLVMOpcode;
use thiserror::Error;

const CALLEES: Callees = Callees {
    finite: c"beeline_is_finite",
    number: c"beeline_is_number",
    within: c"beeline_is_within",
    asked: c"beeline_leads_within",
};

/// The prefixes of verifiers' functions: nothing is asserted in them.
const OURS: [&str; 2] = ["beeline_", "__CPROVER_"];

/// Why assertions cannot be put into a module.
#[derive(Debug, Error)]
pub enum CheckError {
    /// The module cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Changing the module broke it, which is a bug in Beeline.
    #[error("putting assertions in broke the module, which is a bug in it: {0}")]
    Broken(String),
}

/// Puts assertions of these kinds into a module, and removes checks of sanitizers from lines where the program does not
/// want them.
pub fn check(bytes: &[u8], name: &str, kinds: &[Kind]) -> Result<Vec<u8>, CheckError> {
    let context = Context::new();
    let mut module = read(&context, bytes, name)?;
    let unchecked = Unchecked::read(&module);
    let (sites, unwanted) = (sites(&module, &unchecked, kinds), unchecked.handlers(&module));
    module.never_reach(&unwanted);
    module.assert_all(&sites, CALLEES);
    module.verify().map_err(CheckError::Broken)?;
    Ok(module.bitcode())
}

/// The instructions that assertions of these kinds are about.
fn sites(module: &RawModule<'_>, unchecked: &Unchecked, asked: &[Kind]) -> Vec<Site> {
    let mut debug = Debug::new(module);
    let mut found = Vec::new();
    for (number, function) in module.functions().into_iter().enumerate() {
        let name = function.name();
        if function.is_declaration() || OURS.iter().any(|ours| name.starts_with(ours)) {
            continue;
        }
        for (at, inst) in function.insts().into_iter().enumerate() {
            let mut kinds = kinds_of(module, inst);
            kinds.retain(|kind| asked.contains(kind) && !unchecked.has(&mut debug, inst, check_of(*kind)));
            if !kinds.is_empty() {
                found.push(Site { function: number, at, kinds });
            }
        }
    }
    found
}

/// The kinds of assertions that an instruction may need.
fn kinds_of(module: &RawModule<'_>, inst: Inst<'_>) -> Vec<Kind> {
    use LLVMOpcode::*;
    match inst.opcode() {
        LLVMGetElementPtr if moves(module, inst) => vec![Kind::PointerOverflow],
        LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv => vec![Kind::FloatOverflow, Kind::Nan],
        // A conversion never results in NaN.
        LLVMFPTrunc | LLVMSIToFP | LLVMUIToFP => vec![Kind::FloatOverflow],
        _ => Vec::new(),
    }
}

/// Whether an address computation steps from one element to another one: fields of structures do not count.
fn moves(module: &RawModule<'_>, inst: Inst<'_>) -> bool {
    walk_address(inst.value(), module.layout()).is_some_and(|walk| walk.moves)
}

/// CBMC's name of the check of a kind.
fn check_of(kind: Kind) -> &'static str {
    match kind {
        Kind::FloatOverflow => "float-overflow",
        Kind::Nan => "nan",
        Kind::PointerOverflow => "pointer-overflow",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_module::names::{ASKED, FINITE, NUMBER, WITHIN};

    const TEXT: &str = "define double @f(double %a, i64 %n, ptr %p) {
 %b = fdiv double %a, 3.0
 %c = sitofp i64 %n to double
 %d = fptrunc double %c to float
 %q = getelementptr inbounds i32, ptr %p, i64 %n
 %r = getelementptr inbounds i32, ptr %p, i64 1
 %x = load i32, ptr %r
 %s = getelementptr inbounds { i32, i32 }, ptr %p, i32 0, i32 1
 store ptr %q, ptr %p
 store ptr %s, ptr %p
 ret double %b
}
define float @beeline_own(float %a) {
 %b = fadd float %a, %a
 ret float %b
}
";

    /// The instructions of the module with assertions of these kinds.
    fn insts(text: &str, kinds: &[Kind]) -> Vec<String> {
        let bitcode = check(text.as_bytes(), "a.ll", kinds).unwrap();
        let context = Context::new();
        let module = read(&context, &bitcode, "a.bc").unwrap();
        let defined = module.functions().into_iter().filter(|function| !function.is_declaration());
        defined.flat_map(|function| function.insts()).map(|inst| inst.value().print()).collect()
    }

    fn count(insts: &[String], what: &str) -> usize {
        insts.iter().filter(|inst| inst.contains(what)).count()
    }

    fn calls(text: &str, kinds: &[Kind]) -> [usize; 4] {
        let insts = insts(text, kinds);
        [FINITE, NUMBER, WITHIN, ASKED].map(|name| count(&insts, &format!("@{name}(")))
    }

    #[test]
    fn only_what_is_asked_for_is_asserted() {
        assert_eq!(calls(TEXT, &[]), [0; 4]);
        // A conversion never results in NaN.
        assert_eq!(calls(TEXT, &[Kind::FloatOverflow]), [3, 0, 0, 0]);
        assert_eq!(calls(TEXT, &[Kind::Nan]), [0, 1, 0, 0]);
        // What is only accessed is left to the checks of accesses, and fields lie in their structures.
        assert_eq!(calls(TEXT, &[Kind::PointerOverflow]), [0, 0, 1, 1]);
    }

    #[test]
    fn a_pragma_disables_the_check_that_it_names_and_no_other() {
        let debug = "@beeline_unchecked = constant [17 x i8] c\"a.c:3:4:CHECKNAM\\00\"
define float @f(float %a) !dbg !4 {
 %b = fadd float %a, %a, !dbg !7
 ret float %b, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"a.c\", directory: \"/\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!4 = distinct !DISubprogram(name: \"f\", file: !1, line: 2, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 3, column: 5, scope: !4)
";
        let without = |check: &str| {
            let text = format!("a.c:3:4:{check}\\00");
            let variable = format!("[{} x i8] c\"{text}\"", text.len() - 2);
            debug.replace("[17 x i8] c\"a.c:3:4:CHECKNAM\\00\"", &variable)
        };
        let both = [Kind::FloatOverflow, Kind::Nan];
        assert_eq!(calls(&without("conversion"), &both), [1, 1, 0, 0]);
        assert_eq!(calls(&without("float-overflow"), &both), [0, 1, 0, 0]);
        assert_eq!(calls(&without("nan"), &both), [1, 0, 0, 0]);
    }

    #[test]
    fn floats_of_all_types_and_vectors_are_asserted() {
        for ty in ["half", "bfloat", "float", "double", "x86_fp80", "fp128"] {
            let text = format!("define {ty} @f({ty} %a) {{\n %b = fadd {ty} %a, %a\n ret {ty} %b\n}}\n");
            assert_eq!(calls(&text, &[Kind::FloatOverflow, Kind::Nan]), [1, 1, 0, 0], "{ty}");
        }
        let text = "define <2 x float> @f(<2 x float> %a) {\n %b = fadd <2 x float> %a, %a\n ret <2 x float> %b\n}\n";
        let insts = insts(text, &[Kind::FloatOverflow]);
        // The result and two operands, of two elements.
        assert_eq!([count(&insts, "extractelement"), count(&insts, "@beeline_is_finite(i1")], [6, 1]);
    }

    #[test]
    fn elements_of_arrays_are_pointers_that_are_moved() {
        let text = "define void @f(ptr %p, i64 %n, i64 %m) {
 %q = getelementptr inbounds [4 x i32], ptr %p, i64 0, i64 %n
 %r = getelementptr inbounds [4 x i32], ptr %p, i64 0, i64 0
 %s = getelementptr inbounds [3 x [4 x i32]], ptr %p, i64 0, i64 %n
 %t = getelementptr inbounds [4 x i32], ptr %s, i64 0, i64 %m
 %x = load i32, ptr %t
 store ptr %q, ptr %p
 store ptr %r, ptr %p
 ret void
}
";
        // The array itself does not move; of the element of the matrix, which is only accessed, the offsets count.
        assert_eq!(calls(text, &[Kind::PointerOverflow]), [0, 0, 3, 1]);
        // The pointer to the row is kept, too.
        let kept = text.replace("store ptr %r", "store ptr %s");
        assert_eq!(calls(&kept, &[Kind::PointerOverflow]), [0, 0, 3, 2]);
    }

    #[test]
    fn an_offset_is_a_number_of_the_width_of_pointers() {
        let bounds = |layout: &str, index: &str, element: &str| {
            let text = format!(
                "target datalayout = \"{layout}\"\ndefine ptr @f(ptr %p, {index} %n) {{
 %q = getelementptr inbounds {element}, ptr %p, {index} %n\n ret ptr %q\n}}\n"
            );
            let insts = insts(&text, &[Kind::PointerOverflow]);
            let bound = |inst: &String| Some(inst.split_once("icmp ")?.1.to_string());
            insts.iter().filter_map(bound).collect::<Vec<_>>()
        };
        let (wide, narrow) = ("e-p:64:64", "e-p:32:32");
        let limits =
            |ty: &str, limit: i64| vec![format!("sge {ty} %n, -{limit}"), format!("slt {ty} %n, {limit}")];
        assert_eq!(bounds(wide, "i64", "i32"), limits("i64", 1 << 61));
        assert_eq!(bounds(narrow, "i32", "i32"), limits("i32", 1 << 29));
        assert_eq!(bounds(narrow, "i64", "i8"), limits("i64", 1 << 31));
        assert_eq!(bounds(wide, "i64", "i8"), Vec::<String>::new());
        assert_eq!(bounds(wide, "i32", "i32"), Vec::<String>::new());
    }
}
