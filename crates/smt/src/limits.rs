//! What queries may use, counted: the same queries use the same on any machine, whatever else runs there.
//!
//! The unit is a *tick*: one step of Z3's own count of its work. Time only ever ends a run as a whole.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use z3::StatisticsValue;

/// About as many ticks take a second.
pub const TICKS_PER_SECOND: u64 = 3_000_000;

/// What a run has used so far, and when it is over.
#[derive(Debug, Default)]
pub struct Meter {
    used: Cell<u64>,
    /// How many ticks it may use.
    budget: Cell<Option<u64>>,
    /// When it has to be over, whatever it used.
    deadline: Option<Instant>,
    /// Set from outside, it ends the run.
    stop: Arc<AtomicBool>,
}

impl Meter {
    /// Nothing was used yet.
    pub fn new(budget: Option<u64>, deadline: Option<Instant>, stop: Arc<AtomicBool>) -> Meter {
        Meter { used: Cell::new(0), budget: Cell::new(budget), deadline, stop }
    }

    /// Adds to what was used.
    pub fn charge(&self, ticks: u64) {
        self.used.set(self.used.get().saturating_add(ticks));
    }

    /// Lets it use only so many ticks more.
    pub fn allow(&self, more: u64) {
        let end = self.used().saturating_add(more);
        self.budget.set(Some(self.budget.get().map_or(end, |budget| budget.min(end))));
    }

    /// Lets it use as many in all, if that is more than it was.
    pub fn extend(&self, ticks: Option<u64>) {
        let most = |budget: u64| ticks.map(|ticks| ticks.max(budget));
        self.budget.set(self.budget.get().and_then(most));
    }

    /// How many ticks were used.
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Is the run to stop at once?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Is its time over?
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Are its ticks used up?
    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// How many ticks it may still use.
    fn left(&self) -> u64 {
        self.budget.get().map_or(u64::MAX, |budget| budget.saturating_sub(self.used.get()))
    }

    /// Is it over, for whatever reason?
    pub fn is_over(&self) -> bool {
        self.is_stopped() || self.is_late() || self.is_spent()
    }
}

/// What a query may use, and a count of what queries used.
#[derive(Debug)]
pub struct QueryLimits {
    /// Ticks for one query.
    pub query_ticks: u64,
    meter: Rc<Meter>,
    /// No query begins when the meter shows as much.
    until: u64,
    /// Is there nothing else to do?
    is_patient: bool,
    queries: Cell<u64>,
    unknowns: Cell<u64>,
    spent: Cell<Duration>,
    /// How often unbounded integers were asked, and how often they knew.
    integers: Cell<(u32, u32)>,
}

impl QueryLimits {
    /// QueryLimits of one query and of all.
    pub fn new(query_ticks: u64, deadline: Option<Instant>) -> QueryLimits {
        QueryLimits::of(query_ticks, Rc::new(Meter::new(None, deadline, Arc::default())))
    }

    /// QueryLimits of one query; what queries use is charged to a run.
    pub fn of(query_ticks: u64, meter: Rc<Meter>) -> QueryLimits {
        QueryLimits {
            query_ticks,
            meter,
            until: u64::MAX,
            is_patient: false,
            queries: Cell::new(0),
            unknowns: Cell::new(0),
            spent: Cell::new(Duration::ZERO),
            integers: Cell::new((0, 0)),
        }
    }

    /// The same, where all queries together get so many ticks.
    pub fn within(self, ticks: u64) -> QueryLimits {
        let until = self.meter.used().saturating_add(ticks);
        QueryLimits { until, ..self }
    }

    /// The same, for questions besides which nothing is left to do: a SAT solver is asked about large ones, too, which takes it more
    /// time than its ticks say.
    pub fn patient(self) -> QueryLimits {
        QueryLimits { is_patient: true, ..self }
    }

    /// Is there nothing else to do?
    pub(crate) fn is_patient(&self) -> bool {
        self.is_patient
    }

    /// Those of other queries of the same run, with so many ticks for each.
    pub fn each(&self, query_ticks: u64) -> QueryLimits {
        QueryLimits::of(query_ticks, Rc::clone(&self.meter))
    }

    /// As many ticks, or what is left of the run.
    pub(crate) fn affordable(&self, ticks: u64) -> u64 {
        ticks.min(self.meter.left()).min(self.until.saturating_sub(self.meter.used()))
    }

