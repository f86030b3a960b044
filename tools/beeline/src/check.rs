//! `beeline check`: runs the steps, one after the other.

use crate::answer::{Answer, Certified, Check, Input, Memory, Replay, World};
use crate::arguments::CheckArguments;
use crate::choice::Chosen;
use crate::job::Job;
use crate::pipeline::{COMPILING, NOT_MODELLED, Pipeline};
use crate::since::{Adapted, Earlier, Place};
use crate::step::{Step, Word};
use crate::{
    as_command, assume_paths, entry, hollow, html, json, keep, marks, nothing, report, sarif, test_case,
    uncompiled, witness,
};
use beeline_cli::temporary::Folder;
use beeline_ir::Program;
use beeline_ir::file;
use beeline_module::mangled::demangle_all;
use beeline_run::{Run, RunVerdict};
use beeline_witness::command::is_command;
use indicatif::{ProgressBar, ProgressStyle};
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, IsTerminal, Write as _};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time without a limit after which a hint on limits is shown.
const PATIENCE: Duration = Duration::from_secs(60);
const HINT: &str =
    "No time limit: --time-limit 5m sets one. Ctrl-C ends the search; its findings are still checked.";

/// The time between two progress lines without a terminal.
const SOMETIMES: Duration = Duration::from_secs(30);

/// The message of a tool whose allocation failed (`ulimit -v`).
const REFUSED_MEMORY: &str = "memory allocation of ";

/// Refuses, before any work, outputs that would overwrite a file of the program, and those that cannot be
/// written.
pub(crate) fn expect_outputs(arguments: &CheckArguments) -> Result<(), String> {
    let is_printed = |output: &Option<PathBuf>| output.as_deref() == Some(Path::new("-"));
    if arguments.json && is_printed(&arguments.sarif) {
        return Err("--json and --sarif - both print to the standard output: name a file for --sarif".into());
    }
    let outputs = arguments.sarif.iter().chain(&arguments.html).chain(&arguments.residual);
    for output in outputs.chain(&arguments.test) {
        let inputs = arguments.files.iter().map(|file| file.as_path());
        file::expect_other(output, inputs).map_err(|error| error.to_string())?;
        file::expect_writable(output).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Checks a program, prints the answer, and returns the exit code.
pub(crate) fn run(arguments: &CheckArguments) -> Result<u8, String> {
    expect_outputs(arguments)?;
    if let Some(path) = &arguments.witness {
        return witness::run(arguments, path);
    }
    let start = Instant::now();
    let answer = answer(arguments, job(arguments)?, |_, _| Ok(()))?.0;
    let answer = as_command::again(arguments, answer, start)?;
    assume_paths::expect_defined(&answer)?;
    print(arguments, &answer)?;
    Ok(answer.word().code())
}

/// The job of a check, with what is put into the program's text.
pub(crate) fn job(arguments: &CheckArguments) -> Result<Job, String> {
    let mut job = Job::new(arguments)?;
    let mut copies = assume_paths::put_in(&mut job, arguments)?;
    copies.extend(entry::make_arguments(&mut job)?);
    job.copies = copies.texts();
    Ok(job)
}

/// Runs a job, and reads other results from the folder of the run.
pub(crate) fn answer<T>(
    arguments: &CheckArguments,
    job: Job,
    take: impl Fn(&Path, &Answer) -> Result<T, String>,
) -> Result<(Answer, T), String> {
    let pipeline = Pipeline::new(&job)?;
    let temporary;
    let folder = match &arguments.keep {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))?;
            folder.clone()
        }
        None => {
            temporary = Folder::new()?;
            temporary.path().to_path_buf()
        }
    };
    job.write(&folder)?;
    let explain = arguments.explain.then(|| arguments.keep.clone().unwrap_or_default());
    let mut runner = Runner::new(folder, explain)?;
    let answer = runner.answer(job, &pipeline);
    if let Some(folder) = &arguments.keep {
        keep::write(folder, &runner.taken)?;
    }
    let mut answer = answer?;
    answer.removed = nothing::removed(&answer);
    answer.unmet = hollow::unmet(&answer);
    if let Some(since) = &answer.job.since {
        since.keep(&answer, &runner.folder, &pipeline)?;
    }
    let taken = take(&runner.folder, &answer)?;
    Ok((answer, taken))
}

