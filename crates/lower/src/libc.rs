//! Effects of functions without a body, as far as they are known by their names.

mod effects;
mod unmodelled;
mod verifiers;

use beeline_ir::UnOp;
use beeline_module::names;
use effects::EFFECTS;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use unmodelled::{CALLING_BACK, ROUNDING, SETTING, UNMODELLED, UNMODELLED_FLOAT, WRITING};

/// The effect of a call of such a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Returns a new object of as many bytes as the arguments say.
    Allocate(Allocation),
    /// `realloc`.
    Reallocate,
    /// `free`.
    Free,
    /// No effect that matters.
    Nothing,
    /// Makes the library write what is printed or read into its second argument, unless that is null.
    Buffer,
    /// Does not return, and that is no error.
    Stop,
    /// Returns any value; the program's inputs come from such functions.
    Input,
    /// Returns any value, since the C standard says no more.
    Any,
    /// Goes on only if its argument is not zero.
    Assume,
    /// An error if its argument is zero.
    Assert,
    /// Answers a question about the object that its first argument leads to.
    Ask(Question),
    /// Goes on only if two ranges of so many bytes are disjoint: models of copies call it.
    Apart,
    /// The beginning of variable arguments.
    VaStart,
    /// A copy of a list of variable arguments.
    VaCopy,
    /// A function of a float, as an operator of the IR.
    Float(UnOp),
    /// `fmin`, `fmax`, `copysign`, `fmod`, `fdim`, `fma`.
    FloatOther(FloatFunction),
    /// The absolute value of an integer.
    Abs,
    /// Prints: returns any number, writes what `%n` asks for only.
    Print,
    /// Reads from outside into the memory that its pointer arguments, from this one on, point to.
    ReadInto(usize),
    /// Writes there what the library decides: the model writes any value, which the library would not do.
    GuessInto(usize),
    /// Sets the rounding mode; the IR has rounding to nearest only.
    SetRounding,
    /// Remembers where it is called, for jumps back.
    Landing,
    /// Ends an execution in which a jump leads to a function that has returned: there is none, by assumption.
    Nowhere,
    /// A thread, a jump out of the function, or something else that cannot be modelled.
    Refused(&'static str),
    /// Has no result and no model: an execution ends there, and is counted.
    NotModelled,
    /// A function of the C library without a model: returns anything, which it would not do.
    Guess,
    /// Not known: returns anything, writes nothing.
    Unknown,
}

/// A question of a program about an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether so many bytes of it may be read.
    Readable,
    /// Whether so many bytes of it may be written.
    Writable,
    /// Whether another pointer leads to it as well.
    SameObject,
    /// A number that no other object has.
    Identity,
    /// The size of the object.
    Size,
    /// The distance of the pointer from its start.
    Offset,
    /// Whether the pointer leads into the object of the one that it was made from, or one past its end.
    Within,
}

/// The rule by which the size of a new object follows from the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allocation {
    /// The argument with this index is the size.
    Size(usize),
    /// Number and size of elements; zeroed.
    Array,
    /// The first argument is the size; zeroed.
    Zeroed,
    /// In the frame of the caller.
    Stack,
}

/// Float functions that are no operator of the IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FloatFunction {
    Min,
    Max,
    CopySign,
    Remainder,
    Dim,
    Fma,
}

/// Models of the library (models/libc.c) take what the world decides from functions with this prefix...
const INPUT: &str = "__beeline_input_";
/// ... what the standard leaves open from functions with this one ...
const ANY: &str = "__beeline_any_";
/// ... and what the library decides without a model from functions with this one.
const GUESS: &str = "__beeline_guess_";

/// Models call functions with this prefix where a call of the function whose name follows is not modelled.
const WITHOUT: &str = "__beeline_not_modelled_";

/// Models of functions that work on a stream name the stream by a call of this function.
const STREAM: &str = "__beeline_stream";

/// Models of copies name the ranges that must not overlap by a call of this function.
const APART: &str = "__beeline_apart";

/// Models that may read less than a whole range, all of which has to be there, name the range by a call of this function.
pub(crate) const READS: &str = "__beeline_reads";

