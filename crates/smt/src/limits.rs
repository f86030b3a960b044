//! Limits of queries, in counted work: the same queries take the same ticks on any machine, whatever else
//! runs there.
//!
//! A *tick* is one step in Z3's own count of its work. Time only ever ends a run as a whole.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use z3::StatisticsValue;

/// The approximate number of ticks of a second.
pub const TICKS_PER_SECOND: u64 = 3_000_000;

/// The meter of a run: the ticks used so far, and the limits of the run.
#[derive(Debug, Default)]
pub struct Meter {
    used: Cell<u64>,
    /// The budget in ticks.
    budget: Cell<Option<u64>>,
    /// The time at which the run has to end, whatever it used.
    deadline: Cell<Option<Instant>>,
    /// Set from outside: ends the run.
    stop: Arc<AtomicBool>,
    /// The time from which that counts.
    stops_from: Cell<Option<Instant>>,
}

impl Meter {
    /// A meter that shows zero.
    pub fn new(budget: Option<u64>, deadline: Option<Instant>, stop: Arc<AtomicBool>) -> Meter {
        Meter { budget: Cell::new(budget), deadline: Cell::new(deadline), stop, ..Meter::default() }
    }

    /// Adds to the used ticks.
    pub fn charge(&self, ticks: u64) {
        self.used.set(self.used.get().saturating_add(ticks));
    }

    /// Limits the run to so many further ticks.
    pub fn allow(&self, more: u64) {
        let end = self.used().saturating_add(more);
        self.budget.set(Some(self.budget.get().map_or(end, |budget| budget.min(end))));
    }

    /// Raises the budget to so many ticks in all, if it is smaller.
    pub fn extend(&self, ticks: Option<u64>) {
        let most = |budget: u64| ticks.map(|ticks| ticks.max(budget));
        self.budget.set(self.budget.get().and_then(most));
    }

    /// Leaves so many ticks and so much time to the run, if less is left, also if it was stopped.
    pub fn leave(&self, ticks: u64, time: Duration) {
        let until = Instant::now() + time;
        self.extend(Some(self.used().saturating_add(ticks)));
        self.deadline.set(self.deadline.get().map(|deadline| deadline.max(until)));
        self.stops_from.set(Some(until));
    }

    /// The ticks used so far.
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Whether the run has to stop at once.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) && self.stops_from.get().is_none_or(|from| Instant::now() >= from)
    }

    /// Whether the time is up.
    pub fn is_late(&self) -> bool {
        self.deadline.get().is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether the ticks are used up.
    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// The remaining ticks.
    fn left(&self) -> u64 {
        self.budget.get().map_or(u64::MAX, |budget| budget.saturating_sub(self.used.get()))
    }

    /// Whether the run is over, for any reason.
    pub fn is_over(&self) -> bool {
        self.is_stopped() || self.is_late() || self.is_spent()
    }
}

/// The limits of queries, and a count of these.
#[derive(Debug)]
pub struct QueryLimits {
    /// The ticks of one query.
    pub query_ticks: u64,
    meter: Rc<Meter>,
    /// The meter value from which no further query begins.
    until: u64,
    /// Whether nothing else remains to be done.
    is_patient: bool,
    /// Whether Z3 is believed, but not circuits of our own.
    believes_z3: bool,
    queries: Cell<u64>,
    unknowns: Cell<u64>,
    spent: Cell<Duration>,
    /// The number of queries to unbounded integers, and of those that they answered.
    integers: Cell<(u32, u32)>,
}

impl QueryLimits {
    /// Limits for one query and for all.
    pub fn new(query_ticks: u64, deadline: Option<Instant>) -> QueryLimits {
        QueryLimits::of(query_ticks, Rc::new(Meter::new(None, deadline, Arc::default())))
    }

    /// Limits for one query. Queries are charged to a run.
    pub fn of(query_ticks: u64, meter: Rc<Meter>) -> QueryLimits {
        QueryLimits {
            query_ticks,
            meter,
            until: u64::MAX,
            is_patient: false,
            believes_z3: false,
            queries: Cell::new(0),
            unknowns: Cell::new(0),
            spent: Cell::new(Duration::ZERO),
            integers: Cell::new((0, 0)),
        }
    }

    /// The same limits, with so many ticks for all queries together.
    pub fn within(self, ticks: u64) -> QueryLimits {
        let until = self.meter.used().saturating_add(ticks);
        QueryLimits { until, ..self }
    }