/// Prints an answer in the requested form, and writes the files. The verdict is printed even if a file cannot
/// be written.
fn print(arguments: &CheckArguments, answer: &Answer) -> Result<(), String> {
    let write = |output: &Path, text: &str| {
        file::write_bytes(output, text.as_bytes()).map_err(|error| error.to_string())
    };
    let sarif = || demangle_all(&format!("{:#}\n", sarif::log(answer, arguments.sarif_all)));
    let (printed, files): (Vec<&Path>, Vec<&Path>) =
        arguments.sarif.iter().map(PathBuf::as_path).partition(|output| *output == Path::new("-"));
    let told = match (arguments.json, printed.first()) {
        (true, _) => report::print(&format!("{:#}\n", json::object(answer))),
        (false, Some(output)) => write(output, &sarif()),
        (false, None) => report::tell(answer, arguments.whole_path),
    };
    let mut faults: Vec<String> =
        told.err().map(|error| format!("{error}; {}", answer.line())).into_iter().collect();
    faults.extend(files.into_iter().filter_map(|output| write(output, &sarif()).err()));
    if let Some(output) = &arguments.test {
        faults.extend(test_case::write(output, answer).err());
    }
    faults.extend(arguments.html.iter().filter_map(|output| write(output, &html::page(answer)).err()));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}

/// The output of a check of an answer: the relevant part of its JSON object.
#[derive(Deserialize)]
struct Checked {
    /// The outcome: `beeline-check-proof` and `beeline-replay` have different names for it.
    #[serde(alias = "proof", alias = "verdict")]
    outcome: Outcome,
    reason: Option<String>,
    finding: Option<String>,
    /// Of native runs.
    #[serde(default)]
    passed: Vec<u32>,
    #[serde(default)]
    inputs: Vec<Input>,
    #[serde(default)]
    memory: Vec<Memory>,
    #[serde(default, rename = "command")]
    world: Option<World>,
    /// Of proofs.
    certified: Option<Certified>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    #[serde(alias = "valid", alias = "confirmed")]
    Passed,
    #[serde(alias = "invalid", alias = "not confirmed")]
    Failed,
    Unchecked,
}

impl Checked {
    fn replay(self) -> Replay {
        let Checked { outcome, reason, finding, passed, inputs, memory, world, certified } = self;
        let why = reason.unwrap_or_default();
        let check = match outcome {
            Outcome::Passed if certified.as_ref().is_some_and(Certified::is_complete) => Check::Certified,
            Outcome::Passed => Check::Passed,
            Outcome::Failed => Check::Failed(why),
            Outcome::Unchecked => Check::Open(why),
        };
        Replay { check, finding, passed, inputs, memory, world, certified }
    }
}

/// Runs steps in a folder.
pub(crate) struct Runner {
    folder: PathBuf,
    /// The folder of files in commands that are shown; `None` if they are not shown.
    explain: Option<PathBuf>,
    commands: Vec<(String, Duration)>,
    taken: Vec<Step>,
    child: Arc<Mutex<Option<Pid>>>,
    /// The number of interrupts: the first one ends the search, the second one also the checks of its answer.
    interrupts: Arc<AtomicUsize>,
}

