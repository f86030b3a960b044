//! The folder of a campaign: its layout and the content of its files.
//!
//! `campaign.json` is the resolved campaign; `plans/` its plans; `tasks/N/` the prepared files of a task and
//! `prepared/N.json` their paths; `rows/N.json` the result of a run; `ready/N` and `done/N` empty files for
//! the jobs of the workflow that prepare a group of tasks and that make runs.

use crate::description::{Campaign, Measure};
use beeline_history::{Outcome, Setting};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The prepared form of a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Prepared {
    /// Files for a search.
    Files(Files),
    /// Nothing, for a reason.
    Nothing(String),
}

/// The input of a search, as in the output of `beeline prepare --json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Files {
    /// The bitcode.
    pub bitcode: PathBuf,
    /// The program.
    pub program: PathBuf,
    /// Its distances.
    pub distances: PathBuf,
    /// Its features.
    pub features: PathBuf,
}

/// The result of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RowFile {
    pub machine: String,
    pub version: String,
    pub measured_by: String,
    pub cpu_limit: u64,
    pub memory_limit: u64,
    /// A word, and a reason.
    pub outcome: OutcomeFile,
    /// A word.
    pub certificate: String,
    pub cpu: u64,
    pub wall: u64,
    pub memory: u64,
    pub check_cpu: u64,
    pub ticks: u64,
    pub states: u64,
}

/// The outcome of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OutcomeFile {
    pub word: String,
    pub reason: String,
}

impl From<Outcome> for OutcomeFile {
    fn from(outcome: Outcome) -> OutcomeFile {
        OutcomeFile { word: outcome.word().into(), reason: outcome.reason().into() }
    }
}

impl RowFile {
    /// A run without costs and output.
    pub(crate) fn new(setting: &Setting) -> RowFile {
        RowFile {
            machine: setting.machine.clone(),
            version: setting.version.clone(),
            measured_by: setting.measured_by.clone(),
            cpu_limit: setting.cpu_limit,
            memory_limit: setting.memory_limit,
            outcome: Outcome::Unknown(String::new()).into(),
            certificate: "none".into(),
            cpu: 0,
            wall: 0,
            memory: 0,
            check_cpu: 0,
            ticks: 0,
            states: 0,
        }
    }
}

/// The folder.
#[derive(Debug, Clone)]
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    /// The file of the campaign.
    pub(crate) fn description(&self) -> PathBuf {
        self.0.join("campaign.json")
    }

    /// The folder for the prepared files of a task.
    pub(crate) fn kept(&self, task: usize) -> PathBuf {
        self.0.join(format!("tasks/{task}"))
    }

    /// The file with the paths of a task's prepared files.
    pub(crate) fn prepared(&self, task: usize) -> PathBuf {
        self.0.join(format!("prepared/{task}.json"))
    }

    /// A plan.
    pub(crate) fn plan(&self, plan: usize) -> PathBuf {
        self.0.join(format!("plans/{plan}.toml"))
    }

    /// The result of a run.
    pub(crate) fn row(&self, run: usize) -> PathBuf {
        self.0.join(format!("rows/{run}.json"))
    }

    /// The campaign that is in the folder.
    pub(crate) fn campaign(&self) -> Result<Campaign, String> {
        self.read(&self.description())
    }

    /// The measuring tool that was determined at the start of the campaign.
    pub(crate) fn measure(&self, campaign: &Campaign) -> Measure {
        self.read(&self.0.join("measure.json")).unwrap_or(campaign.measure)
    }

    /// Records the measuring tool.
    pub(crate) fn set_measure(&self, measure: Measure) -> Result<(), String> {
        self.write(&self.0.join("measure.json"), &measure)
    }

    /// Writes the campaign into the folder; an existing campaign must be the same.
    pub(crate) fn fill(&self, campaign: &Campaign) -> Result<(), String> {
        if self.description().exists() {
            return match self.campaign()? == *campaign {
                true => Ok(()),
                false => Err(format!(
                    "{} holds another campaign, or its tasks or plans have changed; choose another folder",
                    self.0.display()
                )),
            };
        }
        for part in ["plans", "tasks", "prepared", "rows", "ready", "done"] {
            let path = self.0.join(part);
            fs::create_dir_all(&path)
                .map_err(|error| format!("cannot create {}: {error}", path.display()))?;
        }
        for (number, (_, text)) in campaign.plans.iter().enumerate() {
            write_bytes(&self.plan(number), text.as_bytes())?;
        }
        self.write(&self.description(), campaign)
    }

    /// Marks a group of tasks as prepared.
    pub(crate) fn ready(&self, group: usize) -> Result<(), String> {
        write_bytes(&self.0.join(format!("ready/{group}")), b"")
    }

    /// Marks a job as done.
    pub(crate) fn done(&self, job: usize) -> Result<(), String> {
        write_bytes(&self.0.join(format!("done/{job}")), b"")
    }

    /// The content of a file of the folder.
    pub(crate) fn read<T: DeserializeOwned>(&self, path: &Path) -> Result<T, String> {
        let shown = path.display();
        let text = fs::read(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        serde_json::from_slice(&text).map_err(|error| format!("{shown}: {error}"))
    }

    /// Writes a file of the folder atomically.
    pub(crate) fn write<T: Serialize>(&self, path: &Path, what: &T) -> Result<(), String> {
        let text = serde_json::to_vec(what).map_err(|error| error.to_string())?;
        write_bytes(path, &text)
    }
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), String> {
    beeline_ir::file::write_bytes(path, bytes).map_err(|error| error.to_string())
}
