//! Havocs variables of a module: those with static lifetime where one of its functions begins, and local ones of that
//! function where their lifetimes begin. As inputs, their values can be given to a program that runs.

use crate::raw::statics::Callees;
use crate::raw::{Context, RawModule, Value};
use crate::read::{ImportError, read};
use llvm_sys::LLVMLinkage;
use thiserror::Error;

/// The functions that havoc variables, and one that is called for each variable that a module defines.
const CALLEES: Callees =
    Callees { any: "__VERIFIER_nondet_static_", havoc: c"__CPROVER_havoc_object", watch: c"beeline_watch" };

/// The prefixes of variables of compilers and verifiers: these stay as they are.
const OURS: [&str; 3] = ["llvm.", "beeline_", "__CPROVER_"];

/// The prefixes of local variables that hold any value wherever they are.
const ANYTHING: [&str; 2] = ["beeline_any", "beeline_result"];

/// Why the variables of a module cannot be havocked.
#[derive(Debug, Error)]
pub enum StaticsError {
    /// The module cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// There is no such function.
    #[error("no function {0} with a body")]
    NoFunction(String),
    /// A variable is thread-local.
    #[error("{0} is a thread-local variable; only plain variables can hold any value")]
    Thread(String),
    /// Changing the module broke it, which is a bug in Beeline.
    #[error("this program broke the module by giving variables any value, which is a bug: {0}")]
    Broken(String),
}

/// Havocs local variables of a function where their lifetimes begin and, if `statics` says so, all others of the module
/// where the function begins, except constants.
pub fn forget(bytes: &[u8], name: &str, function: &str, statics: bool) -> Result<Vec<u8>, StaticsError> {
    let context = Context::new();
    let mut module = read(&context, bytes, name)?;
    let variables = if statics { variables(&module)? } else { Vec::new() };
    let functions = module.functions();
    let entry = functions.iter().position(|known| known.name() == function && !known.is_declaration());
    let entry = entry.ok_or_else(|| StaticsError::NoFunction(function.into()))?;
    let is_meant = |inside: &str, name: &str| {
        // The compiler keeps arguments in variables with such names, and literals in others with a point.
        !name.ends_with(".addr")
            && !name.starts_with('.')
            && (inside == function || ANYTHING.iter().any(|ours| name.starts_with(ours)))
    };
    module.forget(entry, &variables, is_meant, CALLEES);
    module.verify().map_err(StaticsError::Broken)?;
    Ok(module.bitcode())
}

/// The variables that are havocked, by their positions.
fn variables(module: &RawModule<'_>) -> Result<Vec<usize>, StaticsError> {
    let is_meant = |global: &Value<'_>| {
        let name = global.name();
        // Variables of the compiler's own are private.
        global.linkage() != LLVMLinkage::LLVMPrivateLinkage
            && !global.is_declaration()
            && !global.is_global_constant()
            && !OURS.iter().any(|ours| name.starts_with(ours))
    };
    let all = module.globals().into_iter().enumerate().filter(|(_, global)| is_meant(global));
    let allowed = |(index, global): (usize, Value<'_>)| match global.is_thread_local() {
        true => Err(StaticsError::Thread(global.name())),
        false => Ok(index),
    };
    all.map(allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, statics: bool) -> Vec<String> {
        let bitcode = forget(text.as_bytes(), "a.ll", "f", statics).unwrap();
        let context = Context::new();
        let module = read(&context, &bitcode, "a.bc").unwrap();
        let f = module.functions().into_iter().find(|function| function.name() == "f").unwrap();
        f.insts().into_iter().map(|inst| inst.value().print().trim().to_string()).collect()
    }

    const TEXT: &str = "@a = global i32 1\n@b = internal global {i32, [2 x i8]} zeroinitializer\n@c = constant i32 3\n@p = global ptr null\n\
        @e = external global i32\n@5 = private unnamed_addr global i32 6\n@beeline_x = global i8 0\n@f.local = internal global i8 4\n\
        define void @beeline_watch(ptr %p, i64 %n) {\n ret void\n}\n\
        define void @f() {\n %x = alloca i16\n %y = alloca i16\n store i16 1, ptr %y\n %z = load i16, ptr %x\n ret void\n}\n";

    #[test]
    fn all_variables_but_constants_hold_anything() {
        let shown = shown(TEXT, true);
        let has = |text: &str| shown.iter().filter(|inst| inst.contains(text)).count();
        let any = |ty: &str| has(&format!("call {ty} @__VERIFIER_nondet_static_"));
        assert_eq!((any("i32"), any("i8"), any("i16"), any("ptr")), (2, 3, 1, 1), "{shown:?}");
        assert_eq!(has("call void @__CPROVER_havoc_object(ptr @b)"), 1, "{shown:?}");
        assert_eq!((has("store"), has("@beeline_watch(")), (8, 4), "{shown:?}");
        assert_eq!(has("@beeline_watch(ptr @b, i64 8)"), 1, "{shown:?}");
        for untouched in ["@c", "@e", "@5", "@beeline_x"] {
            assert_eq!(has(untouched), 0, "{shown:?}");
        }
        assert!(matches!(forget(TEXT.as_bytes(), "a.ll", "g", true), Err(StaticsError::NoFunction(_))));
        let thread = "@t = thread_local global i32 1\ndefine void @f() {\n ret void\n}\n";
        assert!(matches!(forget(thread.as_bytes(), "a.ll", "f", true), Err(StaticsError::Thread(_))));
    }

    #[test]
    fn what_is_read_as_a_truth_value_holds_one() {
        let text = "define i1 @f() {\n %b = alloca i8\n %c = alloca i8\n %x = load i8, ptr %b\n %t = trunc i8 %x to i1\n \
            %y = load i8, ptr %c\n %z = trunc i8 %y to i4\n ret i1 %t\n}\n";
        let shown = shown(text, false);
        let masked: Vec<&String> = shown.iter().filter(|inst| inst.contains(" and i8 ")).collect();
        let (any, stored) = ("__VERIFIER_nondet_static_8", "store i8 %2, ptr %b");
        assert_eq!(masked.len(), 1, "{shown:?}");
        assert_eq!(shown.iter().filter(|inst| inst.contains(any)).count(), 2, "{shown:?}");
        assert!(shown.iter().any(|inst| inst.contains(stored)), "{shown:?}");
    }

    #[test]
    fn local_variables_hold_anything_unless_they_are_set() {
        let shown = shown(TEXT, false);
        let stores: Vec<&String> = shown.iter().filter(|inst| inst.starts_with("store")).collect();
        assert_eq!(stores.len(), 2, "{shown:?}");
        assert!(
            stores[0].ends_with("ptr %x, align 2") && stores[1].starts_with("store i16 1, ptr %y"),
            "{shown:?}"
        );
    }

    #[test]
    fn arrays_of_a_length_that_is_computed_stay_as_they_are() {
        let text = "define void @f() {\n %n = alloca i64\n %k = load i64, ptr %n\n %a = alloca i8, i64 %k\n %b = load i8, ptr %a\n ret void\n}\n";
        let shown = shown(text, false);
        let stores: Vec<&String> = shown.iter().filter(|inst| inst.starts_with("store")).collect();
        assert!(stores.len() == 1 && stores[0].contains("ptr %n,"), "{shown:?}");
    }
}