    /// The same limits, for queries besides which nothing remains to be done: even large ones go to a SAT
    /// solver, which takes more time than its ticks say.
    pub fn patient(self) -> QueryLimits {
        QueryLimits { is_patient: true, ..self }
    }

    /// Whether nothing else remains to be done.
    pub(crate) fn is_patient(&self) -> bool {
        self.is_patient
    }

    /// The same limits, for queries of words that Z3 makes truth values of: who checks a proof does not believe the circuits
    /// with which it was found.
    pub fn believing_z3(self) -> QueryLimits {
        QueryLimits { believes_z3: true, ..self }
    }

    /// Whether Z3 is believed, but not circuits of our own.
    pub(crate) fn believes_z3(&self) -> bool {
        self.believes_z3
    }

    /// Limits for other queries of the same run, with so many ticks for each, and with the same belief.
    pub fn each(&self, query_ticks: u64) -> QueryLimits {
        QueryLimits { believes_z3: self.believes_z3, ..QueryLimits::of(query_ticks, Rc::clone(&self.meter)) }
    }

    /// So many ticks, or the remaining ones if these are fewer.
    pub(crate) fn affordable(&self, ticks: u64) -> u64 {
        ticks.min(self.meter.left()).min(self.until.saturating_sub(self.meter.used()))
    }

    /// The parameters of a query that may use so many ticks.
    pub(crate) fn params(&self, ticks: u64) -> z3::Params {
        let mut params = params(self.affordable(ticks));
        if let Some(deadline) = self.meter.deadline.get() {
            let left = deadline.saturating_duration_since(Instant::now());
            params.set_u32("timeout", left.as_millis().clamp(1, 1 << 30) as u32);
        }
        params
    }

    /// The remaining time, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.meter.deadline.get().map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// A function that returns whether the run has to end at once.
    pub(crate) fn must_end(&self) -> impl Fn() -> bool + 'static {
        let meter = Rc::clone(&self.meter);
        move || meter.is_stopped() || meter.is_late()
    }

    /// The ticks that the run has used.
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

    /// The number of queries to unbounded integers, and of those that they answered.
    pub(crate) fn integers(&self) -> (u32, u32) {
        self.integers.get()
    }

    pub(crate) fn count_integers(&self, known: bool) {
        let (asked, helped) = self.integers.get();
        self.integers.set((asked + 1, helped + u32::from(known)));
    }

    /// Whether the ticks of all queries are used up, or the run is over.
    pub fn is_over(&self) -> bool {
        self.meter.used() >= self.until || self.meter.is_over()
    }

    /// The number of queries.
    pub fn queries(&self) -> u64 {
        self.queries.get()
    }

    /// The number of queries without an answer.
    pub fn unknowns(&self) -> u64 {
        self.unknowns.get()
    }

    /// The time of all queries.
    pub fn spent(&self) -> Duration {
        self.spent.get()
    }
}

/// The parameters of work limited to so many steps in Z3's count, whatever time it takes.
pub(crate) fn params(steps: u64) -> z3::Params {
    let mut params = z3::Params::new();
    // Zero would mean no limit.
    params.set_u32("rlimit", steps.clamp(1, u32::MAX.into()) as u32);
    params
}

thread_local! {
    /// The last observed value of Z3's count.
    static SHOWN: Cell<u32> = const { Cell::new(0) };
}

/// Switches to a context whose count last showed this value. Returns the last value of the previous context.
pub(crate) fn count_anew(shown: u32) -> u32 {
    SHOWN.replace(shown)
}

/// The steps that Z3 took in this thread since the last call, as shown by a solver that has just answered.
pub(crate) fn used_by(solver: &z3::Solver) -> u64 {
    since_last(solver.get_statistics().value("rlimit count"))
}

/// The same where no solver has answered.
pub(crate) fn used_by_tactics() -> u64 {
    used_by(&z3::Solver::new())
}

/// The same as shown by Spacer.
pub(crate) fn used_by_horn_clauses(engine: &z3::Fixedpoint) -> u64 {
    since_last(engine.get_statistics().value("rlimit count"))
}

/// The steps since the last observed value. The count has 32 bits and wraps around.
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
    fn charges_add_up_until_the_budget_is_spent() {
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
    fn a_count_that_wraps_around_goes_on() {
        SHOWN.set(u32::MAX - 1);
        assert_eq!(since_last(Some(StatisticsValue::UInt(3))), 5);
        assert_eq!(since_last(Some(StatisticsValue::Double(5.0))), 2);
        assert_eq!(since_last(None), 0);
    }
}
