//! Code of a program that its bitcode does not have: from C++, from assembly, from objects that something else compiled or changed.
//! It is told where the build ends, and the bitcode says it too, so that each verdict about it lists it as an assumption.

use crate::tools;
use beeline_module::names::LEFT_OUT;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Functions that the compiler and the C library add to each program.
const ADDED: [&str; 23] = [
    "data_start",
    "_start",
    "_init",
    "_fini",
    "deregister_tm_clones",
    "register_tm_clones",
    "__do_global_dtors_aux",
    "frame_dummy",
    "_dl_relocate_static_pie",
    "__libc_csu_init",
    "__libc_csu_fini",
    "call_weak_fn",
    "atexit",
    "at_quick_exit",
    "pthread_atfork",
    "stat",
    "fstat",
    "lstat",
    "fstatat",
    "mknod",
    "mknodat",
    "__stack_chk_fail_local",
    "__x86.get_pc_thunk.bx",
];
/// The prefix of functions that the linker calls in place of others.
const WRAPS: &str = "__wrap_";
/// The number of functions that are named.
const NAMED: usize = 5;

/// The functions of a program that its bitcode does not have, or that it has otherwise, as text; `None` if there are none.
pub(super) fn functions(clang: &Path, program: &Path, bitcode: &Path) -> Result<Option<String>, String> {
    let (native, known) = (symbols(clang, program)?, symbols(clang, bitcode)?);
    if native.is_empty() {
        return Ok(Some("any, as the program has no symbols".into()));
    }
    let is_left_out = |(name, is_weak): (&String, &bool)| {
        let base = name.split('.').next().filter(|base| !base.is_empty()).unwrap_or(name);
        let is_added = ADDED.contains(&name.as_str());
        let wraps = name.strip_prefix(WRAPS).is_some_and(|wrapped| known.contains_key(wrapped));
        match known.get(name).or_else(|| known.get(base)) {
            Some(weak) => wraps || *weak && !is_weak,
            None => !is_added,
        }
    };
    let found: BTreeSet<&str> =
        native.iter().filter(|symbol| is_left_out(*symbol)).map(|(name, _)| name.as_str()).collect();
    if found.is_empty() {
        return Ok(None);
    }
    let named: Vec<&str> = found.iter().copied().take(NAMED).collect();
    let more = match found.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Ok(Some(format!("{}{more}", named.join(", "))))
}

/// The functions that a file defines, and whether another definition may take their places.
fn symbols(clang: &Path, file: &Path) -> Result<BTreeMap<String, bool>, String> {
    let nm = tools::of_llvm(clang, "llvm-nm", "lists the functions of programs")?;
    let output = Command::new(nm).args(["--defined-only", "--format=posix"]).arg(file).output();
    let output = output.map_err(|error| format!("cannot run llvm-nm: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let function = |line: &str| {
        let mut words = line.split(' ');
        let (name, kind) = (words.next()?, words.next()?);
        matches!(kind, "T" | "t" | "W" | "w" | "i").then(|| (name.to_string(), matches!(kind, "W" | "w")))
    };
    Ok(text.lines().filter_map(function).collect())
}

/// A module that says what is left out.
pub(super) fn module(functions: &str) -> String {
    let bytes: String = functions.bytes().map(|byte| format!("\\{byte:02X}")).collect();
    format!("@{LEFT_OUT} = constant [{} x i8] c\"{bytes}\"\n", functions.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_the_text_as_bytes() {
        assert_eq!(module("f\""), format!("@{LEFT_OUT} = constant [2 x i8] c\"\\66\\22\"\n"));
    }
}
