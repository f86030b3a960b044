//! Programs with threads: one thread after the other, in all orders that matter.
//!
//! - [`start`](start::start_threads), before the lowering: each thread gets copies of the functions that it runs;
//!   [`points`]: whatever other threads may see happens after a call that marks a scheduling point; `build` makes the
//!   small functions that this needs
//! - the lowering makes automata of these functions as of any others
//! - [`flow`]: the automaton of one thread, with its calls inlined; `kept`: what it calls as one step; `frames`: where
//!   its variables lie
//! - [`reduce`]: which scheduling points matter, as other threads do something that the next step depends on
//! - [`product`]: the automaton of all threads together, which is a program of one thread to the rest of Beeline
//! - `unmodelled`: what remains of programs for which that cannot be done
//! - `violate`: data races and deadlocks; `library`: what functions of the library access; `endless`: loops that may keep others waiting
//! - `shorten`: leaves out what has no effect, before threads are put together; `frontier`: which of their places are explored first
//!
//! # Why nothing is missed
//!
//! An execution of threads is a sequence of steps, each by one thread (sequential consistency). If a thread is at a
//! point whose step depends on nothing that another running thread may do from then on, the other orders are equivalent
//! to those in which it goes first: only these are explored. Each iteration of a loop without such a choice passes one
//! all the same, so that no thread keeps the others waiting for ever.

mod build;
mod endless;
mod escape;
pub(crate) mod flow;
mod frames;
mod frontier;
mod in_line;
mod kept;
pub(crate) mod library;
mod locks;
pub(crate) mod points;
pub(crate) mod product;
pub(crate) mod reduce;
mod shorten;
pub(crate) mod start;
pub(crate) mod unmodelled;
mod unset;
mod violate;

/// The names of the functions that mark what threads do.
pub(crate) mod marker {
    /// A scheduling point of the program, with its number.
    pub(crate) const POINT: &str = "__beeline_point";
    /// The same, with the addresses of the accesses after it.
    pub(crate) const ACCESS: &str = "__beeline_access";
    /// Reads its argument.
    pub(crate) const READ: &str = "__beeline_read";
    /// A scheduling point in a model.
    pub(crate) const YIELD: &str = "__beeline_yield";
    /// Goes on only where its argument is not zero.
    pub(crate) const WAIT: &str = "__beeline_wait";
    /// Whether a thread has ended.
    pub(crate) const ENDED: &str = "__beeline_any_ended";
    /// Whether a thread was not started yet.
    pub(crate) const IS_NEW: &str = "__beeline_is_new";
    /// The end of the thread that calls it.
    pub(crate) const EXIT: &str = "__beeline_thread_exit";
    /// No other thread runs from here ...
    pub(crate) const ATOMIC_BEGIN: &str = "__beeline_atomic_begin";
    /// ... to here.
    pub(crate) const ATOMIC_END: &str = "__beeline_atomic_end";
    /// More threads are created than are modelled.
    pub(crate) const TOO_MANY: &str = "__beeline_too_many_threads";
    /// The number of the thread that calls it.
    pub(crate) const SELF: &str = "__beeline_self";
    /// Whether a wait for a condition may end without a signal.
    pub(crate) const SPURIOUS: &str = "__beeline_any_spurious";
    /// All markers.
    pub(crate) const ALL: [&str; 13] = [
        POINT,
        ACCESS,
        READ,
        SELF,
        SPURIOUS,
        YIELD,
        WAIT,
        ENDED,
        IS_NEW,
        EXIT,
        ATOMIC_BEGIN,
        ATOMIC_END,
        TOO_MANY,
    ];
}

/// The threads of a program.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// The first is the one that starts in the entry function.
    pub list: Vec<Thread>,
    /// Scheduling points by their numbers.
    pub points: Vec<Point>,
}

/// A thread of the program.
#[derive(Debug, Clone)]
pub(crate) struct Thread {
    /// The function of the module in which it starts.
    pub start: String,
    /// The source's name of the function that it runs.
    pub function: String,
}

/// A scheduling point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    /// The function of the program.
    pub function: String,
    /// The number of accesses and calls before it in that function; [`BEFORE_RETURN`] where the program ends.
    pub ordinal: u32,
    /// Whether it matters whenever there are other threads.
    pub always: bool,
    /// Whether it is the head of a loop that may not end.
    pub loops: bool,
    /// The accesses after it.
    pub accesses: Accesses,
}

/// The accesses after a scheduling point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Accesses {
    /// One or two accesses, at the addresses that are the point's arguments.
    Plain(Vec<Access>),
    /// No access.
    None,
    /// Accesses of an atomic part, which no other thread makes at the same time.
    Atomic,
    /// Accesses of a function of the library, of which one or two are known, at the addresses that are the point's arguments.
    Library(Vec<Access>),
}

/// An access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Access {
    pub write: bool,
    /// Whether it may find that there is nothing to write.
    pub may_fail: bool,
    pub atomic: bool,
    /// The size in bytes.
    pub size: u64,
}

/// The ordinal of a point before a return from the entry function.
pub(crate) use beeline_module::names::BEFORE_RETURN;

/// The ordinal of a point that is not in the module as it was read.
pub const NOWHERE: u32 = u32::MAX - 1;

/// Whether a function only marks something.
fn is_marker(name: &str) -> bool {
    marker::ALL.contains(&name)
}
