//! Exit handling: when Z3 finds a fault in itself, it ends the process. A handler can report that in time.
#![allow(unsafe_code)] // The standard library has no way to act when a process ends.

use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

type LastWords = Box<dyn FnOnce() -> bool + Send>;

static LAST_WORDS: Mutex<Option<LastWords>> = Mutex::new(None);

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> c_int;
    fn _exit(code: c_int) -> !;
}

extern "C" fn speak() {
    let words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).take();
    if words.is_some_and(|words| words()) {
        // SAFETY: what had to be written is written.
        unsafe { _exit(0) }
    }
}

/// Removes the handler for the end of this process.
pub(crate) fn forget_last_words() {
    // A thread that holds the lock is not part of a forked process, and its work is not done here.
    if let Ok(mut words) = LAST_WORDS.try_lock() {
        *words = None;
    }
}

/// Calls a function when the process ends by an exit, whatever the cause. A second call replaces the
/// function. If the function returns true, the exit code becomes 0.
pub fn before_exit(words: impl FnOnce() -> bool + Send + 'static) {
    let before = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).replace(Box::new(words));
    if before.is_none() {
        // SAFETY: the handler lives as long as the program. If it cannot be registered, it is not called.
        unsafe { atexit(speak) };
    }
}