/// The function that is called where a jump finds no active function that remembers its place.
pub const NOWHERE: &str = "__beeline_jump_to_nowhere";

/// The name of a function whose calls end an execution, as what is named has no model.
pub fn without_model(what: &str) -> String {
    format!("{WITHOUT}{what}")
}

/// The name of a function in messages: without the prefixes above.
pub fn shown(name: &str) -> &str {
    let plain = [INPUT, GUESS, WITHOUT].into_iter().find_map(|prefix| name.strip_prefix(prefix));
    plain.unwrap_or(name)
}

/// The first of the arguments through which a function reads from outside into memory.
pub fn reads_into(name: &str) -> Option<usize> {
    if let Effect::ReadInto(first) = effect(name) { Some(first) } else { None }
}

/// The index of the argument that is the stream on which a function works.
pub fn stream_of(name: &str) -> Option<usize> {
    // The size of the written buffer comes second.
    match name {
        "__fgets_chk" => return Some(3),
        "__fread_chk" => return Some(4),
        _ => {}
    }
    let plain = name.trim_start_matches("__isoc99_").trim_start_matches("__isoc23_");
    match plain.trim_start_matches("__").trim_end_matches("_chk").trim_end_matches("_unlocked") {
        "fprintf" | "vfprintf" | "fscanf" | "vfscanf" | "feof" | "ferror" | "fileno" | "fseek" | "fseeko"
        | "ftell" | "ftello" | "rewind" | "clearerr" | "beeline_stream" => Some(0),
        "fputs" | "fputc" | "putc" => Some(1),
        "fgets" => Some(2),
        "fread" | "fwrite" => Some(3),
        _ => None,
    }
}

/// Whether a function returns texts of the environment.
pub fn reads_environment(name: &str) -> bool {
    name == "getenv" || name == "secure_getenv"
}

/// Whether programs change the environment by a function or variable of this name.
pub fn changes_environment(name: &str) -> bool {
    let variables = ["environ", "__environ", "_environ"];
    ["setenv", "putenv", "unsetenv", "clearenv"].contains(&name) || variables.contains(&name)
}

/// Whether a function of this name lets a program read what the program itself has written.
pub fn opens_own_data(name: &str) -> bool {
    let functions = [
        "tmpfile",
        "tmpfile64",
        "mkstemp",
        "mkstemp64",
        "mkostemp",
        "pipe",
        "pipe2",
        "socketpair",
        "fmemopen",
        "open_memstream",
        "memfd_create",
    ];
    functions.contains(&name)
}

/// Whether a function of this name gives a program a descriptor or a stream that the world of a command
/// (models/world.c) does not model, so that numbers and contents there would not be those of a system.
pub(crate) fn opens_beside_world(name: &str) -> bool {
    const OTHERS: &str = "dup dup2 dup3 fcntl fcntl64 openat openat64 freopen freopen64 popen socket accept accept4 eventfd \
        timerfd_create signalfd inotify_init inotify_init1 epoll_create epoll_create1 shm_open posix_openpt mkostemp64 \
        mkstemps mkstemps64 mkostemps mkostemps64 open_wmemstream opendir openlog syslog";
    opens_own_data(name) || OTHERS.split_whitespace().any(|other| other == name)
}

/// Whether the program continues after a call of this function, which is refused, and nowhere else. Then an execution
/// that reaches it may end there, and the others are explored. Functions that cause signals are none of these.
pub(crate) fn goes_on_behind(name: &str) -> bool {
    const GOING_ON: [&str; 6] = ["fork", "vfork", "ungetc", "fmemopen", "open_memstream", "open_wmemstream"];
    GOING_ON.contains(&name) || calls_back(name)
}

/// Whether a function without a model calls what it is given.
pub(crate) fn calls_back(name: &str) -> bool {
    effect(name) == Effect::Refused(unmodelled::CALLS_BACK) || ["glob", "glob64"].contains(&name)
}

