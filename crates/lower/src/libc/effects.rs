//! Functions without a body whose effect is known by their name.

use super::{Allocation, Effect, Question};
use Effect::*;
use beeline_module::names;

/// Why functions are refused that start something which runs beside the program or later.
pub(super) const STARTING: &str = "threads and processes";
pub(super) const AT_EXIT: &str = "a function that runs at exit";

/// The effects of functions, by their names.
pub(super) const EFFECTS: &[(&str, Effect)] = &[
    ("malloc valloc __kmalloc kmalloc vmalloc", Allocate(Allocation::Size(0))),
    ("aligned_alloc memalign", Allocate(Allocation::Size(1))),
    ("calloc kcalloc", Allocate(Allocation::Array)),
    ("kzalloc kzalloc_node", Allocate(Allocation::Zeroed)),
    ("alloca __builtin_alloca", Allocate(Allocation::Stack)),
    ("realloc", Reallocate),
    ("free cfree kfree vfree", Free),
    (
        "__VERIFIER_atomic_begin __VERIFIER_atomic_end fflush srand perror \
         __VERIFIER_assert_unused __beeline_yield __beeline_atomic_begin __beeline_atomic_end \
         __pthread_register_cancel __pthread_unregister_cancel __beeline_thread_exit",
        Nothing,
    ),
    ("setbuf setvbuf setbuffer", Buffer),
    (
        "abort exit _exit _Exit quick_exit pthread_exit thrd_exit __pthread_unwind_next \
         __assert_fail __assert __assert_rtn _assert __assert_perror_fail __VERIFIER_error \
         __SEAHORN_error __SEAHORN_fail klee_report_error __stack_chk_fail __chk_fail \
         __fortify_fail",
        Stop,
    ),
    ("ungetc", Refused("a character that is pushed back")),
    ("getcontext makecontext swapcontext setcontext", Refused("another stack")),
    ("timer_create sigqueue", Refused("a signal")),
    ("__CPROVER_r_ok", Ask(Question::Readable)),
    ("__CPROVER_w_ok __CPROVER_rw_ok", Ask(Question::Writable)),
    ("__CPROVER_same_object", Ask(Question::SameObject)),
    ("__CPROVER_POINTER_OBJECT", Ask(Question::Identity)),
    ("__CPROVER_OBJECT_SIZE", Ask(Question::Size)),
    ("__CPROVER_POINTER_OFFSET", Ask(Question::Offset)),
    (names::ASKED, Ask(Question::Within)),
    (
        "__CPROVER_havoc_object fgets gets fread __fgets_chk __fread_chk read recv getline \
         getcwd",
        ReadInto(0),
    ),
    ("abs labs llabs imaxabs", Abs),
    (
        "printf puts putchar fprintf fputs fputc putc vprintf vfprintf fwrite printk write \
         close __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk dprintf vdprintf",
        Print,
    ),
    (
        "scanf __isoc99_scanf __isoc23_scanf vscanf __isoc99_vscanf __isoc23_vscanf stat \
         fstat lstat readlink",
        ReadInto(1),
    ),
    ("fscanf __isoc99_fscanf __isoc23_fscanf vfscanf __isoc99_vfscanf __isoc23_vfscanf", ReadInto(2)),
    (
        "sscanf __isoc99_sscanf __isoc23_sscanf vsscanf __isoc99_vsscanf __isoc23_vsscanf \
         remquo remquof remquol",
        GuessInto(2),
    ),
    (
        "sprintf snprintf vsprintf vsnprintf __sprintf_chk __snprintf_chk __vsprintf_chk \
         __vsnprintf_chk asprintf vasprintf strxfrm wcscpy wmemcpy mbtowc wctomb mbstowcs \
         wcstombs basename dirname wcscat wcsncat wcsncpy wmemset wmemmove strftime swprintf \
         vswprintf gettimeofday timespec_get",
        GuessInto(0),
    ),
    ("frexpl sincos sincosf sincosl lgamma_r lgammaf_r lgammal_r clock_gettime", GuessInto(1)),
    ("getenv secure_getenv", Input),
    ("fesetround", SetRounding),
    ("pthread_create thrd_create fork vfork clone", Refused(STARTING)),
    ("__beeline_wait", Assume),
    ("on_exit at_quick_exit __cxa_atexit", Refused(AT_EXIT)),
    ("lsearch hsearch tsearch tfind tdelete twalk", Refused("a table of the library")),
    ("qsort_r", Refused("a comparison with a further argument")),
    ("setjmp _setjmp __sigsetjmp sigsetjmp __sigsetjmp_cancel", Landing),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_function_has_two_effects() {
        let mut seen = BTreeSet::new();
        let names = EFFECTS.iter().flat_map(|(names, _)| names.split_whitespace());
        let twice: Vec<&str> = names.filter(|name| !seen.insert(*name)).collect();
        assert_eq!(twice, Vec::<&str>::new());
    }
}
