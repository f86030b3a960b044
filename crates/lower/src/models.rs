//! The models of library functions, compiled from `models/libc.c`, `models/getopt.c` and `models/threads.c` when this
//! crate is built, and that of the world of a command, from `models/world.c`.

use beeline_module::Function;

/// The name and the bitcode of the models for a pointer width, if there are any.
pub fn models(pointer_width: u32) -> Vec<(String, Vec<u8>)> {
    let models: [(&str, &[u8]); 3] = match pointer_width {
        32 => [
            ("libc32", include_bytes!(concat!(env!("OUT_DIR"), "/libc32.bc"))),
            ("getopt32", include_bytes!(concat!(env!("OUT_DIR"), "/getopt32.bc"))),
            ("threads32", include_bytes!(concat!(env!("OUT_DIR"), "/threads32.bc"))),
        ],
        64 => [
            ("libc64", include_bytes!(concat!(env!("OUT_DIR"), "/libc64.bc"))),
            ("getopt64", include_bytes!(concat!(env!("OUT_DIR"), "/getopt64.bc"))),
            ("threads64", include_bytes!(concat!(env!("OUT_DIR"), "/threads64.bc"))),
        ],
        _ => return Vec::new(),
    };
    models.map(|(name, bitcode)| (name.to_string(), bitcode.to_vec())).to_vec()
}

/// The functions of the world in which a command starts, by the number of parameters of its `main`.
const COMMANDS: [&str; 4] =
    ["__beeline_command0", "__beeline_command1", "__beeline_command2", "__beeline_command3"];

/// The function in which a command starts whose `main` has so many parameters.
pub fn command(params: usize) -> Option<&'static str> {
    COMMANDS.get(params).copied()
}

/// Whether a program that starts at a function starts as a command.
pub fn is_command(entry: &str) -> bool {
    COMMANDS.contains(&entry)
}

/// The name and the bitcode of the world of a command for a pointer width, if there is one.
pub fn world(pointer_width: u32) -> Option<(String, Vec<u8>)> {
    let (name, bitcode): (&str, &[u8]) = match pointer_width {
        32 => ("world32", include_bytes!(concat!(env!("OUT_DIR"), "/world32.bc"))),
        64 => ("world64", include_bytes!(concat!(env!("OUT_DIR"), "/world64.bc"))),
        _ => return None,
    };
    Some((name.to_string(), bitcode.to_vec()))
}

/// A property of a result that the standard specifies.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Loose {
    /// Whether it is zero.
    Truth,
    /// Its sign.
    Sign,
}

/// The property that the standard specifies of the result of a function of the C library, if that is not its value.
pub(crate) fn loose(name: &str) -> Option<Loose> {
    const TRUTHS: [&str; 12] = [
        "isdigit", "isupper", "islower", "isalpha", "isalnum", "isspace", "isblank", "iscntrl", "isprint",
        "isgraph", "ispunct", "isxdigit",
    ];
    const SIGNS: [&str; 7] = ["strcmp", "strncmp", "memcmp", "strcasecmp", "strncasecmp", "strcoll", "bcmp"];
    if TRUTHS.contains(&name) { Some(Loose::Truth) } else { SIGNS.contains(&name).then_some(Loose::Sign) }
}

/// Whether a call by name of a model of the C library says more about its effect than the model's code.
pub(crate) fn is_told_by_calls(function: &Function) -> bool {
    is_model(function) && (loose(&function.name).is_some() || function.name == "qsort")
}

/// Whether a function with a body is one of the models, and not the program's own of the same name. A function of the
/// program without debug information has a number, unless passes changed the module.
pub(crate) fn is_model(function: &Function) -> bool {
    !function.is_declaration() && !function.exported && function.place.is_none() && function.number.is_none()
}