/// Whether a function that is refused may be taken for one that only returns something, where all functions without a
/// body are: one of the system that starts nothing which runs later.
pub(crate) fn is_passed_over(name: &str) -> bool {
    match effect(name) {
        Effect::Refused(what) => {
            ![effects::STARTING, effects::AT_EXIT].contains(&what) && !verifiers::is_intrinsic(name)
        }
        _ => false,
    }
}

/// The effects of functions that [`EFFECTS`] lists.
static KNOWN: LazyLock<FxHashMap<&str, Effect>> = LazyLock::new(|| {
    let named =
        |&(names, effect): &(&'static str, Effect)| names.split_whitespace().map(move |name| (name, effect));
    EFFECTS.iter().flat_map(named).collect()
});

/// The effect of a function, by its name.
pub fn effect(name: &str) -> Effect {
    use Effect::*;
    if name.starts_with(INPUT) {
        return Input;
    }
    if name.starts_with(ANY) {
        return Any;
    }
    if let Some(plain) = name.strip_prefix(GUESS) {
        // Calls of a function that has a model for some of them.
        return if by_format(plain).is_some() { effect(plain) } else { Guess };
    }
    if name.starts_with(WITHOUT) {
        return NotModelled;
    }
    if name.starts_with("__ubsan_handle_") {
        return Nothing;
    }
    if let Some(known) = KNOWN.get(name) {
        return *known;
    }
    match name {
        APART => Apart,
        NOWHERE => Nowhere,
        STREAM | READS => Nothing,
        _ if ASSUMES.contains(&name) => Assume,
        _ if ASSERTS.contains(&name) => Assert,
        _ if verifiers::does_nothing(name) => Nothing,
        // The jump's destination is open there.
        _ if LONGJMP.contains(&name) => Stop,
        BUILTIN_SETJMP => Landing,
        _ if name.starts_with("llvm.va_start") => VaStart,
        _ if name.starts_with("llvm.va_copy") => VaCopy,
        _ if name.starts_with("llvm.va_end") => Nothing,
        _ => match float_function(name) {
            Unknown if names_any_value(name) => Input,
            Unknown if verifiers::is_intrinsic(name) => Refused("an intrinsic of another verifier"),
            Unknown => of_the_system(name),
            other => other,
        },
    }
}

/// The effect of a function of the system's libraries, if it does more than return something.
fn of_the_system(name: &str) -> Effect {
    let checked = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
    if let Some(plain) = checked.or_else(|| name.strip_suffix("_unlocked")) {
        return match effect(plain) {
            known @ (Effect::Print | Effect::ReadInto(_) | Effect::GuessInto(_)) => known,
            _ => Effect::Unknown,
        };
    }
    let plain = name.strip_suffix("64").unwrap_or(name);
    LISTED.get(plain).copied().unwrap_or(Effect::Unknown)
}

/// The functions without a model that lists name; the first list that names one counts.
static LISTED: LazyLock<FxHashMap<&str, Effect>> = LazyLock::new(|| {
    let writing = WRITING.iter().rev().map(|&(first, names)| (names, Effect::GuessInto(first)));
    let rounding = [(ROUNDING, Effect::Refused("the floating-point mode"))];
    let calling = CALLING_BACK.iter().rev().map(|&(names, what)| (names, Effect::Refused(what)));
    let lists = writing.chain(rounding).chain(calling);
    lists.flat_map(|(names, effect)| names.split_whitespace().map(move |name| (name, effect))).collect()
});

/// What clang makes of `__builtin_setjmp` and `__builtin_longjmp`.
const BUILTIN_SETJMP: &str = "llvm.eh.sjlj.setjmp";
pub(crate) const BUILTIN_LONGJMP: &str = "llvm.eh.sjlj.longjmp";

/// Functions that jump to where another one was called.
pub const LONGJMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// Functions that end a thread, which runs the handlers that were registered for that.
pub const ENDS_OF_THREADS: [&str; 2] = ["pthread_exit", "thrd_exit"];

/// Functions that end the execution if their argument is zero, by the names that verifiers use.
pub const ASSUMES: &[&str] = &[
    "__VERIFIER_assume",
    "__CPROVER_assume",
    "__ESBMC_assume",
    "__llbmc_assume",
    "klee_assume",
    "__builtin_assume",
    "__SEAHORN_assume",
    "__SMACK_assume",
];

/// Functions that are an error if their argument is zero, by the names that verifiers use.
pub const ASSERTS: &[&str] = &[
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__CPROVER_precondition",
    "__CPROVER_postcondition",
    "__ESBMC_assert",
    "__SEAHORN_assert",
    "__SMACK_assert",
    "klee_assert",
    "sassert",
    names::FINITE,
    names::NUMBER,
    names::WITHIN,
];

/// Functions whose call is an error, by the names that verifiers and C libraries use.
pub const ERRORS: &[&str] = &[
    "reach_error",
    "__VERIFIER_error",
    "__SEAHORN_error",
    "__SEAHORN_fail",
    "klee_report_error",
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "_assert",
];

/// Patterns of the names of functions that return any value, as verifiers use them (`__VERIFIER_nondet_int`,
/// `nondet_bool`, `any_i32`, `unknown1`); see [`matches()`]. What another function without a body returns is a
/// guess.
pub const INPUTS: &[&str] =
    &["*nondet*", "any", "unknown", "undef", "random", "input", "havoc", "symbolic", "klee_range"];

/// Whether the name of a function says that it returns any value.
fn names_any_value(name: &str) -> bool {
    // Words in names of types and modules of Rust and C++ do not count.
    beeline_module::mangled::plain(name)
        .is_some_and(|name| INPUTS.iter().any(|pattern| matches(pattern, &name)))
}

/// Whether a name matches a pattern. With `*`, which stands for any characters, as a whole; without, as one of the
/// words of letters that the name is made of. Small and large letters are the same.
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_ascii_lowercase(), name.to_ascii_lowercase());
    if pattern == name {
        return true;
    }
    let Some((first, rest)) = pattern.split_once('*') else {
        return name.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word == pattern);
    };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(last)
}

