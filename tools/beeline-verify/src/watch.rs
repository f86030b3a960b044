//! The watch over a run: signals, limits and progress. Whatever happens, there is a result.

use beeline_cli::memory;
use beeline_engine::{Monitor, Reason};
use cpu_time::ProcessTime;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time that the engine gets to stop before the result is written without it: of the processor, as others may use that
/// as well, and by the clock.
const GRACE: Duration = Duration::from_millis(500);
const LONGEST_GRACE: Duration = Duration::from_secs(3);
/// The percentage of the memory limit at which the search ends: there has to be room for what it allocates until it notices, such as
/// a list that doubles, and for the result.
const END_OF_SEARCH: u64 = 80;
/// The time between two progress lines.
const REFRESH: Duration = Duration::from_millis(200);

/// The environment variable that a driver sets which shows the progress on a terminal, and the prefix of
/// progress lines for a driver.
const DRIVEN: &str = "BEELINE_PROGRESS";
const PROGRESS: &str = "progress: ";

/// The audience of progress lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audience {
    Nobody,
    /// A terminal, with one line that is rewritten.
    Terminal,
    /// A driver, with a new line each time.
    Driver,
}

impl Audience {
    fn of_this_process() -> Audience {
        if std::env::var_os(DRIVEN).is_some() {
            Audience::Driver
        } else if stderr().is_terminal() {
            Audience::Terminal
        } else {
            Audience::Nobody
        }
    }
}

/// A watch over a run.
#[derive(Debug)]
pub(crate) struct Watch {
    monitor: Arc<Monitor>,
    start: Instant,
    /// The number of targets that are searched for.
    targets: usize,
    audience: Audience,
    /// The running search of the plan.
    stage: Mutex<String>,
    finished: AtomicBool,
    /// Whether there is a progress line. Locked while it is written.
    line: Mutex<bool>,
}

/// The limits that end a run from outside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Memory in bytes.
    pub memory: u64,
    /// Time.
    pub time: Option<Duration>,
}

impl Watch {
    /// Starts watching signals, memory and time; writes the result and ends the process if the engine does
    /// not stop.
    pub(crate) fn start(
        bounds: Bounds,
        targets: usize,
        last_words: impl FnOnce(&Watch, Reason) + Send + 'static,
    ) -> Result<Arc<Watch>, String> {
        let watch = Arc::new(Watch {
            monitor: Arc::default(),
            start: Instant::now(),
            targets,
            audience: Audience::of_this_process(),
            stage: Mutex::default(),
            finished: AtomicBool::new(false),
            line: Mutex::new(false),
        });
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&watch.monitor.stop))
                .map_err(|error| format!("cannot watch for signals: {error}"))?;
        }
        let watching = Arc::clone(&watch);
        std::thread::spawn(move || watching.run(bounds, last_words));
        Ok(watch)
    }

    fn run(&self, bounds: Bounds, last_words: impl FnOnce(&Watch, Reason)) {
        let deadline = bounds.time.and_then(|time| self.start.checked_add(time));
        let mut ended: Option<(Instant, ProcessTime, Reason)> = None;
        let mut shown = self.start;
        while !self.finished.load(Ordering::Relaxed) {
            std::thread::sleep(memory::PERIOD);
            let used = memory::used().unwrap_or(0);
            if used > bounds.memory / 100 * END_OF_SEARCH {
                self.monitor.short_of_memory.store(true, Ordering::Relaxed);
                self.monitor.stop.store(true, Ordering::Relaxed);
            }
            if ended.is_none() {
                let stopped = self.monitor.stop.load(Ordering::Relaxed).then(|| self.cause());
                let late = deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Reason::Time);
                ended = stopped.or(late).map(|reason| (Instant::now(), ProcessTime::now(), reason));
            }
            let is_over =
                |since: Instant, used: ProcessTime| used.elapsed() > GRACE || since.elapsed() > LONGEST_GRACE;
            if let Some((.., reason)) =
                ended.take_if(|(since, cpu, _)| is_over(*since, *cpu) || used > bounds.memory)
                && self.finish()
            {
                last_words(self, reason);
                std::process::exit(0);
            }
            if self.audience != Audience::Nobody && shown.elapsed() > REFRESH {
                shown = Instant::now();
                self.show();
            }
        }
    }

    /// The monitor that the engine shares with the watch.
    pub(crate) fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Claims the right to print the result; false if another thread has it.
    pub(crate) fn finish(&self) -> bool {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let first = !self.finished.swap(true, Ordering::SeqCst);
        if std::mem::take(&mut *line) {
            // A closed terminal is no reason to end.
            let _ = write!(stderr(), "\r\x1b[K");
        }
        first
    }

    /// The reason why the engine was stopped.
    pub(crate) fn cause(&self) -> Reason {
        if self.monitor.short_of_memory.load(Ordering::Relaxed) {
            Reason::Memory
        } else {
            Reason::Interrupted
        }
    }

    /// Records which search of a plan begins: its number from 1, the number of searches, and a description.
    pub(crate) fn begin(&self, number: usize, of: usize, what: &str) {
        let stage = if of == 1 { what.to_string() } else { format!("step {number} of {of}, {what}") };
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    /// The time since the start of the run.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Writes the progress line.
    fn show(&self) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        if self.finished.load(Ordering::SeqCst) {
            return;
        }
        let progress = self.monitor.progress();
        let open = (self.targets as u64).saturating_sub(progress.targets);
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut text =
            format!("{stage}: {} of {} targets reached, {open} open", progress.targets, self.targets);
        // Unrolling and test execution have no abstract states.
        if progress.states > 0 {
            let nearest = progress.nearest.map_or("none".into(), |distance| distance.to_string());
            text += &format!(
                ", {} states, {} waiting, {} spurious paths, distance {nearest}",
                progress.states, progress.waiting, progress.refinements,
            );
        }
        // A closed output is no reason to end.
        let _ = match self.audience {
            Audience::Driver => writeln!(stderr(), "{PROGRESS}{text}"),
            _ => {
                *line = true;
                write!(stderr(), "\r\x1b[K{text}, {:.0} s", self.start.elapsed().as_secs_f64())
            }
        };
    }
}

/// Whether there is a limit on the address space of the process: some libraries do not expect that an
/// allocation fails.
pub(crate) fn is_confined() -> bool {
    rustix::process::getrlimit(rustix::process::Resource::As).current.is_some()
}
