//! The jobs of the workflow: they prepare tasks and make runs. Each run leaves a row, whatever happens to it;
//! only an error of the campaign itself fails a job.

use crate::description::{Campaign, Run};
use crate::folder::{Folder, Prepared, RowFile};
use crate::measure::{Limits, Measured, Meter};
use crate::tasks::Task;
use beeline_history::{Certificate, Outcome, Setting};
use beeline_ir::file;
use beeline_options::Time;
use beeline_run::{Run as RunFile, RunVerdict, Statistic};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The limit on wall-clock time for the preparation of a task, in seconds.
pub(crate) const PREPARING: u64 = 120;

/// Prepares the tasks of a group that are not prepared yet.
pub(crate) fn prepare(folder: &Folder, group: usize) -> Result<(), String> {
    let campaign = folder.campaign()?;
    let &(start, end) = campaign.groups.get(group).ok_or("this group of tasks does not exist")?;
    for task in (start..end).filter(|&task| !folder.prepared(task).exists()) {
        prepare_task(folder, task, &campaign.tasks[task])?;
    }
    folder.ready(group)
}

/// Makes program, distances and features of a task, or records why there are none.
fn prepare_task(folder: &Folder, task: usize, task_of: &Task) -> Result<(), String> {
    let kept = folder.kept(task);
    std::fs::create_dir_all(&kept).map_err(|error| format!("{}: {error}", kept.display()))?;
    // `timeout` ends a preparation that hangs.
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", &PREPARING.to_string()]).arg(tool("beeline")?).arg("prepare");
    command.arg(&task_of.file).arg("--keep").arg(&kept).arg("--json").args(&task_of.options);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run timeout: {error}"))?;
    let prepared = match serde_json::from_slice(&output.stdout) {
        Ok(files) if output.status.success() => Prepared::Files(files),
        _ => Prepared::Nothing(why_not(&output)),
    };
    folder.write(&folder.prepared(task), &prepared)
}

/// The reason why a task has no program.
fn why_not(output: &std::process::Output) -> String {
    if output.status.code() == Some(124) {
        return "its preparation took too long".into();
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it was not prepared");
    line.trim_start_matches("beeline: ").to_string()
}

/// Makes the runs of a job that have no row yet.
pub(crate) fn work(folder: &Folder, job: usize) -> Result<(), String> {
    let campaign = folder.campaign()?;
    let &(start, end) = campaign.jobs.get(job).ok_or("this job does not exist")?;
    let open: Vec<usize> = (start..end).filter(|&run| !folder.row(run).exists()).collect();
    if !open.is_empty() {
        let meter = Meter::new(folder.measure(&campaign))?;
        let setting = setting(&campaign, meter)?;
        for index in open {
            let row = row(folder, &campaign, (index, campaign.runs[index]), meter, &setting)?;
            folder.write(&folder.row(index), &row)?;
        }
    }
    folder.done(job)
}

/// The circumstances of runs on this machine.
fn setting(campaign: &Campaign, meter: Meter) -> Result<Setting, String> {
    let version = Command::new(tool("beeline-verify")?).arg("--version").output();
    let version = version.map_err(|error| format!("cannot run beeline-verify: {error}"))?;
    let version = String::from_utf8_lossy(&version.stdout);
    Ok(Setting {
        machine: machine(),
        version: version.split_whitespace().last().unwrap_or_default().into(),
        measured_by: meter.name().into(),
        cpu_limit: campaign.cpu_limit,
        memory_limit: campaign.memory_limit,
    })
}

/// Processor, cores and memory.
fn machine() -> String {
    let line = |file: &str, key: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.trim_start_matches([':', ' ', '\t']).trim().to_string())
    };
    let processor = line("/proc/cpuinfo", "model name").unwrap_or("an unknown processor".into());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = line("/proc/meminfo", "MemTotal").unwrap_or_default();
    let kilobytes: f64 = memory.trim_end_matches(" kB").parse().unwrap_or(0.0);
    format!("{processor}, {cores} cores, {:.0} GB", kilobytes / 1024.0 / 1024.0)
}