/// The name of a function as one whose result the library decides.
pub fn as_guess(name: &str) -> String {
    format!("{GUESS}{name}")
}

/// The variables of the system's libraries that a function sets.
pub fn sets_variables(name: &str) -> impl Iterator<Item = &'static str> {
    let sets = |functions: &str| functions.split_whitespace().any(|other| other == name);
    let found = SETTING.iter().find(|(functions, _)| sets(functions));
    found.map_or("", |(_, variables)| variables).split_whitespace()
}

/// The name of a function as an input, if its own name is not one of an input.
pub fn as_input(name: &str) -> String {
    format!("{INPUT}{name}")
}

/// The name of a function that prints or reads by a format: what precedes the letters that say from where and how it
/// takes its arguments, and these with the rest.
fn by_format(name: &str) -> Option<(&str, &str)> {
    let prefix = ["__isoc99_", "__isoc23_", "__", ""].into_iter().find(|prefix| name.starts_with(prefix))?;
    let rest = &name[prefix.len()..];
    let plain = rest.strip_suffix("_chk").unwrap_or(rest);
    (plain.ends_with("printf") || plain.ends_with("scanf")).then_some((prefix, rest))
}

/// Whether a function with a format takes its arguments as a list, which is its last argument.
pub fn takes_list(name: &str) -> bool {
    by_format(name).is_some_and(|(_, rest)| rest.starts_with('v'))
}

/// The variant of a function with a format that takes a list of arguments.
pub fn with_list(name: &str) -> Option<String> {
    let name = name.strip_prefix(GUESS).unwrap_or(name);
    let (prefix, rest) = by_format(name).filter(|_| !takes_list(name))?;
    let other = format!("{prefix}v{rest}");
    (effect(name) != Effect::Unknown && effect(&other) == effect(name)).then_some(other)
}

/// Whether the function returns a pointer to what its first argument points to, or null.
pub fn returns_its_argument(name: &str) -> bool {
    let names = ["fgets", "__fgets_chk", "gets", "getcwd", "wcscpy", "wmemcpy", "basename", "dirname"];
    let wide = ["wcscat", "wcsncat", "wcsncpy", "wmemset", "wmemmove"];
    names.contains(&name) || wide.contains(&name) || ["wcschr", "wcsrchr", "wcsstr"].contains(&name)
}

