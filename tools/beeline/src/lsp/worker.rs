//! A thread that runs checks, one after the other, each as a process that can be ended.

use super::options::Options;
use crate::explain::contracts_of;
use crate::proof::{LoopFact, loop_facts};
use beeline_cli::temporary::Folder;
use beeline_run::contracts::Contract;
use beeline_run::names::Names;
use beeline_witness::given::Given;
use beeline_witness::source::Sources;
use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_types::MessageType;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What is asked of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether an error can happen.
    Check,
    /// Which lines executions reach.
    Cover,
    /// How an execution reaches a line, from 1 on.
    Reach(u32),
}

impl Question {
    pub(super) fn name(self) -> &'static str {
        match self {
            Question::Check => "check",
            Question::Cover => "cover",
            Question::Reach(_) => "reach",
        }
    }
}

/// A question on a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Task {
    pub file: PathBuf,
    pub function: String,
    /// The line of the function's name.
    pub line: u32,
    pub question: Question,
    /// Stands for the text that the answer depends on.
    pub digest: u64,
    /// Whether a person asked, who waits for the answer.
    pub is_asked: bool,
}

impl Task {
    fn is_same(&self, other: &Task) -> bool {
        (&self.file, &self.function, self.question) == (&other.file, &other.function, other.question)
    }
}

/// What holds each time that a loop begins.
#[derive(Debug)]
pub(super) struct Fact {
    pub file: PathBuf,
    pub line: u32,
    pub text: String,
}

/// The answer to a task.
#[derive(Debug)]
pub(super) struct Outcome {
    pub task: Task,
    /// The object that the command printed.
    pub answer: Value,
    pub facts: Vec<Fact>,
    /// Contracts of functions, as lines.
    pub contracts: Vec<String>,
}

impl Outcome {
    /// What the answer has as a text.
    pub(super) fn text(&self, key: &str) -> &str {
        self.answer[key].as_str().unwrap_or_default()
    }

    /// Whether nothing could be asked.
    pub(super) fn is_fault(&self) -> bool {
        self.text("verdict") == "error"
    }

    /// The verdict with its remark.
    pub(super) fn verdict(&self) -> String {
        match (self.text("verdict"), self.text("remark")) {
            (verdict, "") => verdict.into(),
            (verdict, remark) => format!("{verdict} ({remark})"),
        }
    }

    /// The answer in a sentence.
    pub(super) fn sentence(&self) -> String {
        let Task { function, question, .. } = &self.task;
        match question {
            _ if self.is_fault() => format!("{function}: {}", self.text("remark")),
            Question::Check => format!("{function}: {}", self.verdict()),
            Question::Reach(line) => format!("{function}: line {line} is {}", self.verdict()),
            Question::Cover => {
                let places = self.answer["places"].as_array();
                let own = places.into_iter().flatten().filter(|place| place["function"] == function.as_str());
                let is: Vec<&str> = own.filter_map(|place| place["is"].as_str()).collect();
                let count = |word: &str| is.iter().filter(|is| **is == word).count();
                let (covered, dead, open) = (count("covered"), count("dead"), count("open"));
                format!("{function}: of {} lines, {covered} covered, {dead} dead, {open} open", is.len())
            }
        }
    }

    /// How an editor shows the sentence.
    pub(super) fn severity(&self) -> MessageType {
        match self.text("verdict") {
            "unsafe" | "error" => MessageType::ERROR,
            "unknown" => MessageType::WARNING,
            _ => MessageType::INFO,
        }
    }
}

/// What the thread tells.
pub(super) enum Report {
    /// A task begins, and how many are left after it.
    Started(Task, usize),
    Done(Box<Outcome>),
    /// There is nothing to do.
    Idle,
}

/// The thread, as its owner sees it.
pub(super) struct Worker {
    pub reports: Receiver<Report>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    has_tasks: Condvar,
}

