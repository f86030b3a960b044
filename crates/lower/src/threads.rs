//! Programs with threads: one thread after the other, in all orders that matter.
//!
//! - [`start`](start::start_threads), before the lowering: each thread gets copies of the functions that it runs;
//!   [`points`]: whatever other threads may see happens behind a call that marks a scheduling point; `build` makes the
//!   small functions that this takes
//! - the lowering makes automata of these functions as of any others
//! - [`flow`]: the automaton of one thread, with what it calls in line; `kept`: what it calls as one step;
//!   `frames`: where its variables lie
//! - [`reduce`]: which scheduling points matter, as other threads do something that the next step depends on
//! - [`product`]: the automaton of all threads together, which the rest of Beeline takes for a program of one thread
//! - `violate`: data races and deadlocks; `endless`: loops that may keep others waiting
//!
//! # Why nothing is missed
//!
//! An execution of threads is a sequence of steps, each by one thread (sequential consistency). Where a thread is at a
//! point whose step depends on nothing that another living thread may do from then on, the other orders are equivalent
//! to those in which it goes first: only these are explored. Each turn of a loop without such a choice passes one all
//! the same, so that no thread keeps the others waiting for ever.

mod build;
mod endless;
mod escape;
pub(crate) mod flow;
mod frames;
mod in_line;
mod kept;
mod locks;
pub(crate) mod points;
pub(crate) mod product;
pub(crate) mod reduce;
pub(crate) mod start;
mod violate;

/// The names of the functions that mark what threads do.
pub(crate) mod marker {
    /// A scheduling point of the program, with its number.
    pub(crate) const POINT: &str = "__beeline_point";
    /// The same, with the addresses of what is accessed behind it.
    pub(crate) const ACCESS: &str = "__beeline_access";
    /// A scheduling point in a model.
    pub(crate) const YIELD: &str = "__beeline_yield";
    /// Goes on only where its argument is not zero.
    pub(crate) const WAIT: &str = "__beeline_wait";
    /// Has a thread ended?
    pub(crate) const ENDED: &str = "__beeline_any_ended";
    /// Was a thread not started yet?
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
    /// May a wait for a condition end without a signal?
    pub(crate) const SPURIOUS: &str = "__beeline_any_spurious";
    /// All of them.
    pub(crate) const ALL: [&str; 12] =
        [POINT, ACCESS, SELF, SPURIOUS, YIELD, WAIT, ENDED, IS_NEW, EXIT, ATOMIC_BEGIN, ATOMIC_END, TOO_MANY];
}

/// The threads of a program.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// The first is the one that starts in the entry function.
    pub list: Vec<Thread>,
    /// Scheduling points by their numbers.
    pub points: Vec<Point>,
}

/// A thread.
#[derive(Debug, Clone)]
pub(crate) struct Thread {
    /// The function of the module in which it starts.
    pub start: String,
    /// What the program calls the function that it runs.
    pub function: String,
}

/// A scheduling point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    /// The function of the program.
    pub function: String,
    /// How many accesses and calls stand before it in that function; [`BEFORE_RETURN`] where the program ends.
    pub ordinal: u32,
    /// Does it matter whenever there are other threads?
    pub always: bool,
    /// Does a loop come back here that may go on for ever?
    pub loops: bool,
    /// What is accessed behind it.
    pub accesses: Accesses,
}

/// What is accessed behind a scheduling point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Accesses {
    /// These, one or two, at the addresses that the point is given.
    Plain(Vec<Access>),
    /// None that races: those of the library for threads.
    None,
    /// What no other thread accesses at the same time: those of an atomic part.
    Atomic,
    /// What a function of the library accesses.
    Library,
}

/// An access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Access {
    pub write: bool,
    pub atomic: bool,
    /// How many bytes.
    pub size: u64,
}

/// The ordinal of a point before a return from the entry function.
pub(crate) use beeline_llvm::native::BEFORE_RETURN;

/// That of a point which is none of the module as it was read.
pub const NOWHERE: u32 = u32::MAX - 1;

/// Does a function only mark something?
fn is_marker(name: &str) -> bool {
    marker::ALL.contains(&name)
}
