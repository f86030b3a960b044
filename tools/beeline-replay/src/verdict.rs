//! Verdicts of native runs on counterexamples.

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

/// The prefix of the harness's report of a passed mark.
const PASSED: &str = "passed ";

/// The prefix of the harness's report of a created file.
const MADE: &str = "made ";

/// The files that were made for a native program: names, and which of the counterexample's files each holds, from 0 on.
pub(crate) fn made(report: &str) -> Vec<(Vec<u8>, usize)> {
    let file = |line: &str| {
        let (name, number) = line.strip_prefix(MADE)?.split_once(' ')?;
        let digits = |at: usize| u8::from_str_radix(name.get(2 * at..2 * at + 2)?, 16).ok();
        let name = (0..name.len() / 2).map(digits).collect::<Option<_>>()?;
        Some((name, number.parse::<usize>().ok()?.checked_sub(1)?))
    };
    report.lines().filter_map(file).collect()
}

/// The numbers of the marks that a native program passed.
pub(crate) fn passed(report: &str) -> Vec<u32> {
    report.lines().filter_map(|line| line.strip_prefix(PASSED)?.parse().ok()).collect()
}

impl Verdict {
    /// From what the harness reported and how the program ended.
    pub(crate) fn of(report: &str, ended: &Ended) -> Verdict {
        let is_remark = |line: &&str| line.starts_with(PASSED) || line.starts_with(MADE);
        let line = report.lines().find(|line| !is_remark(line)).unwrap_or("");
        let (word, about) = line.split_once(' ').unwrap_or((line, ""));
        let why = match (word, ended) {
            ("reached", _) => return Verdict::Confirmed,
            ("other-target", _) => format!("the native run reaches another target first: {about}"),
            ("assume", _) => "an assumption of the program fails in the native run".into(),
            ("missing-file", _) => "the native run opens a file that it has removed or moved before".into(),
            ("stopped", _) => format!("the native run calls {about}, which does not return"),
            ("other-input", _) => {
                format!("the native run takes another path: it reads {about} out of order")
            }
            ("more-input", _) => {
                format!("the native run takes another path: it reads {about} once more")
            }
            ("no-thread", _) => "the system gives the native run no more threads".into(),
            ("other-turn", _) => "the native run takes another path: a thread reaches another place".into(),
            (_, Ended::TimeOut) => "the native run takes too long".into(),
            (_, Ended::Signal(signal)) => {
                format!("the native run crashes before the target ({})", signal_name(*signal))
            }
            (_, Ended::Code(code)) => {
                format!("the native run takes another path: it ends with exit code {code}")
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

    /// The reason why it is not confirmed.
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
        25 => "too much output".into(),
        signal => format!("signal {signal}"),
    }
}
