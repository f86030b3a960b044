//! Options of the lowering, and the reasons why a module cannot be lowered.

use beeline_module::mangled::plain;
use rustc_hash::FxHashSet;
use thiserror::Error;

/// Options of the lowering of a module.
#[derive(Debug, Clone)]
pub struct Options {
    /// The function where the program starts.
    pub entry: String,
    /// Functions whose call is a violation.
    pub targets: Vec<String>,
    /// The properties that must hold, all of them.
    pub properties: Vec<Property>,
    /// Whether all memory is one array of bytes, and no variable is a part of memory.
    pub flat: bool,
    /// Whether to continue where this may miss bugs.
    pub allow_unsound: bool,
    /// The behaviour of functions without a body and without a model.
    pub externals: Externals,
    /// Patterns of names of functions that return any value, beside the usual ones.
    pub inputs: Vec<String>,
    /// Whether any allocation may fail.
    pub malloc_may_fail: bool,
    /// The assumptions about the program's start, in words.
    pub given: Vec<String>,
    /// Whether the program starts as a command, in the world of the models, if one is linked in.
    pub as_command: bool,
    /// The functions of the module that panic, which the lowering finds.
    pub panics: FxHashSet<String>,
}

/// The behaviour of functions that have neither a body nor a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Externals {
    /// They return anything and write nothing, as is the convention of SV-COMP; each call is an assumption.
    #[default]
    Pure,
    /// They write whatever they can access, return any pointer to it, and call back any function that they can access,
    /// any number of times.
    Havoc,
    /// They return anything and do nothing else, not even call the functions that they are given: as CBMC has it. So do
    /// those of the system that are refused elsewhere, and a character is of a class by 1.
    Inert,
}

/// Properties and the calls that violate them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    /// A given function is never called.
    UnreachCall,
    /// No signed integer overflow, as clang's sanitizer sees it.
    NoOverflow,
    /// No access outside of a live object.
    Bounds,
    /// No use of a null pointer.
    Null,
    /// Every access lies in a live object, and is permitted.
    ValidDeref,
    /// Only objects of the heap are freed, once each, by the pointer to their start.
    ValidFree,
    /// No object of the heap is lost: where the program ends, a pointer remains to each that was not freed.
    ValidMemtrack,
    /// The three properties before.
    MemorySafety,
    /// All objects of the heap are freed where the program ends.
    MemoryCleanup,
    /// Memory safety, whatever clang's sanitizers check, and the given functions.
    All,
    /// No execution reaches a place that `beeline-mark` marked.
    Marks,
    /// No check of clang's sanitizers fails.
    Checks,
    /// No two threads access the same memory at the same time, one of them writing.
    NoDataRace,
    /// The threads never all wait for each other.
    NoDeadlock,
    /// Nothing panics: no check of the libraries of Rust and C++ fails, and no exception ends the program.
    Panic,
}

/// The faults of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A null pointer is used.
    Null,
    /// An access lies in no object.
    Outside,
    /// An access to null, outside of objects, or to an object whose lifetime has ended.
    Access,
    /// A call frees something that is not the start of a live object of the heap.
    Free,
    /// An object of the heap remains at the end, and no pointer leads to it.
    Lost,
    /// An object of the heap remains at the end.
    Unfreed,
    /// A division has no result, where no sanitizer looks.
    Division,
    /// A shift is by more than the width, where no sanitizer looks.
    Shift,
}

impl Fault {
    /// The faults of accesses.
    pub(crate) const OF_ACCESSES: [Fault; 3] = [Fault::Access, Fault::Null, Fault::Outside];
}

impl Property {
    /// All properties.
    pub const ALL: [Property; 15] = [
        Property::UnreachCall,
        Property::NoOverflow,
        Property::Bounds,
        Property::Null,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::MemorySafety,
        Property::MemoryCleanup,
        Property::All,
        Property::Marks,
        Property::Checks,
        Property::NoDataRace,
        Property::NoDeadlock,
        Property::Panic,
    ];