    /// The parameters of a query that may use so many ticks.
    pub(crate) fn params(&self, ticks: u64) -> z3::Params {
        let mut params = params(self.affordable(ticks));
        if let Some(deadline) = self.meter.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            params.set_u32("timeout", left.as_millis().clamp(1, 1 << 30) as u32);
        }
        params
    }

    /// The time that is left, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.meter.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// What asks whether the run must end at once.
    pub(crate) fn must_end(&self) -> impl Fn() -> bool + 'static {
        let meter = Rc::clone(&self.meter);
        move || meter.is_stopped() || meter.is_late()
    }

    /// How many ticks the run has used.
    pub(crate) fn used(&self) -> u64 {
        self.meter.used()
    }

    pub(crate) fn charge(&self, ticks: u64) {
        self.meter.charge(ticks);
    }

    pub(crate) fn count(&self, start: Instant, unknown: bool) {
        self.queries.set(self.queries.get() + 1);
        self.unknowns.set(self.unknowns.get() + u64::from(unknown));
        self.spent.set(self.spent.get() + start.elapsed());
    }

    /// How often unbounded integers were asked, and how often they knew.
    pub(crate) fn integers(&self) -> (u32, u32) {
        self.integers.get()
    }

    pub(crate) fn count_integers(&self, known: bool) {
        let (asked, helped) = self.integers.get();
        self.integers.set((asked + 1, helped + u32::from(known)));
    }

    /// Is what all queries may use used up, or the run over?
    pub fn is_over(&self) -> bool {
        self.meter.used() >= self.until || self.meter.is_over()
    }

    /// How many queries were made.
    pub fn queries(&self) -> u64 {
        self.queries.get()
    }

    /// How many queries had no answer.
    pub fn unknowns(&self) -> u64 {
        self.unknowns.get()
    }

    /// The time that queries took.
    pub fn spent(&self) -> Duration {
        self.spent.get()
    }
}

/// The parameters of work that Z3 may count so many steps of, whatever time it takes.
pub(crate) fn params(steps: u64) -> z3::Params {
    let mut params = z3::Params::new();
    // None at all would be as many as it likes.
    params.set_u32("rlimit", steps.clamp(1, u32::MAX.into()) as u32);
    params
}

thread_local! {
    /// What Z3's count showed when it was last looked at.
    static SHOWN: Cell<u32> = const { Cell::new(0) };
}

/// Begins to count as a context does that showed this when it was last looked at; what the one before it showed.
pub(crate) fn count_anew(shown: u32) -> u32 {
    SHOWN.replace(shown)
}

/// What Z3 used in this thread since this was last asked, as a solver that has just answered shows it.
pub(crate) fn used_by(solver: &z3::Solver) -> u64 {
    since_last(solver.get_statistics().value("rlimit count"))
}

/// The same where no solver has answered.
pub(crate) fn used_by_tactics() -> u64 {
    used_by(&z3::Solver::new())
}

/// The same as Spacer shows it.
pub(crate) fn used_by_horn_clauses(engine: &z3::Fixedpoint) -> u64 {
    since_last(engine.get_statistics().value("rlimit count"))
}

/// The same of a number that was read elsewhere; it has 32 bits and begins anew behind them.
fn since_last(shown: Option<StatisticsValue>) -> u64 {
    let now = match shown {
        Some(StatisticsValue::UInt(count)) => count,
        Some(StatisticsValue::Double(count)) => count as u64 as u32,
        None => return 0,
    };
    u64::from(now.wrapping_sub(SHOWN.replace(now)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_charged_adds_up_until_it_is_spent() {
        let meter = Rc::new(Meter::new(Some(10), None, Arc::default()));
        let part = QueryLimits::of(5, Rc::clone(&meter)).within(6);
        let whole = QueryLimits::of(5, Rc::clone(&meter));
        meter.charge(4);
        assert_eq!((part.affordable(1), part.affordable(9), whole.affordable(9)), (1, 2, 6));
        meter.charge(1);
        assert!(!part.is_over() && !meter.is_spent());
        meter.charge(1);
        assert!(part.is_over() && !meter.is_spent());
        assert_eq!((part.affordable(3), whole.affordable(3), whole.affordable(9)), (0, 3, 4));
        meter.charge(4);
        assert!(meter.is_spent() && !meter.is_late() && meter.used() == 10);
    }

    #[test]
    fn a_count_that_begins_anew_goes_on() {
        SHOWN.set(u32::MAX - 1);
        assert_eq!(since_last(Some(StatisticsValue::UInt(3))), 5);
        assert_eq!(since_last(Some(StatisticsValue::Double(5.0))), 2);
        assert_eq!(since_last(None), 0);
    }
}