impl Runner {
    pub(crate) fn new(folder: PathBuf, explain: Option<PathBuf>) -> Result<Runner, String> {
        let child: Arc<Mutex<Option<Pid>>> = Arc::default();
        let interrupts: Arc<AtomicUsize> = Arc::default();
        let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])
            .map_err(|error| format!("cannot watch for signals: {error}"))?;
        let (pid, count) = (Arc::clone(&child), Arc::clone(&interrupts));
        std::thread::spawn(move || {
            for signal in signals.forever() {
                // Only an interrupt from the keyboard can come again.
                count.fetch_add(if signal == SIGINT { 1 } else { 2 }, Ordering::SeqCst);
                if let Ok(Some(pid)) = pid.lock().map(|pid| *pid) {
                    // A failed signal is ignored: the process ends anyway.
                    let _ = kill_process(pid, Signal::TERM);
                }
            }
        });
        Ok(Runner { folder, explain, commands: Vec::new(), taken: Vec::new(), child, interrupts })
    }

    /// Runs steps, and returns the reason why there is no answer if one of them fails.
    pub(crate) fn follow<'a>(
        &mut self,
        steps: impl IntoIterator<Item = &'a Step>,
    ) -> Result<Option<String>, String> {
        for step in steps {
            let output = self.step(step)?;
            // What a step makes elsewhere says by itself where there is no room.
            if !output.status.success()
                && step.makes.is_some()
                && let Some(full) = uncompiled::no_room(&self.folder, &output.stderr)
            {
                return Err(full);
            }
            if step.title == COMPILING {
                // Warnings are printed, too.
                let _ = std::io::stderr().write_all(&output.stderr);
            }
            if self.interrupts.load(Ordering::SeqCst) > 0 && !output.status.success() {
                return Ok(Some("the run was interrupted".to_string()));
            }
            if let Some(signal) = output.status.signal() {
                // Another process ended it, or an allocation failed.
                let refused = String::from_utf8_lossy(&output.stderr).contains(REFUSED_MEMORY);
                return Ok(Some(match refused {
                    true => format!("the system gave {} no more memory", step.tool()),
                    false => format!("signal {signal} from outside ended {}", step.tool()),
                }));
            }
            if !output.status.success() {
                let said = self.complaint(step, &output);
                if output.status.code() != Some(NOT_MODELLED) {
                    return Err(said);
                }
                return Ok(Some(said));
            }
        }
        Ok(None)
    }

    fn answer(&mut self, job: Job, pipeline: &Pipeline) -> Result<Answer, String> {
        let reason = self.follow(pipeline.to_program())?;
        let earlier = match reason {
            None => self.earlier(&job, pipeline)?,
            Some(_) => None,
        };
        if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.is_rechecked()) {
            return self.rechecked(job, pipeline, earlier.clone());
        }
        let mut answer = Answer {
            job,
            chosen: None,
            result: None,
            reason,
            proof: None,
            certified: None,
            replays: Vec::new(),
            removed: None,
            unmet: None,
            earlier,
            commands: Vec::new(),
        };
        if answer.reason.is_none() {
            self.search(&mut answer, pipeline)?;
        }
        if answer.reason.is_none() {
            let program: Program = self.read(&pipeline.program)?;
            let run: Run = self.read(&pipeline.result)?;
            // Errors are checked first, as the user waits for them.
            self.replay(&mut answer, pipeline, &program, &run)?;
            if !run.proofs.is_empty() {
                let checked = self.checked(&answer.job, &pipeline.prove, |only: Checked| vec![only])?;
                let checked = checked.into_iter().next();
                answer.certified = checked.as_ref().and_then(|replay| replay.certified.clone());
                answer.proof = checked.map(|replay| replay.check);
            }
            if let Some(residual) = &pipeline.residual
                && matches!(run.verdict, RunVerdict::Unknown(_))
                && let Some(why) = self.follow([residual])?
            {
                let _ = writeln!(anstream::stderr(), "beeline: the residual program is not written: {why}");
            }
            answer.result = Some((program, run));
        }
        answer.commands = std::mem::take(&mut self.commands);
        Ok(answer)
    }

    /// Searches for a result, with the selected plan if there is a selector.
    fn search(&mut self, answer: &mut Answer, pipeline: &Pipeline) -> Result<(), String> {
        answer.reason = self.follow([&pipeline.annotate])?;
        if let (None, Some(selector)) = (&answer.reason, &answer.job.selector) {
            answer.reason = self.follow([&pipeline.features.clone()?])?;
            if answer.reason.is_none() {
                answer.chosen = Some(Chosen::new(selector, &self.read(&pipeline.measured)?)?);
            }
        }
        if answer.reason.is_some() {
            return Ok(());
        }
        let verify = match &answer.chosen {
            Some(chosen) => self.planned(pipeline, &chosen.text())?,
            None if answer.job.may_be_command && is_command(&self.read(&pipeline.program)?) => {
                self.planned(pipeline, &as_command::plan().text())?
            }
            None => pipeline.verify.clone(),
        };
        let verify = match answer.earlier.as_ref().and_then(|earlier| earlier.precision.clone()) {
            Some(precision) => verify.text("--precision").reads(&precision),
            None => verify,
        };
        answer.reason = self.follow([&verify])?;
        Ok(())
    }

    /// What holds of the earlier results: the last one, or the last proof.
    fn earlier(&mut self, job: &Job, pipeline: &Pipeline) -> Result<Option<Earlier>, String> {
        let places = job.since.as_ref().map_or(Ok(Vec::new()), |since| since.places(job))?;
        let mut last: Option<Earlier> = None;
        for place in places {
            let Some(earlier) = self.moved(job, pipeline, &place)? else { continue };
            last = Some(match last {
                None => earlier,
                Some(last) => last.with_older(earlier),
            });
            // The last proof is part of a safe result.
            if last.as_ref().is_some_and(Earlier::was_safe) {
                break;
            }
        }
        Ok(last)
    }

    /// What holds of an earlier result: its proof if the checker finds it valid for the program.
    fn moved(&mut self, job: &Job, pipeline: &Pipeline, place: &Place) -> Result<Option<Earlier>, String> {
        let output = self.step(&pipeline.adapt(&place.run, &place.program)?)?;
        let Ok(adapted) = serde_json::from_slice::<Adapted>(&output.stdout) else {
            let why = String::from_utf8_lossy(&output.stderr);
            return place.unusable(why.trim().trim_start_matches("beeline-adapt: ")).map(|()| None);
        };
        let mut earlier = Earlier::new(adapted, Word::Made(pipeline.adapted()));
        if earlier.has_proof() {
            let checked = self.checked(job, &pipeline.recheck(), |only: Checked| vec![only])?;
            earlier.note(checked.into_iter().next().map(|replay| replay.check));
        }
        Ok(Some(earlier))
    }

    /// The answer of an earlier result whose proof is valid.
    fn rechecked(&mut self, job: Job, pipeline: &Pipeline, earlier: Earlier) -> Result<Answer, String> {
        let result = (self.read(&pipeline.program)?, self.read(&pipeline.adapted())?);
        Ok(Answer {
            job,
            chosen: None,
            result: Some(result),
            reason: None,
            proof: Some(Check::Passed),
            certified: None,
            replays: Vec::new(),
            removed: None,
            unmet: None,
            earlier: Some(earlier),
            commands: std::mem::take(&mut self.commands),
        })
    }

    /// The step of the search with a plan, which is written to the folder of the run.
    fn planned(&self, pipeline: &Pipeline, plan: &str) -> Result<Step, String> {
        let name = format!("{}.plan.toml", pipeline.program.trim_end_matches(".cfa"));
        file::write_bytes(self.folder.join(&name), plan.as_bytes()).map_err(|error| error.to_string())?;
        if self.explain.is_some() {
            anstream::eprint!("{plan}");
        }
        Ok(pipeline.verify.clone().text("--plan").reads(&Word::Made(name)))
    }

    /// Runs the paths natively. A path to a mark is skipped if another run has passed the mark: the longest
    /// paths go first.
    fn replay(
        &mut self,
        answer: &mut Answer,
        pipeline: &Pipeline,
        program: &Program,
        run: &Run,
    ) -> Result<(), String> {
        let left_out = Check::Open("another run passes its place".into());
        answer.replays = vec![Replay::none(left_out); run.paths.len()];
        let mut order: Vec<usize> = (0..run.paths.len()).collect();
        if order.is_empty() {
            return Ok(());
        }
        if !answer.job.marks.is_empty() {
            order.sort_by_key(|&path| Reverse(run.paths[path].steps.len()));
        }
        let step = pipeline.replay(order.len());
        let mut replays = match order.len() {
            1 => self.checked(&answer.job, &step, |only: Checked| vec![only])?,
            _ => self.checked(&answer.job, &step, |all: Vec<Checked>| all)?,
        };
        // A result for the check as a whole holds for each path.
        if let [only] = &replays[..] {
            replays = vec![only.clone(); order.len()];
        }
        let mut passed = BTreeSet::new();
        for path in order {
            let target = program.targets.iter().find(|target| target.loc == run.paths[path].target);
            let mark = target.filter(|_| !answer.job.marks.is_empty()).and_then(marks::number);
            if mark.is_some_and(|mark| passed.contains(&mark)) {
                continue;
            }
            let Some(mut replay) = replays.get(path).cloned() else { continue };
            // A run on another path may have inputs that do not occur.
            match (mark, &replay.check) {
                (Some(mark), Check::Passed | Check::Certified) => replay.passed.push(mark as u32),
                _ => replay.passed.clear(),
            }
            passed.extend(replay.passed.iter().map(|&mark| mark as usize));
            answer.replays[path] = replay;
        }
        Ok(())
    }

    pub(crate) fn read<T: file::Body>(&self, name: &str) -> Result<T, String> {
        file::read::<T>(self.folder.join(name)).map(|file| file.body).map_err(|error| error.to_string())
    }

    /// Checks a part of the answer. A result about all of that part is a single one.
    fn checked<T: DeserializeOwned>(
        &mut self,
        job: &Job,
        step: &Result<Step, String>,
        each: impl Fn(T) -> Vec<Checked>,
    ) -> Result<Vec<Replay>, String> {
        let open = |why: String| Ok(vec![Replay::none(Check::Open(why))]);
        if !job.checked {
            return Ok(vec![Replay::none(Check::Skipped)]);
        }
        let step = match step {
            Ok(step) => step,
            Err(sentence) => return open(sentence.clone()),
        };
        let interrupted = "the check was interrupted";
        let before = self.interrupts.load(Ordering::SeqCst);
        if before > 1 {
            return open(interrupted.into());
        }
        let output = self.step(step)?;
        if self.interrupts.load(Ordering::SeqCst) > before {
            return open(interrupted.into());
        }
        match serde_json::from_slice(&output.stdout) {
            Ok(said) => Ok(each(said).into_iter().map(Checked::replay).collect()),
            Err(_) => open(self.complaint(step, &output)),
        }
    }

    /// Runs a command and captures its output, except messages of clang and logs.
    fn step(&mut self, step: &Step) -> Result<Output, String> {
        let start = Instant::now();
        if let Some(folder) = &self.explain {
            let _ = writeln!(anstream::stderr(), "{}", step.shown(folder));
        }
        self.taken.push(step.clone());
        let mut command = step.command(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let title = step.title;
        let compiles = title == COMPILING;
        let progress = (!compiles).then(|| progress(title));
        let failed = |error: std::io::Error| format!("cannot run {}: {error}", step.program.display());
        command.env("BEELINE_PROGRESS", "1");
        let is_coloured = std::io::stderr().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        if compiles && is_coloured {
            command.arg("-fcolor-diagnostics");
        }
        let mut child = command.spawn().map_err(failed)?;
        self.set_child(Pid::from_raw(child.id().cast_signed()));
        let (errors, shown) = (child.stderr.take(), progress.clone());
        let is_limit = |word: &Word| matches!(word, Word::Text(text) if text.starts_with("--time-limit"));
        let hint = (!step.words.iter().any(is_limit)).then_some(HINT);
        let listener =
            std::thread::spawn(move || errors.map(|errors| heard(errors, title, shown.as_ref(), hint)));
        let output = child.wait_with_output();
        let said = listener.join();
        self.set_child(None);
        if let Some(progress) = progress {
            progress.finish_and_clear();
        }
        self.commands.push((step.shown(Path::new("")), start.elapsed()));
        let mut output = output.map_err(failed)?;
        output.stderr = said.ok().flatten().unwrap_or_default();
        let is_log = |word: &Word| matches!(word, Word::Text(text) if text == "--log");
        let is_logged = std::env::var_os("BEELINE_LOG").is_some_and(|level| !level.is_empty())
            || step.words.iter().any(is_log);
        if output.status.success() && is_logged {
            anstream::eprint!("{}", self.said(&output));
        }
        Ok(output)
    }

    /// The output of a tool, without the name of the temporary folder.
    fn said(&self, output: &Output) -> String {
        String::from_utf8_lossy(&output.stderr).replace(&format!("{}/", self.folder.display()), "")
    }

    /// The error message of a tool, without the names of temporary files.
    fn complaint(&self, step: &Step, output: &Output) -> String {
        if step.title == COMPILING {
            return uncompiled::sentence(step, &self.folder, &output.stderr);
        }
        let said = self.said(output);
        let prefix = format!("{}: ", step.tool());
        let said = said.trim().trim_start_matches(&prefix);
        let said = step
            .words
            .iter()
            .find_map(|word| match word {
                Word::Made(name) => said.strip_prefix(&format!("{name}: ")),
                Word::Text(_) | Word::Given(_) => None,
            })
            .unwrap_or(said);
        match said.is_empty() {
            false => said.to_string(),
            true => format!("{} failed ({})", step.tool(), output.status),
        }
    }

    fn set_child(&self, pid: Option<Pid>) {
        if let Ok(mut child) = self.child.lock() {
            *child = pid;
        }
    }
}

