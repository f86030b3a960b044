//! Assertions about what no sanitizer of clang checks: floats that become infinite or NaN, and pointers that leave
//! their objects. Each assertion is a call of one of [`NAMES`], whose argument is whether it holds.

use crate::import::debug::Debug;
use crate::raw::checks::Callees;
pub use crate::raw::checks::Kind;
use crate::raw::{Context, Inst, RawModule};
use crate::read::{ImportError, read};
use crate::unchecked::Unchecked;
use llvm_sys::LLVMOpcode;
use thiserror::Error;

/// Asserts that no operation on finite floats has an infinite result.
pub const FINITE: &str = "beeline_is_finite";
/// Asserts that no operation on numbers results in NaN.
pub const NUMBER: &str = "beeline_is_number";
/// Asserts that a computed pointer leads into its object, or one past its end.
pub const WITHIN: &str = "beeline_is_within";
/// The functions that assert.
pub const NAMES: [&str; 3] = [FINITE, NUMBER, WITHIN];
/// Returns whether a pointer leads into the object of the pointer that it was made from, or one past its end.
pub const ASKED: &str = "beeline_leads_within";

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
    let is_asked = |kind: Kind| kinds.contains(&kind);
    let unchecked = Unchecked::read(&module);
    let (sites, unwanted) = (sites(&module, &unchecked), unchecked.handlers(&module));
    module.never_reach(&unwanted);
    module.assert_all(&sites, is_asked, CALLEES);
    module.verify().map_err(CheckError::Broken)?;
    Ok(module.bitcode())
}

/// The instructions that an assertion may be about, as positions of their functions and in these.
fn sites(module: &RawModule<'_>, unchecked: &Unchecked) -> Vec<(usize, usize)> {
    let mut debug = Debug::new(module);
    let is_meant = |inst: &Inst<'_>| match inst.opcode() {
        LLVMOpcode::LLVMGetElementPtr => inst.value().operand_count() == 2 && !inst.is_only_accessed(),
        opcode => is_of_floats(opcode),
    };
    let mut found = Vec::new();
    for (number, function) in module.functions().into_iter().enumerate() {
        let name = function.name();
        if !function.is_declaration() && !OURS.iter().any(|ours| name.starts_with(ours)) {
            let insts = function.insts().into_iter().enumerate();
            let wanted = insts
                .filter(|(_, inst)| is_meant(inst) && !unchecked.has(&mut debug, *inst, check_of(*inst)));
            found.extend(wanted.map(|(at, _)| (number, at)));
        }
    }
    found
}

/// CBMC's name of the check of an instruction.
fn check_of(inst: Inst<'_>) -> &'static str {
    if inst.opcode() == LLVMOpcode::LLVMGetElementPtr { "pointer-overflow" } else { "float-overflow" }
}

fn is_of_floats(opcode: LLVMOpcode) -> bool {
    use LLVMOpcode::*;
    matches!(opcode, LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFPTrunc | LLVMSIToFP | LLVMUIToFP)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "define double @f(double %a, i64 %n, ptr %p) {
 %b = fdiv double %a, 3.0
 %c = sitofp i64 %n to double
 %d = fptrunc double %c to float
 %q = getelementptr inbounds i32, ptr %p, i64 %n
 %r = getelementptr inbounds i32, ptr %p, i64 1
 %x = load i32, ptr %r
 %s = getelementptr inbounds [2 x i32], ptr %p, i64 0, i64 %n
 store ptr %q, ptr %p
 store ptr %s, ptr %p
 ret double %b
}
define float @beeline_own(float %a) {
 %b = fadd float %a, %a
 ret float %b
}
";

    fn calls(kinds: &[Kind]) -> [usize; 4] {
        let bitcode = check(TEXT.as_bytes(), "a.ll", kinds).unwrap();
        let context = Context::new();
        let module = read(&context, &bitcode, "a.bc").unwrap();
        let insts = module.functions().into_iter().filter(|function| !function.is_declaration());
        let shown: Vec<String> =
            insts.flat_map(|function| function.insts()).map(|inst| inst.value().print()).collect();
        [FINITE, NUMBER, WITHIN, ASKED].map(|name| {
            let call = format!("@{name}(");
            shown.iter().filter(|inst| inst.contains(&call)).count()
        })
    }

    #[test]
    fn only_what_is_asked_for_is_asserted() {
        assert_eq!(calls(&[]), [0; 4]);
        // A conversion never results in NaN.
        assert_eq!(calls(&[Kind::FloatOverflow]), [3, 0, 0, 0]);
        assert_eq!(calls(&[Kind::Nan]), [0, 1, 0, 0]);
        // What is only accessed is left to the checks of accesses, and elements of arrays to their bounds.
        assert_eq!(calls(&[Kind::PointerOverflow]), [0, 0, 1, 1]);
    }
}
