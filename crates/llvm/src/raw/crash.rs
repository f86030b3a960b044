//! A message when LLVM crashes or gives up. Its reader trusts bitcode: some damage makes it use wild addresses or run
//! out of stack, and nothing in its interface prevents that.

use llvm_sys::error_handling::{LLVMInstallFatalErrorHandler, LLVMResetFatalErrorHandler};
use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::sync::Mutex;

/// Signals that mean that the process is beyond repair.
const SIGNALS: [i32; 5] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGABRT, libc::SIGFPE];

/// The message of the handler. It is written only while no handler is installed.
struct Message(UnsafeCell<Vec<u8>>);

// SAFETY: `Guard` holds the lock while it writes the message and while handlers that read it exist.
unsafe impl Sync for Message {}

static MESSAGE: Message = Message(UnsafeCell::new(Vec::new()));
static LOCK: Mutex<()> = Mutex::new(());

/// A guard during which a crash of this process or a fatal error of LLVM's prints a sentence and ends it with exit code
/// 2.
pub(crate) struct Guard {
    before: Vec<(i32, libc::sigaction)>,
    _lock: std::sync::MutexGuard<'static, ()>,
}

impl Guard {
    /// Installs it for work on a module of that name.
    pub(crate) fn new(name: &str) -> Guard {
        let lock = LOCK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let sentence = format!("error: {name} is damaged, or nested too deeply: LLVM crashed on it\n");
        // SAFETY: the lock is held and no handler is installed, so nobody reads the message. The actions
        // are initialised as `sigaction` wants them, and the handler does only what signals allow.
        let before = unsafe {
            *MESSAGE.0.get() = sentence.into_bytes();
            let install = |signal: i32| {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = end as extern "C" fn(i32) as usize;
                // The stack may be exhausted; the standard library gives each thread another one.
                action.sa_flags = libc::SA_ONSTACK;
                let mut before: libc::sigaction = std::mem::zeroed();
                (libc::sigaction(signal, &action, &mut before) == 0).then_some((signal, before))
            };
            LLVMInstallFatalErrorHandler(Some(give_up));
            SIGNALS.into_iter().filter_map(install).collect()
        };
        Guard { before, _lock: lock }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        for (signal, action) in &self.before {
            // SAFETY: the action is what `sigaction` gave for the signal.
            unsafe { libc::sigaction(*signal, action, std::ptr::null_mut()) };
        }
        // SAFETY: the handler is the one that `new` installed: the lock is still held.
        unsafe { LLVMResetFatalErrorHandler() };
    }
}

/// Prints the sentence and ends the process. Another thread may be the one that crashes: the process ends all the same.
extern "C" fn end(_signal: i32) {
    // SAFETY: `write` and `_exit` may be called in a handler; the message is not written while this is
    // installed.
    unsafe {
        let message: &Vec<u8> = &*MESSAGE.0.get();
        libc::write(2, message.as_ptr().cast(), message.len());
        libc::_exit(2);
    }
}

/// Handles LLVM's own fatal errors; the sentence says what matters to a user.
extern "C" fn give_up(_reason: *const c_char) {
    end(0);
}
