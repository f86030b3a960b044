//! Signals and limits, and how far a run is: whatever happens, a result comes out.

use beeline_cli::memory;
use beeline_engine::{Monitor, Reason};
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the engine may take to stop before the result is written without it.
const GRACE: Duration = Duration::from_millis(500);
/// How many percent of the memory limit end the search, so that there is room for the result.
const END_OF_SEARCH: u64 = 90;
/// How often the progress line is written.
const REFRESH: Duration = Duration::from_millis(200);

/// What a driver sets that shows on a terminal how far the run is, and what the lines begin with that it is told so by.
const DRIVEN: &str = "BEELINE_PROGRESS";
const PROGRESS: &str = "progress: ";

/// Who is told how far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audience {
    Nobody,
    /// A person, by a line that is written again and again.
    Terminal,
    /// A driver, by a line each time.
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

/// Watches a run.
#[derive(Debug)]
pub(crate) struct Watch {
    monitor: Arc<Monitor>,
    start: Instant,
    /// How many targets are looked for.
    targets: usize,
    audience: Audience,
    /// Which search of the plan runs.
    stage: Mutex<String>,
    finished: AtomicBool,
    /// Is there a progress line? Locked while it is written.
    line: Mutex<bool>,
}

/// What ends a run from outside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Memory in bytes.
    pub memory: u64,
    /// Time.
    pub time: Option<Duration>,
}

impl Watch {
    /// Starts watching for signals, memory and time; says the last words and ends the process if the engine does
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
        let mut ended: Option<(Instant, Reason)> = None;
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
                ended = stopped.or(late).map(|reason| (Instant::now(), reason));
            }
            if let Some((_, reason)) =
                ended.take_if(|(since, _)| since.elapsed() > GRACE || used > bounds.memory)
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

    /// What the engine shares with those who watch it.
    pub(crate) fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Claims the right to print the result; false if somebody else has it.
    pub(crate) fn finish(&self) -> bool {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let first = !self.finished.swap(true, Ordering::SeqCst);
        if std::mem::take(&mut *line) {
            // A terminal that has gone away is no reason to end.
            let _ = write!(stderr(), "\r\x1b[K");
        }
        first
    }

    /// Why the engine was stopped.
    pub(crate) fn cause(&self) -> Reason {
        if self.monitor.short_of_memory.load(Ordering::Relaxed) {
            Reason::Memory
        } else {
            Reason::Interrupted
        }
    }

    /// Notes which search of a plan begins: its number, from 1, of how many, and what it does.
    pub(crate) fn begin(&self, number: usize, of: usize, what: &str) {
        let stage = if of == 1 { what.to_string() } else { format!("step {number} of {of}, {what}") };
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    /// How long the run lasts.
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
        // Who unrolls or executes makes none.
        if progress.states > 0 {
            let nearest = progress.nearest.map_or("none".into(), |distance| distance.to_string());
            text += &format!(
                ", {} states, {} waiting, {} spurious paths, distance {nearest}",
                progress.states, progress.waiting, progress.refinements,
            );
        }
        // Who does not listen any more is no reason to end.
        let _ = match self.audience {
            Audience::Driver => writeln!(stderr(), "{PROGRESS}{text}"),
            _ => {
                *line = true;
                write!(stderr(), "\r\x1b[K{text}, {:.0} s", self.start.elapsed().as_secs_f64())
            }
        };
    }
}

/// Is there a limit on the addresses that the process may use? Not all who ask for some expect a refusal.
pub(crate) fn is_confined() -> bool {
    rustix::process::getrlimit(rustix::process::Resource::As).current.is_some()
}