    /// The property's name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoOverflow => "no-overflow",
            Property::Bounds => "bounds",
            Property::Null => "null",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::MemorySafety => "memory-safety",
            Property::MemoryCleanup => "memory-cleanup",
            Property::All => "all",
            Property::Marks => "marks",
            Property::Checks => "checks",
            Property::NoDataRace => "no-data-race",
            Property::NoDeadlock => "no-deadlock",
            Property::Panic => "panic",
        }
    }

    /// The name of the property that a fault violates, if the fault violates this one.
    pub fn violated_by(self, fault: Fault) -> Option<&'static str> {
        use Property::*;
        match (fault, self) {
            (Fault::Null, Null) => Some("null"),
            (Fault::Outside, Bounds) => Some("bounds"),
            (Fault::Access, ValidDeref | MemorySafety | All) => Some("valid-deref"),
            (Fault::Free, ValidFree | MemorySafety | All) => Some("valid-free"),
            (Fault::Lost, ValidMemtrack | MemorySafety | All) => Some("valid-memtrack"),
            (Fault::Unfreed, MemoryCleanup) => Some("valid-memcleanup"),
            (Fault::Division, All) => Some("undefined-behaviour"),
            (Fault::Shift, All) => Some(SHIFT),
            _ => None,
        }
    }

    /// The property that a file in the format of SV-COMP asks for, or what else it asks for.
    pub fn parse(text: &str) -> Result<(Property, Option<String>), String> {
        let ltl = text.split("LTL(").nth(1).unwrap_or("").trim();
        if let Some(rest) = ltl.strip_prefix("G ! call(") {
            let name = rest.split(['(', ')']).next().unwrap_or("").trim();
            return Ok((Property::UnreachCall, Some(name.to_string()).filter(|name| !name.is_empty())));
        }
        if ltl.starts_with("G ! overflow") {
            return Ok((Property::NoOverflow, None));
        }
        if ltl.starts_with("G ! data-race") {
            return Ok((Property::NoDataRace, None));
        }
        if let Some(property) = Property::of_memory(text) {
            return Ok((property, None));
        }
        let formula = ltl.trim_end().trim_end_matches(')').trim();
        Err(if formula.is_empty() { "no property".into() } else { formula.to_string() })
    }

    /// The property of memory that a file in the format of SV-COMP asks for, which may be several formulas.
    pub fn of_memory(text: &str) -> Option<Property> {
        let asks = |name: &str| text.contains(&format!("LTL(G {name})"));
        match (asks("valid-deref"), asks("valid-free"), asks("valid-memtrack"), asks("valid-memcleanup")) {
            (true, true, true, false) => Some(Property::MemorySafety),
            (true, false, false, false) => Some(Property::ValidDeref),
            (false, true, false, false) => Some(Property::ValidFree),
            (false, false, true, false) => Some(Property::ValidMemtrack),
            (false, false, false, true) => Some(Property::MemoryCleanup),
            _ => None,
        }
    }

    /// The property that a call of a sanitizer's handler violates.
    pub fn of_handler(name: &str) -> Option<&'static str> {
        let kind = name.strip_prefix("__ubsan_handle_")?;
        let kind = kind.strip_suffix("_abort").unwrap_or(kind);
        let kind = kind.strip_suffix("_minimal").unwrap_or(kind);
        Some(match kind {
            "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" => OVERFLOW,
            "divrem_overflow" => OVERFLOW,
            "out_of_bounds" | "pointer_overflow" => "bounds",
            "type_mismatch" | "type_mismatch_v1" | "nonnull_arg" | "nonnull_return" | "nonnull_return_v1" => {
                "null"
            }
            "shift_out_of_bounds" => SHIFT,
            "builtin_unreachable" | "missing_return" => "unreachable",
            _ => "undefined-behaviour",
        })
    }
}

/// The function that makes the arguments of another one: what it allocates is always there.
pub(crate) const CONTRACT: &str = "__beeline_entry";

/// The property of signed integers.
pub(crate) const OVERFLOW: &str = "no-overflow";
/// The property of shifts.
const SHIFT: &str = "shift";
/// The property of unsigned integers, if they are checked at all.
pub(crate) const UNSIGNED_OVERFLOW: &str = "no-unsigned-overflow";

/// The property of targets that are marks.
pub const MARK_PROPERTY: &str = "reach";

/// The name of targets that are no calls: an access, a call of `free`, the end of the program.
pub const ACCESS_TARGET: &str = "invalid access";
/// See [`ACCESS_TARGET`].
pub const FREE_TARGET: &str = "invalid free";
/// See [`ACCESS_TARGET`].
pub const LEAK_TARGET: &str = "memory not freed";
/// The name of targets that are divisions without a result.
pub const DIVISION_TARGET: &str = "division without a result";
/// The name of targets that are shifts by more than the width.
pub const SHIFT_TARGET: &str = "shift by too much";

impl Default for Options {
    fn default() -> Options {
        Options {
            entry: "main".into(),
            targets: crate::libc::ERRORS.iter().map(|name| name.to_string()).collect(),
            properties: vec![Property::UnreachCall],
            flat: false,
            allow_unsound: false,
            externals: Externals::Pure,
            inputs: Vec::new(),
            malloc_may_fail: false,
            given: Vec::new(),
            as_command: false,
            panics: FxHashSet::default(),
        }
    }
}

