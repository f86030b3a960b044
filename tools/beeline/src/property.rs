//! Properties: what must never happen, and the checks that clang has to add for them.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The property of a target that is a place to reach.
pub(crate) const REACH: &str = "reach";

/// Whether a target of this property is undefined behaviour, after which C says nothing, and not a place.
pub(crate) fn is_undefined_behaviour(property: &str) -> bool {
    !["unreach-call", REACH].contains(&property)
}

/// A property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Property {
    /// No call of an error function, no failed assertion.
    UnreachCall,
    /// No operation of arithmetic on signed integers overflows.
    NoOverflow,
    /// That, and the result of each shift of a signed integer to the left fits: SV-COMP's property of overflows.
    NoOverflowOrLeftShift,
    /// No access outside of a live object.
    Bounds,
    /// No use of a null pointer.
    Null,
    /// A property of memory, by its name, such as `valid-deref`.
    Memory(&'static str),
    /// Memory safety, nothing that clang's sanitizers find, and no call of an error function.
    All,
    /// Calls of the function that this property file of SV-COMP names.
    Calls(PathBuf),
    /// No execution reaches a marked place.
    Marks,
    /// No check of clang's fails, of these kinds.
    Checks(String),
    /// No two threads access the same memory at the same time, one of them writing.
    NoDataRace,
    /// The threads never all wait for each other.
    NoDeadlock,
    /// Nothing panics: no check of the libraries of Rust and C++ fails.
    Panic,
}

const NAMED: [Property; 13] = [
    Property::UnreachCall,
    Property::NoOverflow,
    Property::Bounds,
    Property::Null,
    Property::Memory("memory-safety"),
    Property::Memory("valid-deref"),
    Property::Memory("valid-free"),
    Property::Memory("valid-memtrack"),
    Property::Memory("memory-cleanup"),
    Property::NoDataRace,
    Property::NoDeadlock,
    Property::Panic,
    Property::All,
];

/// Reads properties of a command line, and has shells complete their names.
#[derive(Debug, Clone)]
pub(crate) struct Parser;

impl TypedValueParser for Parser {
    type Value = Property;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Property, clap::Error> {
        Property::parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(NAMED.into_iter().map(|property| PossibleValue::new(property.name()))))
    }
}

impl Property {
    /// A property by its name, or from a file.
    pub(crate) fn parse(text: &str) -> Result<Property, String> {
        match NAMED.into_iter().find(|property| property.name() == text) {
            Some(property) => Ok(property),
            None if text == "deadlock" => Ok(Property::NoDeadlock),
            None if text.ends_with(".prp") => Property::read(Path::new(text)),
            None => {
                let names = NAMED.iter().map(Property::name).collect::<Vec<_>>().join(", ");
                Err(format!("choose {names}, or a .prp file"))
            }
        }
    }

    /// The property that a file in the format of SV-COMP asks for.
    pub(crate) fn read(path: &Path) -> Result<Property, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Property::of_specification(&text, path).ok_or_else(|| {
            format!(
                "{} has a property that Beeline does not check; it checks unreach-call, no-overflow, no-data-race and memory safety",
                path.display()
            )
        })
    }

    /// The property that a specification asks for, which is in a file.
    pub(crate) fn of_specification(text: &str, path: &Path) -> Option<Property> {
        let formula = text.split("LTL(").nth(1).unwrap_or("").trim();
        if formula.starts_with("G ! call(") {
            Some(Property::Calls(path.to_path_buf()))
        } else if formula.starts_with("G ! overflow") {
            Some(Property::NoOverflowOrLeftShift)
        } else if formula.starts_with("G ! data-race") {
            Some(Property::NoDataRace)
        } else {
            of_memory(text).map(Property::Memory)
        }
    }

    /// Its name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Property::UnreachCall | Property::Calls(_) => "unreach-call",
            Property::NoOverflow | Property::NoOverflowOrLeftShift => "no-overflow",
            Property::Bounds => "bounds",
            Property::Null => "null",
            Property::Memory(name) => name,
            Property::All => "all",
            Property::Marks => "marks",
            Property::Checks(_) => "checks",
            Property::NoDataRace => "no-data-race",
            Property::NoDeadlock => "no-deadlock",
            Property::Panic => "panic",
        }
    }

    /// The option of `beeline-lower` for it.
    pub(crate) fn for_lower(&self) -> String {
        match self {
            Property::Calls(path) => path.display().to_string(),
            named => named.name().into(),
        }
    }

    /// Whether it is about overflows, which must not be defined then.
    pub(crate) fn is_of_overflow(&self) -> bool {
        match self {
            Property::Checks(kinds) => kinds.split(',').any(|kind| kind == "signed-integer-overflow"),
            other => matches!(other, Property::NoOverflow | Property::NoOverflowOrLeftShift | Property::All),
        }
    }

    /// The sanitizers of clang for it. For bounds, only those that concern types: the lowering checks whether
    /// an access is inside of its object, and clang's `local-bounds` would end the program before that
    /// silently.
    fn sanitizers(&self) -> Option<&str> {
        match self {
            Property::UnreachCall
            | Property::Calls(_)
            | Property::Memory(_)
            | Property::Marks
            | Property::NoDataRace
            | Property::NoDeadlock
            | Property::Panic => None,
            Property::NoOverflow => Some("signed-integer-overflow"),
            Property::NoOverflowOrLeftShift => Some("signed-integer-overflow,shift-base"),
            Property::Bounds => Some("array-bounds,pointer-overflow"),
            Property::Null => Some("null,nonnull-attribute,returns-nonnull-attribute"),
            Property::All => Some("undefined"),
            Property::Checks(kinds) => Some(kinds),
        }
    }
}

/// The names of properties as readable text.
pub(crate) fn names(properties: &[Property]) -> String {
    properties.iter().map(Property::name).collect::<Vec<_>>().join(", ")
}

/// The sanitizers of clang for properties.
pub(crate) fn sanitizers(properties: &[Property]) -> Option<String> {
    let kinds: Vec<&str> = properties.iter().filter_map(Property::sanitizers).collect();
    (!kinds.is_empty()).then(|| kinds.join(","))
}

/// The property of memory that a file in the format of SV-COMP asks for, which may be several formulas.
fn of_memory(text: &str) -> Option<&'static str> {
    let asks = |name: &str| text.contains(&format!("LTL(G {name})"));
    match (asks("valid-deref"), asks("valid-free"), asks("valid-memtrack"), asks("valid-memcleanup")) {
        (true, true, true, false) => Some("memory-safety"),
        (true, false, false, false) => Some("valid-deref"),
        (false, true, false, false) => Some("valid-free"),
        (false, false, true, false) => Some("valid-memtrack"),
        (false, false, false, true) => Some("memory-cleanup"),
        _ => None,
    }
}