/// Functions of `math.h` that the IR computes exactly; `f`, `l` and no suffix are treated alike.
fn float_function(name: &str) -> Effect {
    let of = |name: &str| {
        Some(match name {
            "fabs" => Effect::Float(UnOp::FAbs),
            "sqrt" => Effect::Float(UnOp::FSqrt),
            "floor" => Effect::Float(UnOp::FFloor),
            "ceil" => Effect::Float(UnOp::FCeil),
            "trunc" => Effect::Float(UnOp::FTrunc),
            "round" => Effect::Float(UnOp::FRoundAway),
            "rint" | "nearbyint" | "roundeven" => Effect::Float(UnOp::FRoundEven),
            "fmin" => Effect::FloatOther(FloatFunction::Min),
            "fmax" => Effect::FloatOther(FloatFunction::Max),
            "copysign" => Effect::FloatOther(FloatFunction::CopySign),
            "fmod" => Effect::FloatOther(FloatFunction::Remainder),
            "fdim" => Effect::FloatOther(FloatFunction::Dim),
            "fma" => Effect::FloatOther(FloatFunction::Fma),
            _ => return None,
        })
    };
    let known = |name: &str| of(name).or_else(|| UNMODELLED_FLOAT.contains(&name).then_some(Effect::Guess));
    known(name)
        .or_else(|| name.strip_suffix(['f', 'l']).and_then(known))
        .or_else(|| UNMODELLED.contains(&name).then_some(Effect::Guess))
        .unwrap_or(Effect::Unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_inputs_from_guesses() {
        for name in
            ["__VERIFIER_nondet_int", "nondet_bool", "__lib_any_i32", "unknown1", "get_input", "NonDet"]
        {
            assert_eq!(effect(name), Effect::Input, "{name}");
        }
        for name in ["company", "helper", "f2", "many", "putin", "anything"] {
            assert_eq!(effect(name), Effect::Unknown, "{name}");
        }
    }

    #[test]
    fn functions_of_the_system_are_told_by_name() {
        for (name, first) in
            [("pipe", 0), ("waitpid", 1), ("pread64", 1), ("__poll_chk", 0), ("fgets_unlocked", 0)]
        {
            assert!(
                matches!(effect(name), Effect::GuessInto(at) | Effect::ReadInto(at) if at == first),
                "{name}"
            );
        }
        assert!(matches!(effect("scandir64"), Effect::Refused(_)));
        assert_eq!(effect("getpid"), Effect::Unknown);
        assert_eq!(sets_variables("getopt_long").collect::<Vec<_>>(), ["optarg", "optind", "optopt"]);
        assert_eq!(sets_variables("getpid").count(), 0);
    }

    #[test]
    fn each_function_is_in_one_table() {
        let tables =
            WRITING.iter().map(|(_, names)| names).chain(CALLING_BACK.iter().map(|(names, _)| names));
        let mut names: Vec<&str> =
            tables.chain([&ROUNDING]).flat_map(|names| names.split_whitespace()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn functions_by_a_format_have_two_forms() {
        for (name, other) in [
            ("printf", "vprintf"),
            ("__snprintf_chk", "__vsnprintf_chk"),
            ("__isoc99_sscanf", "__isoc99_vsscanf"),
            ("asprintf", "vasprintf"),
            ("wscanf", "vwscanf"),
        ] {
            assert_eq!(with_list(name).as_deref(), Some(other));
            assert!(takes_list(other) && !takes_list(name) && with_list(other).is_none(), "{name}");
        }
        for name in ["puts", "verify_printf_args", "printk", "own_scanf"] {
            assert!(with_list(name).is_none() && !takes_list(name), "{name}");
        }
    }

    #[test]
    fn patterns_match_whole_names_or_words() {
        for (pattern, name) in
            [("read_*", "read_sensor"), ("*_in", "port_in"), ("a*b*c", "aXbYc"), ("sensor", "get_sensor2")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("read_*", "spread_it"), ("*_in", "port_inner"), ("a*b*c", "acb"), ("sensor", "sensors")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