impl Options {
    /// The name of the property that a fault violates, if it violates a checked one.
    pub(crate) fn violated_by(&self, fault: Fault) -> Option<&'static str> {
        self.properties.iter().find_map(|property| property.violated_by(fault))
    }

    /// The property that a call of the function violates, if it violates one.
    pub(crate) fn violated_by_call(&self, name: &str) -> Option<&'static str> {
        let handler = Property::of_handler(name);
        let plain = || plain(name);
        let is_target = || plain().is_some_and(|name| self.targets.iter().any(|target| *target == name));
        self.properties.iter().find_map(|property| match property {
            Property::NoOverflow => handler.and_then(|violated| self.overflow_by(violated)),
            Property::Bounds | Property::Null => handler.filter(|violated| *violated == property.name()),
            Property::Checks => handler,
            Property::Panic => self.panics.contains(name).then_some("panic"),
            Property::UnreachCall => is_target().then_some("unreach-call"),
            Property::All => handler.or_else(|| is_target().then_some("unreach-call")),
            Property::ValidDeref
            | Property::ValidFree
            | Property::ValidMemtrack
            | Property::MemorySafety
            | Property::MemoryCleanup
            | Property::NoDataRace
            | Property::NoDeadlock
            | Property::Marks => None,
        })
    }

    /// The property of overflows, if a violated property of a sanitizer is one: of shifts, it checks only what is shifted, unless
    /// it was asked for all that is undefined.
    fn overflow_by(&self, violated: &'static str) -> Option<&'static str> {
        let asks_all = [Property::All, Property::Checks].iter().any(|all| self.properties.contains(all));
        (violated == OVERFLOW || violated == SHIFT && !asks_all).then_some(OVERFLOW)
    }

    /// Whether a property depends on what remains on the heap at the end.
    pub(crate) fn counts_objects(&self) -> bool {
        [Fault::Lost, Fault::Unfreed].into_iter().any(|fault| self.violated_by(fault).is_some())
    }
}

/// The most functions that a message suggests for a missing entry.
const NAMED: usize = 5;

/// The functions that may be an entry, in words.
fn told(others: &[String]) -> String {
    let (named, more) = others.split_at(others.len().min(NAMED));
    match (named, more.len()) {
        ([], _) => ", nor any other".into(),
        (_, 0) => format!("; choose the entry with --function: {}", named.join(", ")),
        (_, more) => {
            format!("; choose the entry with --function: {} and {more} more", named.join(", "))
        }
    }
}

/// Why a module is not lowered.
#[derive(Debug, Error)]
pub enum LowerError {
    /// The entry is missing.
    #[error("no function `{name}` with a body{}", told(others))]
    NoEntry {
        /// Its name.
        name: String,
        /// Functions that have a body.
        others: Vec<String>,
    },
    /// A construct that cannot be modelled.
    #[error("{place}: {what}{}", if *.overridable { "; --allow-unsound continues without it" } else { "" })]
    Unsupported {
        /// Function and line.
        place: String,
        /// A description of it.
        what: String,
        /// Whether `--allow-unsound` helps.
        overridable: bool,
    },
    /// The module is not of a C program.
    #[error("this module was compiled from {0}; Beeline verifies C, C++ without exceptions, and Rust")]
    Language(String),
    /// A bug in Beeline.
    #[error("the lowering produced an invalid program, which is a bug in Beeline: {0}")]
    Invalid(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_module::sanitizer::handler_of_trap;

    #[test]
    fn a_shift_overflows_where_nothing_else_is_asked_of_it() {
        let by = |properties: &[Property]| {
            let options = Options { properties: properties.to_vec(), ..Options::default() };
            options.violated_by_call("__ubsan_handle_shift_out_of_bounds_abort")
        };
        assert_eq!(by(&[Property::Null, Property::NoOverflow]), Some("no-overflow"));
        assert_eq!(by(&[Property::NoOverflow, Property::All]), Some("shift"));
        assert_eq!(by(&[Property::Bounds]), None);
    }

    #[test]
    fn a_trap_violates_what_its_handler_does() {
        let property = |number| Property::of_handler(&handler_of_trap(number));
        assert_eq!(property(0), Some("no-overflow"));
        assert_eq!(property(3), Some("no-overflow"));
        assert_eq!(property(12), Some("no-overflow"));
        assert_eq!(property(18), Some("bounds"));
        assert_eq!(property(20), Some("shift"));
        assert_eq!(property(21), Some("no-overflow"));
        assert_eq!(property(22), Some("null"));
        assert_eq!(property(200), Some("undefined-behaviour"));
    }
}
