//! Lines in which a program does not want some checks, from variables of its own: `FILE:FIRST:LAST:CHECK`.

use crate::import::debug::Debug;
use crate::raw::{Inst, RawModule};
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use std::path::Path;

/// The prefix of these variables.
const VARIABLE: &str = "beeline_unchecked";
/// The prefix of functions that sanitizers call where a check fails.
const HANDLER: &str = "__ubsan_handle_";

/// CBMC's name of the check that memory is accessed where an object is.
pub(crate) const POINTER: &str = "pointer";

/// Some lines, and the check that is not wanted there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Region {
    file: String,
    first: u32,
    last: u32,
    check: String,
}

/// The lines of all variables.
pub(crate) struct Unchecked(Vec<Region>);

impl Unchecked {
    pub(crate) fn read(module: &RawModule<'_>) -> Unchecked {
        let variables = module.globals().into_iter().filter(|global| global.name().starts_with(VARIABLE));
        let texts = variables.filter_map(|global| global.initializer()?.byte_string());
        let lines = texts.flat_map(|bytes| {
            let text = String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_string();
            text.lines().filter_map(region).collect::<Vec<_>>()
        });
        Unchecked(lines.collect())
    }

    /// Whether a check is not wanted at an instruction.
    pub(crate) fn has<'m>(&self, debug: &mut Debug<'m>, inst: Inst<'m>, check: &str) -> bool {
        let Some(place) = debug.inst_place(inst).filter(|_| !self.0.is_empty()) else { return false };
        let file = Path::new(&debug.files[place.file as usize]);
        self.0.iter().any(|region| {
            region.check == check
                && (region.first..=region.last).contains(&place.line)
                && (file.ends_with(&region.file) || Path::new(&region.file).ends_with(file))
        })
    }

    /// The calls of handlers that are not wanted, as positions of their functions and in these.
    pub(crate) fn handlers(&self, module: &RawModule<'_>) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        if self.0.is_empty() {
            return found;
        }
        let mut debug = Debug::new(module);
        for (number, function) in module.functions().into_iter().enumerate() {
            for (at, inst) in function.insts().into_iter().enumerate() {
                let check = check(inst).filter(|check| self.has(&mut debug, inst, check));
                found.extend(check.map(|_| (number, at)));
            }
        }
        found
    }
}

fn region(line: &str) -> Option<Region> {
    let mut parts = line.rsplitn(4, ':');
    let (check, last, first) =
        (parts.next()?.to_string(), parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(Region { file: parts.next()?.to_string(), first, last, check })
}

/// CBMC's name of the check that failed where an instruction calls a handler. Handlers of overflows are distinguished
/// by what they check.
fn check(inst: Inst<'_>) -> Option<&'static str> {
    if inst.opcode() != LLVMOpcode::LLVMCall || inst.callee().kind() != LLVMValueKind::LLVMFunctionValueKind {
        return None;
    }
    let name = inst.callee().name();
    let kind = name.strip_prefix(HANDLER)?;
    if kind.starts_with("implicit_conversion") || kind.starts_with("float_cast_overflow") {
        return Some("conversion");
    }
    if kind.starts_with("out_of_bounds") {
        return Some("bounds");
    }
    let is_of_numbers = ["add", "sub", "mul", "negate"].iter().any(|operation| kind.starts_with(operation));
    is_of_numbers.then(|| match inst.overflows_unsigned() {
        true => "unsigned-overflow",
        false => "signed-overflow",
    })
}
