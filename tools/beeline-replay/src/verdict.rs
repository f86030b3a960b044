//! What a native run says of a counterexample.

use crate::sandbox::Ended;
use std::fmt;

/// The verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The native program reaches the target.
    Confirmed,
    /// It does not, and why.
    NotConfirmed(String),
    /// It cannot be run here, and why.
    NotRun(String),
}

/// How the harness tells of a mark on the way.
const PASSED: &str = "passed ";

/// The numbers of the marks that a native program passed.
pub(crate) fn passed(report: &str) -> Vec<u32> {
    report.lines().filter_map(|line| line.strip_prefix(PASSED)?.parse().ok()).collect()
}

impl Verdict {
    /// From what the harness reported and how the program ended.
    pub(crate) fn of(report: &str, ended: &Ended) -> Verdict {
        let line = report.lines().find(|line| !line.starts_with(PASSED)).unwrap_or("");
        let (word, about) = line.split_once(' ').unwrap_or((line, ""));
        let why = match (word, ended) {
            ("reached", _) => return Verdict::Confirmed,
            ("other-target", _) => format!("the native program reaches another target first: {about}"),
            ("assume", _) => "an assumption of the program fails natively".into(),
            ("stopped", _) => format!("the native program calls {about}, which does not return"),
            ("other-input", _) => {
                format!("the native program goes another way: it asks for {about} out of order")
            }
            ("more-input", _) => {
                format!("the native program goes another way: it asks for {about} once more")
            }
            ("other-turn", _) => "the native program goes another way: a thread gets to another place".into(),
            (_, Ended::TimeOut) => "the native program takes too long".into(),
            (_, Ended::Signal(signal)) => {
                format!("the native program crashes before the target ({})", signal_name(*signal))
            }
            (_, Ended::Code(code)) => {
                format!("the native program goes another way: it ends with exit code {code}")
            }
        };
        Verdict::NotConfirmed(why)
    }

    /// `confirmed`, `not confirmed` or `unchecked`.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::NotConfirmed(_) => "not confirmed",
            Verdict::NotRun(_) => "unchecked",
        }
    }

    /// Why it is not confirmed.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Verdict::Confirmed => None,
            Verdict::NotConfirmed(why) | Verdict::NotRun(why) => Some(why),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Confirmed => f.write_str("confirmed"),
            Verdict::NotConfirmed(why) | Verdict::NotRun(why) => write!(f, "{}: {why}", self.word()),
        }
    }
}

fn signal_name(signal: i32) -> String {
    match signal {
        4 => "illegal instruction".into(),
        5 => "trap".into(),
        6 => "it aborts".into(),
        7 => "bus error".into(),
        8 => "arithmetic error, such as a division by zero".into(),
        9 => "killed".into(),
        11 => "memory fault".into(),
        25 => "it writes too much".into(),
        signal => format!("signal {signal}"),
    }
}
