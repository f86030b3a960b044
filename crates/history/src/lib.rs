//! Histories of runs: the body of a `.hist` file.
//!
//! `beeline-campaign` collects one from the results of a campaign, and `beeline-train` learns from it which
//! plan suits which program. A [`History`] is a list of [`Row`]s, one for each run. Rows refer by index to
//! shared parts: the [`Program`] with its features, the [`Strategy`], which is a plan with a name, and the
//! [`Setting`]: machine, limits, versions, and the tool that measured.
//!
//! Costs of different settings cannot be compared: [`History::merge`] refuses them unless mixing is allowed.
//! The cost of a run as competitions count it is [`History::par2`]: its processor time, or twice the limit
//! without a right answer.
//!
//! # Example
//! ```
//! use beeline_history::{Certificate, History, Outcome, Program, Row, Setting, Strategy};
//!
//! let mut history = History::new(["LOCS"]);
//! let setting = Setting { cpu_limit: 10_000_000, ..Setting::default() };
//! let program = Program { name: "loop.c".into(), family: "loops".into(), expected: Some(true), features: Some(vec![17.0]) };
//! let row = Row {
//!     program: history.add_program(program).unwrap(),
//!     strategy: history.add_strategy(Strategy { name: "values".into(), plan: "[[step]]\n".into() }).unwrap(),
//!     setting: history.add_setting(setting),
//!     repetition: 0,
//!     outcome: Outcome::Safe,
//!     certificate: Certificate::Checked,
//!     cpu: 1_500_000, wall: 1_600_000, memory: 1 << 20, check_cpu: 0, ticks: 9, states: 3,
//! };
//! history.rows.push(row);
//! assert_eq!(history.par2(&history.rows[0]), 1.5);
//! ```

mod cost;
mod merge;
mod part;
mod table;
mod wire;

pub use merge::MergeError;
pub use part::NoSuchPlan;
pub use table::{benchexec, csv};

/// A program that was run on.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Its name, unique in the history.
    pub name: String,
    /// Its family of similar programs: learning and judging never divide a family.
    pub family: String,
    /// Whether no execution reaches an error, if that is known.
    pub expected: Option<bool>,
    /// Its features in the order of the history's names; `None` if it was not translated to a program.
    pub features: Option<Vec<f64>>,
}
beeline_ir::wire_struct!(Program { name, family, expected, features });

/// A plan with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strategy {
    /// Its name, unique in the history.
    pub name: String,
    /// The plan, in TOML.
    pub plan: String,
}
beeline_ir::wire_struct!(Strategy { name, plan });

/// The circumstances of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// Processor, cores and memory; not the name of the machine.
    pub machine: String,
    /// The version of Beeline.
    pub version: String,
    /// The tool that measured: `runexec` or `rusage`.
    pub measured_by: String,
    /// The limit on processor time, in microseconds.
    pub cpu_limit: u64,
    /// The limit on memory, in bytes; 0 is no limit.
    pub memory_limit: u64,
}
beeline_ir::wire_struct!(Setting { machine, version, measured_by, cpu_limit, memory_limit });

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No execution reaches an error.
    Safe,
    /// An execution does.
    Unsafe,
    /// There is no answer, for a reason.
    Unknown(String),
    /// The run failed, or could not start.
    Failed(String),
}
beeline_ir::wire_enum!(Outcome { 0 => Safe, 1 => Unsafe, 2 => Unknown(reason), 3 => Failed(reason) });

impl Outcome {
    /// Its name, one word.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Safe => "safe",
            Outcome::Unsafe => "unsafe",
            Outcome::Unknown(_) => "unknown",
            Outcome::Failed(_) => "failed",
        }
    }

    /// The reason why there is no answer.
    pub fn reason(&self) -> &str {
        match self {
            Outcome::Safe | Outcome::Unsafe => "",
            Outcome::Unknown(reason) | Outcome::Failed(reason) => reason,
        }
    }
}

/// The outcome of an independent check of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certificate {
    /// The check confirmed the answer.
    Checked,
    /// The check refuted the answer.
    Refused,
    /// The check was not decided.
    Open,
    /// There was nothing to check, or no check.
    None,
}
beeline_ir::wire_enum!(Certificate { 0 => Checked, 1 => Refused, 2 => Open, 3 => None });

impl Certificate {
    /// Its name, one word.
    pub fn word(self) -> &'static str {
        match self {
            Certificate::Checked => "checked",
            Certificate::Refused => "refused",
            Certificate::Open => "open",
            Certificate::None => "none",
        }
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The program, by index.
    pub program: u32,
    /// The plan, by index.
    pub strategy: u32,
    /// The circumstances, by index.
    pub setting: u32,
    /// The number of the run among equal ones.
    pub repetition: u32,
    /// The outcome.
    pub outcome: Outcome,
    /// The outcome of the check.
    pub certificate: Certificate,
    /// The processor time of the search, in microseconds.
    pub cpu: u64,
    /// The wall-clock time, in microseconds.
    pub wall: u64,
    /// The peak of memory, in bytes.
    pub memory: u64,
    /// The processor time of the check, in microseconds.
    pub check_cpu: u64,
    /// Ticks of solver and search.
    pub ticks: u64,
    /// The number of abstract states.
    pub states: u64,
}
beeline_ir::wire_struct!(Row {
    program,
    strategy,
    setting,
    repetition,
    outcome,
    certificate,
    cpu,
    wall,
    memory,
    check_cpu,
    ticks,
    states,
});

/// Runs, and their shared parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// The names of features, in the order of programs' values.
    pub features: Vec<String>,
    /// The circumstances.
    pub settings: Vec<Setting>,
    /// The plans.
    pub strategies: Vec<Strategy>,
    /// The programs.
    pub programs: Vec<Program>,
    /// The runs.
    pub rows: Vec<Row>,
}