/// The output of a tool. On a terminal, its progress is shown beside the current step, and after a while a
/// hint above it on how to end it.
fn heard(
    errors: ChildStderr,
    title: &str,
    shown: Option<&ProgressBar>,
    mut hint: Option<&'static str>,
) -> Vec<u8> {
    let (mut errors, mut said, mut line) = (BufReader::new(errors), Vec::new(), Vec::new());
    let start = Instant::now();
    let mut told = start;
    let is_terminal = std::io::stderr().is_terminal();
    while errors.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        match (line.strip_prefix(b"progress: "), shown) {
            (Some(progress), _) if !is_terminal => {
                if told.elapsed() > SOMETIMES {
                    told = Instant::now();
                    let (progress, seconds) = (String::from_utf8_lossy(progress), start.elapsed().as_secs());
                    let _ = writeln!(std::io::stderr(), "{title} for {seconds} s: {}", progress.trim_end());
                }
            }
            (Some(progress), Some(shown)) => {
                shown.set_message(format!("{title}: {}", String::from_utf8_lossy(progress).trim_end()));
                if start.elapsed() > PATIENCE
                    && let Some(hint) = hint.take()
                {
                    shown.println(hint);
                }
            }
            _ => said.extend_from_slice(&line),
        }
        line.clear();
    }
    said
}

/// Shows on a terminal the current step and its time.
fn progress(title: &'static str) -> ProgressBar {
    let progress = ProgressBar::new_spinner().with_message(title);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        progress.set_style(style);
    }
    progress.enable_steady_tick(Duration::from_millis(200));
    progress
}
