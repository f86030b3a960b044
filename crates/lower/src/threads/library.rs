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
const READ: [(&str, &[usize]); 45] = [
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
    ("access", &[0]),
    ("chdir", &[0]),
    ("chmod", &[0]),
    ("chown", &[0]),
    ("creat", &[0]),
    ("freopen", &[1]),
    ("link", &[0, 1]),
    ("lstat", &[0]),
    ("mkdir", &[0]),
    ("mkfifo", &[0]),
    ("openat", &[1]),
    ("opendir", &[0]),
    ("popen", &[0, 1]),
    ("putenv", &[0]),
    ("readlink", &[0]),
    ("rename", &[0, 1]),
    ("rmdir", &[0]),
    ("setenv", &[0, 1]),
    ("stat", &[0]),
    ("symlink", &[0, 1]),
    ("truncate", &[0]),
    ("unsetenv", &[0]),
    ("atof", &[0]),
    ("strtod", &[0]),
    ("strtoll", &[0]),
    ("strtoull", &[0]),
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
        "pthread_create" => {
            let mut found = not_null(1, reads(1));
            found.insert(0, (0, writes(word)));
            only(found)
        }
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
        "__atomic_compare_exchange" => {
            let mut found = atomic(number(0), &[(1, true, true), (2, true, false)]);
            // Which of both it writes depends on what it finds.
            found.surely.iter_mut().for_each(|(_, access)| access.may_fail = true);
            found
        }
        "pthread_setcancelstate" | "pthread_setcanceltype" => only(not_null(1, writes(4))),
        "pthread_getschedparam" => only(vec![(1, writes(4)), (2, writes(4))]),
        "pthread_getname_np" => only(vec![(1, writes(1))]),
        "pthread_setname_np" => only(vec![(1, reads(1))]),
        "pthread_sigmask" => only(not_null(1, reads(1)).into_iter().chain(not_null(2, writes(1))).collect()),
        "thrd_sleep" => only(vec![(0, reads(2 * word))]),
        _ if name.contains("attr_get") && name.starts_with("pthread_") => {
            let size = if name.contains("size") || name.contains("stack") { word } else { 4 };
            only(vec![(0, reads(1)), (1, writes(size))])
        }
        _ if name.contains("attr") && name.starts_with("pthread_") => only(vec![(0, writes(1))]),
        _ if OBJECTS.iter().any(|prefix| name.starts_with(prefix)) => {
            let is_new = name.ends_with("_init");
            let object = (0, Access { write: true, may_fail: false, atomic: !is_new, size: 1 });
            let other = match name {
                "pthread_cond_timedwait" | "cnd_timedwait" => vec![(2, reads(2 * word))],
                _ if name.contains("timed") => vec![(1, reads(2 * word))],
                _ if is_new && name.starts_with("pthread_") && name != "pthread_spin_init" => {
                    not_null(1, reads(1))
                }
                _ => Vec::new(),
            };
            only(std::iter::once(object).chain(other).collect())
        }
        _ if SILENT.iter().any(|prefix| name.starts_with(prefix)) => only(Vec::new()),
        "strcpy" => surely(vec![(0, writes(1)), (1, reads(1))]),
        "strcat" => surely(vec![(0, reads(1)), (1, reads(1))]),
        "sprintf" => surely(vec![(0, writes(1))]),
        "write" | "send" => surely(of_size(1, number(2))),
        "fwrite" => {
            surely(of_size(0, number(1).zip(number(2)).map(|(size, count)| size.saturating_mul(count))))
        }
        "nanosleep" => surely(vec![(0, reads(2 * word))]),
        "printf" | "fprintf" | "dprintf" => {
            let format = usize::from(name != "printf");
            surely(printed(module, call, format).into_iter().take(2).map(|at| (at, reads(1))).collect())
        }
        _ => {
            let read =
                READ.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, arguments)| arguments);
            surely(read.iter().map(|at| (*at, reads(1))).collect())
        }
    }
}

/// Whether a call gives a function without a body a pointer, and not all is known that this accesses.
pub(crate) fn may_access_more(module: &Module, call: &CallInst) -> bool {
    let takes_pointers = |function: &Function| match module.kind(function.ty) {
        TyKind::Func(_, params, variadic) => {
            *variadic || params.iter().any(|ty| matches!(module.kind(*ty), TyKind::Ptr))
        }
        _ => false,
    };
    callee(module, call).is_some_and(|(_, function)| {
        function.is_declaration()
            && !function.name.starts_with("llvm.")
            && !super::is_marker(&function.name)
            && takes_pointers(function)
            && accessed(module, call).others
    })
}

/// A call of an atomic operation on an object of some size: arguments, whether they are written, and whether atomically.
fn atomic(size: Option<u64>, arguments: &[(usize, bool, bool)]) -> Accessed {
    let access = |&(at, write, atomic): &(usize, bool, bool)| {
        (at, Access { write, may_fail: false, atomic, size: size.unwrap_or(1) })
    };
    Accessed { surely: arguments.iter().map(access).collect(), others: false }
}

/// The arguments of a call that prints whose first bytes it reads: the format itself, or the strings that a constant format
/// asks for.
fn printed(module: &Module, call: &CallInst, format: usize) -> Vec<usize> {
    let Some(Operand::Const(_, Const::Global(global, 0))) = call.args.get(format) else {
        return vec![format];
    };
    let Global { constant: true, init: Some(Const::Bytes(text)), .. } = &module.globals[*global] else {
        return vec![format];
    };
    strings_of(text).into_iter().map(|at| format + 1 + at).filter(|at| *at < call.args.len()).collect()
}

/// The positions, among the arguments behind a format, of strings of which it prints something.
fn strings_of(format: &[u8]) -> Vec<usize> {
    let (mut found, mut argument, mut letters) = (Vec::new(), 0, format.iter());
    while letters.any(|letter| *letter == b'%') {
        // The digits so far, the position that they gave, and whether a precision follows, or wide characters.
        let (mut number, mut position, mut precise, mut wide) = (0_usize, None, false, false);
        for letter in letters.by_ref() {
            match letter {
                b'%' => break,
                b'*' => argument += 1,
                b'$' => position = number.checked_sub(1),
                b'.' => (precise, number) = (true, 0),
                b'l' => wide = true,
                b'0'..=b'9' => number = number.saturating_mul(10).saturating_add(usize::from(letter - b'0')),
                letter if letter.is_ascii_alphabetic() && !b"hjztqL".contains(letter) => {
                    if *letter == b's' && !wide && (!precise || number > 0) {
                        found.push(position.unwrap_or(argument));
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
        assert_eq!(strings_of(b"%d %s%%%-5s %*s %.3s %ls %hhx %s"), [1, 2, 4, 5, 8]);
        assert_eq!(strings_of(b"%.0s %.*s %.s %10s"), [4]);
        assert_eq!(strings_of(b"%2$s %1$d"), [1]);
        assert_eq!(strings_of(b"no %"), [0_usize; 0]);
    }
}
