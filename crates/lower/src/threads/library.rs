//! What functions of the library surely access, for data races.

use super::Access;
use super::build::CREATE;
use crate::instruction::{callee, constant_u64};
use beeline_module::*;

/// An argument of a call that points to something, and the access to what is there.
type Surely = (usize, Access);

/// The prefixes of functions whose first argument is an object that synchronizes threads.
const OBJECTS: [&str; 8] = [
    "pthread_mutex_",
    "pthread_cond_",
    "pthread_rwlock_",
    "pthread_spin_",
    "pthread_barrier_",
    "mtx_",
    "cnd_",
    "sem_",
];
/// Other functions for threads, which access nothing else that a program can name.
const SILENT: [&str; 4] = ["pthread_", "thrd_", "tss_", "call_once"];
/// Functions that read the strings that some of their arguments point to, which are never null (`perror` and `system` take null).
const READ: [(&str, &[usize]); 19] = [
    ("puts", &[0]),
    ("fputs", &[0]),
    ("getenv", &[0]),
    ("remove", &[0]),
    ("unlink", &[0]),
    ("fopen", &[0, 1]),
    ("open", &[0]),
    ("strlen", &[0]),
    ("strcmp", &[0, 1]),
    ("strcoll", &[0, 1]),
    ("strcasecmp", &[0, 1]),
    ("strchr", &[0]),
    ("strrchr", &[0]),
    ("strstr", &[0, 1]),
    ("strdup", &[0]),
    ("atoi", &[0]),
    ("atol", &[0]),
    ("strtol", &[0]),
    ("strtoul", &[0]),
];

fn reads(size: u64) -> Access {
    Access { write: false, may_fail: false, atomic: false, size }
}

fn writes(size: u64) -> Access {
    Access { write: true, may_fail: false, atomic: false, size }
}

/// The read of so many bytes behind an argument, if it is known how many, and some are.
fn of_size(at: usize, size: Option<u64>) -> Vec<Surely> {
    size.filter(|size| *size > 0).map(|size| (at, reads(size))).into_iter().collect()
}

/// The accesses of a call.
pub(super) struct Accessed {
    /// Those that it surely makes, at most two of them.
    pub(super) surely: Vec<Surely>,
    /// Whether it may make others.
    pub(super) others: bool,
}

/// The accesses that a call of a function by name makes.
pub(super) fn accessed(module: &Module, call: &CallInst) -> Accessed {
    let Some((_, function)) = callee(module, call) else {
        return Accessed { surely: Vec::new(), others: true };
    };
    let name = function.name.as_str();
    let word = u64::from(module.pointer_width / 8);
    let number = |at: usize| call.args.get(at).and_then(constant_u64);
    let only = |surely: Vec<Surely>| Accessed { surely, others: false };
    let surely = |surely: Vec<Surely>| Accessed { surely, others: true };
    let not_null = |at: usize, access: Access| match number(at) {
        Some(0) => Vec::new(),
        _ => vec![(at, access)],
    };
    match name {
        _ if CREATE.contains(&name) => only(vec![(0, writes(word))]),
        "pthread_join" => only(not_null(1, writes(word))),
        "thrd_join" => only(not_null(1, writes(4))),
        "sem_getvalue" => only(vec![(1, writes(4))]),
        "pthread_key_create" | "tss_create" => only(vec![(0, writes(4))]),
        "malloc" | "calloc" | "aligned_alloc" => only(Vec::new()),
        "free" => only(not_null(0, writes(1))),
        "__atomic_load" => atomic(number(0), &[(1, false, true), (2, true, false)]),
        "__atomic_store" => atomic(number(0), &[(1, true, true), (2, false, false)]),
        "__atomic_exchange" => atomic(number(0), &[(1, true, true), (3, true, false)]),
        "__atomic_compare_exchange" => atomic(number(0), &[(1, true, true), (2, true, false)]),
        _ if name.contains("attr") && name.starts_with("pthread_") => only(Vec::new()),
        _ if OBJECTS.iter().any(|prefix| name.starts_with(prefix)) => {
            let is_new = name.ends_with("_init");
            only(vec![(0, Access { write: true, may_fail: false, atomic: !is_new, size: 1 })])
        }
        _ if SILENT.iter().any(|prefix| name.starts_with(prefix)) => only(Vec::new()),
        "strcpy" | "strcat" => surely(vec![(0, writes(1)), (1, reads(1))]),
        "sprintf" => surely(vec![(0, writes(1))]),
        "write" | "send" => surely(of_size(1, number(2))),
        "fwrite" => {
            surely(of_size(0, number(1).zip(number(2)).map(|(size, count)| size.saturating_mul(count))))
        }
        "nanosleep" => surely(vec![(0, reads(2 * word))]),
        "printf" | "fprintf" | "dprintf" => {
            let format = usize::from(name != "printf");
            surely(strings(module, call, format).into_iter().take(2).map(|at| (at, reads(1))).collect())
        }
        _ => {
            let read =
                READ.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, arguments)| arguments);
            surely(read.iter().map(|at| (*at, reads(1))).collect())
        }
    }
}

/// A call of an atomic operation on an object of some size: arguments, whether they are written, and whether atomically.
fn atomic(size: Option<u64>, arguments: &[(usize, bool, bool)]) -> Accessed {
    let access = |&(at, write, atomic): &(usize, bool, bool)| {
        (at, Access { write, may_fail: false, atomic, size: size.unwrap_or(1) })
    };
    Accessed { surely: arguments.iter().map(access).collect(), others: false }
}

/// The arguments of a call that a constant format prints as whole strings.
fn strings(module: &Module, call: &CallInst, format: usize) -> Vec<usize> {
    let Some(Operand::Const(_, Const::Global(global, 0))) = call.args.get(format) else { return Vec::new() };
    let Global { constant: true, init: Some(Const::Bytes(text)), .. } = &module.globals[*global] else {
        return Vec::new();
    };
    strings_of(text).into_iter().map(|at| format + 1 + at).filter(|at| *at < call.args.len()).collect()
}

/// The positions, among the arguments behind a format, of those that it prints as whole strings.
fn strings_of(format: &[u8]) -> Vec<usize> {
    let (mut found, mut argument, mut letters) = (Vec::new(), 0, format.iter());
    while letters.any(|letter| *letter == b'%') {
        let mut is_whole = true;
        for letter in letters.by_ref() {
            match letter {
                b'%' => break,
                b'*' => argument += 1,
                // With a precision, or as wide characters.
                b'.' | b'l' => is_whole = false,
                letter if letter.is_ascii_alphabetic() && !b"hjztqL".contains(letter) => {
                    if is_whole && *letter == b's' {
                        found.push(argument);
                    }
                    argument += 1;
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_strings_of_a_format_are_found() {
        assert_eq!(strings_of(b"%d %s%%%-5s %*s %.3s %ls %hhx %s"), [1, 2, 4, 8]);
        assert_eq!(strings_of(b"no %"), [0_usize; 0]);
    }
}
