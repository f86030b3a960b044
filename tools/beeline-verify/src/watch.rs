//! Signals and limits: whatever happens, a result is printed.

use beeline_engine::Reason;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the engine may take to stop before the result is printed without it.
const GRACE: Duration = Duration::from_secs(3);

/// Watches a run.
#[derive(Debug)]
pub struct Watch {
    stop: Arc<AtomicBool>,
    memory: Arc<AtomicBool>,
    finished: Arc<AtomicBool>,
}

impl Watch {
    /// Starts watching for signals, memory and time; says the last words if the engine does not stop.
    pub fn start(
        memory_limit: Option<u64>,
        time: Option<Duration>,
        last_words: impl FnOnce(&Reason) + Send + 'static,
    ) -> Result<Watch, String> {
        let watch = Watch { stop: Arc::default(), memory: Arc::default(), finished: Arc::default() };
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, watch.flag())
                .map_err(|error| format!("cannot watch for signals: {error}"))?;
        }
        let (stop, memory, finished) = (watch.flag(), Arc::clone(&watch.memory), Arc::clone(&watch.finished));
        let deadline = time.and_then(|time| Instant::now().checked_add(time + GRACE));
        std::thread::spawn(move || {
            let mut stopped: Option<Instant> = None;
            while !finished.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
                if memory_limit.is_some_and(|limit| resident_bytes().is_some_and(|used| used > limit)) {
                    memory.store(true, Ordering::Relaxed);
                    stop.store(true, Ordering::Relaxed);
                }
                if stop.load(Ordering::Relaxed) && stopped.is_none() {
                    stopped = Some(Instant::now());
                }
                let stuck = stopped.is_some_and(|since| since.elapsed() > GRACE);
                let late = deadline.is_some_and(|deadline| Instant::now() > deadline);
                if (stuck || late) && !finished.swap(true, Ordering::SeqCst) {
                    let reason = match (memory.load(Ordering::Relaxed), late && !stuck) {
                        (true, _) => Reason::Memory,
                        (_, true) => Reason::Time,
                        _ => Reason::Interrupted,
                    };
                    last_words(&reason);
                    std::process::exit(0);
                }
            }
        });
        Ok(watch)
    }

    /// The flag that stops the engine.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Claims the right to print the result; false if somebody else has it.
    pub fn finish(&self) -> bool {
        !self.finished.swap(true, Ordering::SeqCst)
    }

    /// Why the engine was stopped, if not by a signal.
    pub fn cause(&self) -> Option<Reason> {
        self.memory.load(Ordering::Relaxed).then_some(Reason::Memory)
    }
}

/// Memory that the process has in use, where the system tells.
fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