#[derive(Default)]
struct State {
    tasks: VecDeque<Task>,
    /// The task that runs, with its process once that is started.
    running: Option<(Task, Option<Pid>)>,
    is_cancelled: bool,
    is_over: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked left a list that is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker {
    pub(super) fn new(options: Options) -> Worker {
        let (sender, reports) = unbounded();
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        std::thread::spawn(move || work(&theirs, &options, &sender));
        Worker { reports, shared }
    }

    /// Adds tasks in the place of the same ones; what a person asks for comes first.
    pub(super) fn add(&self, tasks: impl IntoIterator<Item = Task>) {
        let mut state = self.shared.state();
        for task in tasks {
            state.tasks.retain(|other| !other.is_same(&task));
            match task.is_asked {
                true => state.tasks.push_front(task),
                false => state.tasks.push_back(task),
            }
        }
        self.shared.has_tasks.notify_one();
    }

    /// Drops the tasks of a file that are not meant any more, also the one that runs.
    pub(super) fn cancel(&self, file: &Path, is_meant: impl Fn(&Task) -> bool) {
        let mut state = self.shared.state();
        state.tasks.retain(|task| task.file != file || is_meant(task));
        let is_ended = |(task, _): &(Task, Option<Pid>)| task.file == file && !is_meant(task);
        if state.running.as_ref().is_some_and(is_ended) {
            state.end();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.is_over = true;
        state.end();
        self.shared.has_tasks.notify_one();
    }
}

impl State {
    /// Ends the process of the task that runs. One that is just started sees that it is cancelled.
    fn end(&mut self) {
        self.is_cancelled = true;
        if let Some((_, Some(process))) = &self.running {
            // A process that has ended needs no signal.
            let _ = kill_process(*process, Signal::TERM);
        }
    }
}

/// Runs tasks until the owner is gone.
fn work(shared: &Shared, options: &Options, reports: &Sender<Report>) {
    loop {
        let (task, left) = {
            let mut state = shared.state();
            if state.tasks.is_empty() && reports.send(Report::Idle).is_err() {
                return;
            }
            while state.tasks.is_empty() && !state.is_over {
                state = shared.has_tasks.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let Some(task) = state.tasks.pop_front().filter(|_| !state.is_over) else { return };
            state.running = Some((task.clone(), None));
            state.is_cancelled = false;
            (task, state.tasks.len())
        };
        let _ = reports.send(Report::Started(task.clone(), left));
        let outcome = run(shared, options, &task);
        let is_cancelled = {
            let mut state = shared.state();
            state.running = None;
            state.is_cancelled
        };
        if !is_cancelled {
            let fault = |sentence: String| Outcome {
                task,
                answer: json!({ "verdict": "error", "remark": sentence }),
                facts: Vec::new(),
                contracts: Vec::new(),
            };
            let _ = reports.send(Report::Done(Box::new(outcome.unwrap_or_else(fault))));
        }
    }
}

/// Runs a task as a process.
fn run(shared: &Shared, options: &Options, task: &Task) -> Result<Outcome, String> {
    let folder = Folder::new()?;
    let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let mut command = Command::new(program);
    command.arg(task.question.name()).arg("--json");
    match task.question {
        Question::Check => command.arg("--keep").arg(folder.path()),
        Question::Cover => command.args(["--of", "lines"]),
        Question::Reach(line) => command.arg("--to").arg(format!("{}:{line}", task.file.display())),
    };
    command.args(options.words(&task.file, &task.function, task.question)?);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|error| format!("cannot run beeline: {error}"))?;
    note(shared, &child);
    let output = child.wait_with_output().map_err(|error| format!("cannot run beeline: {error}"))?;
    let answer = serde_json::from_slice(&output.stdout).map_err(|_| {
        String::from_utf8_lossy(&output.stderr).trim().trim_start_matches("beeline: ").to_string()
    })?;
    let mut outcome = Outcome { task: task.clone(), answer, facts: Vec::new(), contracts: Vec::new() };
    if task.question == Question::Check {
        explain(&mut outcome, folder.path());
    }
    Ok(outcome)
}

/// Notes the process of the task that runs, and ends it if the task was cancelled meanwhile.
fn note(shared: &Shared, child: &Child) {
    let mut state = shared.state();
    if let Some((_, process)) = &mut state.running {
        *process = Pid::from_raw(child.id().cast_signed());
    }
    if state.is_cancelled {
        state.end();
    }
}

/// Reads the proofs of a check from its folder.
fn explain(outcome: &mut Outcome, folder: &Path) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    let result = files.into_iter().find(|file| file.extension().is_some_and(|end| end == "run"));
    let Some(given) = result.and_then(|result| Given::read(&result, None).ok()) else { return };
    let (program, run) = (&given.program, &given.run);
    let sources = Sources::default();
    let facts = run.whole_graphs().map_or(vec![], |graphs| loop_facts(program, &graphs, &sources));
    let fact = |fact: LoopFact<'_>| Fact {
        file: std::path::absolute(fact.file).unwrap_or_else(|_| fact.file.into()),
        line: fact.line,
        text: fact.text,
    };
    outcome.facts = facts.into_iter().map(fact).collect();
    let names = Names { program: Some(program) };
    let told = run.proofs.iter().flat_map(|proof| contracts_of(proof, &names));
    outcome.contracts = told.map(|contract| line(&contract)).collect();
}

fn line(Contract { function, parameters, requires, ensures }: &Contract) -> String {
    format!("{function}({}) requires {requires} ensures {ensures}", parameters.join(", "))
}