/// Makes a run.
fn row(
    folder: &Folder,
    campaign: &Campaign,
    (index, run): (usize, Run),
    meter: Meter,
    setting: &Setting,
) -> Result<RowFile, String> {
    let mut row = RowFile::new(setting);
    let files = match folder.read::<Prepared>(&folder.prepared(run.task))? {
        Prepared::Files(files) => files,
        Prepared::Nothing(why) => {
            row.outcome = Outcome::Failed(why).into();
            return Ok(row);
        }
    };
    let scratch = tempfile::tempdir().map_err(|error| format!("cannot create a folder: {error}"))?;
    let (result, output) = (scratch.path().join("R.run"), scratch.path().join("output"));
    let limits = Limits { cpu: Duration::from_micros(campaign.cpu_limit), memory: campaign.memory_limit };
    let mut words: Vec<OsString> = vec![tool("beeline-verify")?.into(), files.program.clone().into()];
    words.extend(["--dist".into(), files.distances.clone().into()]);
    words.extend(["--plan".into(), folder.plan(run.plan).into(), "--first".into()]);
    if campaign.memory_limit > 0 {
        words.extend(["--memory-limit".into(), campaign.memory_limit.to_string().into()]);
    }
    words.extend(["-o".into(), result.clone().into()]);
    let measured = match meter.measure(&words, limits, &output) {
        Ok(measured) => measured,
        Err(why) => {
            row.outcome = Outcome::Failed(format!("run {index}: {why}")).into();
            return Ok(row);
        }
    };
    (row.cpu, row.wall, row.memory) = (measured.cpu, measured.wall, measured.memory);
    let read = file::read::<RunFile>(&result).map(|file| file.body);
    let outcome = outcome(&measured, read.as_ref().ok(), &output);
    if let Ok(read) = &read {
        row.ticks = read.figure(Statistic::Ticks).unwrap_or(0);
        row.states = read.figure(Statistic::States).unwrap_or(0);
    }
    if campaign.check && matches!(outcome, Outcome::Safe | Outcome::Unsafe) {
        let is_safe = outcome == Outcome::Safe;
        let (certificate, cpu) = checked(is_safe, &result, &files, meter, (limits, &output))?;
        (row.certificate, row.check_cpu) = (certificate.word().into(), cpu);
    }
    row.outcome = outcome.into();
    Ok(row)
}

/// The outcome of a search.
fn outcome(measured: &Measured, result: Option<&RunFile>, output: &Path) -> Outcome {
    match result.map(|run| &run.verdict) {
        Some(RunVerdict::Safe) => Outcome::Safe,
        Some(RunVerdict::Unsafe) => Outcome::Unsafe,
        Some(RunVerdict::Unknown(reason)) => Outcome::Unknown(reason.to_string()),
        None if measured.out_of_time => Outcome::Unknown("the time limit was reached".into()),
        None => {
            let said = std::fs::read_to_string(output).unwrap_or_default();
            let line = said.lines().rev().find(|line| !line.trim().is_empty());
            let how = match (measured.signal, measured.code) {
                (Some(signal), _) => format!("signal {signal} ended it"),
                (None, code) => format!("exit code {}", code.unwrap_or(-1)),
            };
            Outcome::Failed(line.map_or(how, |line| line.trim_start_matches("beeline-verify: ").into()))
        }
    }
}

/// The output of a check of an answer: the relevant part of its JSON object.
#[derive(Deserialize)]
struct Check {
    #[serde(alias = "proof", alias = "verdict")]
    outcome: String,
}

/// Checks an answer, with as much time as the search had.
fn checked(
    is_safe: bool,
    result: &Path,
    files: &crate::folder::Files,
    meter: Meter,
    (limits, output): (Limits, &Path),
) -> Result<(Certificate, u64), String> {
    let words: Vec<OsString> = match is_safe {
        true => {
            let limit = Time(limits.cpu).to_string();
            let mut words = vec![tool("beeline-check-proof")?.into(), result.into()];
            words.extend([files.program.clone().into(), "--time-limit".into(), limit.into()]);
            words
        }
        false => {
            let mut words = vec![tool("beeline-replay")?.into(), result.into()];
            words.extend(["--program".into(), files.bitcode.clone().into()]);
            words
        }
    };
    let words: Vec<OsString> = words.into_iter().chain(["--json".into()]).collect();
    let Ok(measured) = meter.measure(&words, limits, output) else { return Ok((Certificate::Open, 0)) };
    let printed = std::fs::read_to_string(output).unwrap_or_default();
    // The object comes after other output.
    let object = printed.find('{').map_or("", |start| &printed[start..]);
    let check = serde_json::Deserializer::from_str(object).into_iter::<Check>().next();
    let certificate = match check {
        Some(Ok(check)) if ["valid", "confirmed"].contains(&check.outcome.as_str()) => Certificate::Checked,
        Some(Ok(check)) if ["invalid", "not confirmed"].contains(&check.outcome.as_str()) => {
            Certificate::Refused
        }
        _ => Certificate::Open,
    };
    Ok((certificate, measured.cpu))
}

/// A tool of Beeline: beside this program, or on PATH.
fn tool(name: &str) -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let beside = own.with_file_name(name);
    Ok(if beside.is_file() { beside } else { name.into() })
}
