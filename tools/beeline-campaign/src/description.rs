//! Descriptions of campaigns: files in TOML.

use crate::tasks::{Task, TaskList};
use beeline_options::{Plan, Size, Time};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The name that stands for the default plan of `beeline check`, instead of a file.
const BUILT_IN: &str = "built-in";

/// A description, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Description {
    /// Time of the processor for each run.
    time_limit: Time,
    #[serde(default)]
    memory_limit: Option<String>,
    #[serde(default = "once")]
    repetitions: u32,
    #[serde(default = "once")]
    runs_per_job: usize,
    #[serde(default)]
    measure: Measure,
    #[serde(default = "yes")]
    check: bool,
    /// Files of plans by name.
    plans: BTreeMap<String, String>,
    tasks: Vec<TaskList>,
}

fn once<T: From<u8>>() -> T {
    T::from(1)
}

fn yes() -> bool {
    true
}

/// Who measures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Measure {
    /// runexec where cgroups allow, else this tool
    #[default]
    Auto,
    /// BenchExec's runexec
    Runexec,
    /// This tool, by what the system counted for the processes
    Rusage,
}

/// A resolved campaign, as the workflow and its jobs read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Campaign {
    /// Time of the processor for each run, in microseconds.
    pub cpu_limit: u64,
    /// Memory for each run in bytes; 0 for no limit.
    pub memory_limit: u64,
    /// Who measures.
    pub measure: Measure,
    /// Whether answers are checked.
    pub check: bool,
    /// Plans by name, in TOML.
    pub plans: Vec<(String, String)>,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The runs.
    pub runs: Vec<Run>,
    /// The runs of each job of the workflow, as ranges.
    pub jobs: Vec<(usize, usize)>,
    /// The tasks that each job of the workflow prepares, as ranges.
    pub groups: Vec<(usize, usize)>,
}

/// A run to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The task, by index.
    pub task: usize,
    /// The plan, by index.
    pub plan: usize,
    /// The number of the run among equal ones.
    pub repetition: u32,
}

impl Campaign {
    /// The campaign that a file describes; its paths are relative to the file.
    pub(crate) fn read(path: &Path) -> Result<Campaign, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        let description: Description = toml::from_str(&text).map_err(|error| {
            let (line, what) = beeline_options::fault(&text, &error);
            format!("{shown}:{line}: {what}")
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        description.definite(folder).map_err(|sentence| format!("{shown}: {sentence}"))
    }
}

impl Description {
    fn definite(self, folder: &Path) -> Result<Campaign, String> {
        if self.plans.is_empty() {
            return Err("the campaign has no plan".into());
        }
        if self.repetitions == 0 || self.runs_per_job == 0 {
            return Err("repetitions and runs-per-job are at least 1".into());
        }
        let plan = |(name, file): (&String, &String)| {
            let plan = match file.as_str() {
                BUILT_IN => Plan::built_in(),
                file => Plan::read(&folder.join(file)).map_err(|error| error.to_string())?,
            };
            Ok((name.clone(), plan.text()))
        };
        let plans: Vec<(String, String)> = self.plans.iter().map(plan).collect::<Result<_, String>>()?;
        let mut tasks = Vec::new();
        for list in &self.tasks {
            tasks.extend(list.tasks(folder)?);
        }
        let mut names = BTreeSet::new();
        // The same file may match two patterns.
        tasks.retain(|task: &Task| names.insert(task.name.clone()));
        if tasks.is_empty() {
            return Err("the campaign has no task".into());
        }
        let mut runs = Vec::new();
        for task in 0..tasks.len() {
            for plan in 0..plans.len() {
                runs.extend((0..self.repetitions).map(|repetition| Run { task, plan, repetition }));
            }
        }
        let shared = |all: usize| {
            let starts = (0..all).step_by(self.runs_per_job);
            starts.map(|start| (start, all.min(start + self.runs_per_job))).collect()
        };
        let (jobs, groups) = (shared(runs.len()), shared(tasks.len()));
        Ok(Campaign {
            cpu_limit: self.time_limit.0.as_micros() as u64,
            memory_limit: self.memory_limit.as_deref().map(memory).transpose()?.unwrap_or(0),
            measure: self.measure,
            check: self.check,
            plans,
            tasks,
            runs,
            jobs,
            groups,
        })
    }
}

/// A size such as `2G`, in bytes.
fn memory(text: &str) -> Result<u64, String> {
    let size: Size = text.parse().map_err(|error| format!("memory-limit {text}: {error}"))?;
    Ok(size.0)
}
