//! The limits of a check.

use crate::execute::Account;
use crate::judge::{Certify, Judge};
use crate::outcome::{Outcome, Report};
use beeline_smt::{QueryLimits, TICKS_PER_SECOND};
use std::time::{Duration, Instant};

/// The limits of a check.
#[derive(Debug, Clone)]
pub struct Options {
    /// Ticks for one question to the solver.
    pub query_ticks: u64,
    /// The time for all questions.
    pub time: Option<Duration>,
    /// The account of the result, if it is checked as well: what executions do and it does not list is a fault.
    pub account: Option<Account>,
    /// Whether no solver is to be believed.
    pub certify: Option<Certify>,
}

impl Default for Options {
    fn default() -> Options {
        Options { query_ticks: 160 * TICKS_PER_SECOND, time: None, account: None, certify: None }
    }
}

/// The report of a check, which returns its outcome and the number of states.
pub(crate) fn report(options: &Options, check: impl FnOnce(&Judge) -> (Outcome, usize)) -> Report {
    let start = Instant::now();
    let deadline = options.time.and_then(|time| start.checked_add(time));
    let limits = QueryLimits::new(options.query_ticks, deadline).patient().believing_z3();
    let judge = match Judge::new(limits, deadline, options.certify.as_ref()) {
        Ok(judge) => judge,
        Err(why) => return Report::unchecked(why, start.elapsed()),
    };
    let (outcome, states) = check(&judge);
    let (queries, time) = (judge.limits.queries(), start.elapsed());
    Report { outcome, states, queries, time, certified: judge.certified() }
}
