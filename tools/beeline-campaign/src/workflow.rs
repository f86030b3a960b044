//! The workflow: a Snakefile that Snakemake executes, on this machine or on a cluster. All scheduling is
//! Snakemake's.

use crate::description::{Campaign, Measure};
use crate::folder::Folder;
use crate::measure::Meter;
use crate::work::PREPARING;
use clap::ValueEnum;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::SIGINT;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The place where runs are made, other than this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cluster {
    /// A cluster of Slurm, whose `sbatch` is on PATH
    Slurm,
}

/// The options for the execution of the workflow.
#[derive(Debug)]
pub(crate) struct Way<'a> {
    /// The cluster, if it runs on one.
    pub cluster: Option<Cluster>,
    /// The number of jobs at a time.
    pub jobs: usize,
    /// Snakemake, if it is named.
    pub snakemake: Option<&'a Path>,
    /// More options for Snakemake.
    pub options: &'a [String],
}

/// The time of a job besides its runs, in minutes, which clusters require.
const AROUND: u64 = 5;

/// The workflow. Some jobs prepare tasks, the others make runs, as `campaign.json` says.
const SNAKEFILE: &str = r#"# Written by beeline-campaign.
import json

with open("campaign.json") as file:
    CAMPAIGN = json.load(file)
RUNS, JOBS, GROUPS = CAMPAIGN["runs"], CAMPAIGN["jobs"], CAMPAIGN["groups"]
TOOL = config["tool"]
GROUP_OF = {task: group for group, (start, end) in enumerate(GROUPS) for task in range(start, end)}

def ready(wildcards):
    start, end = JOBS[int(wildcards.job)]
    return sorted({f"ready/{GROUP_OF[run['task']]}" for run in RUNS[start:end]})

localrules: all

rule all:
    input: [f"done/{job}" for job in range(len(JOBS))]

rule prepare:
    output: "ready/{group}"
    resources: mem_mb=config["mem_mb"], runtime=config["runtime"]
    shell: "{TOOL} prepare . {wildcards.group}"

rule runs:
    input: ready
    output: "done/{job}"
    resources: mem_mb=config["mem_mb"], runtime=config["runtime"]
    shell: "{TOOL} work . {wildcards.job}"
"#;

/// Writes the workflow into the folder of a campaign.
pub(crate) fn write(folder: &Folder) -> Result<(), String> {
    let path = folder.0.join("Snakefile");
    beeline_ir::file::write_bytes(&path, SNAKEFILE.as_bytes()).map_err(|error| error.to_string())
}

/// Executes the workflow; an error says how it ended.
pub(crate) fn follow(folder: &Folder, campaign: &Campaign, way: &Way<'_>) -> Result<(), String> {
    let snakemake = snakemake(way.snakemake)?;
    if way.cluster == Some(Cluster::Slurm) {
        slurm_is_there()?;
    }
    let lock = lock(folder)?;
    decide_measure(folder, campaign, way.cluster)?;
    let mut command = Command::new(&snakemake);
    let cores = way.jobs.to_string();
    command.current_dir(&folder.0).args(["--keep-going", "--rerun-incomplete", "--rerun-triggers", "mtime"]);
    command.args(["--scheduler", "greedy", "--quiet", "all", "--nolock"]);
    match way.cluster {
        None => command.args(["--executor", "local", "--cores", &cores]),
        Some(Cluster::Slurm) => command.args([
            "--executor",
            "slurm",
            "--slurm-no-account",
            "--jobs",
            &cores,
            "--slurm-init-seconds-before-status-checks",
            "5",
            "--seconds-between-status-checks",
            "3",
            "--latency-wait",
            "30",
        ]),
    };
    if way.cluster == Some(Cluster::Slurm) && !slurm_keeps_accounts() {
        // By default, Snakemake asks sacct how jobs ended, which does not know then.
        command.args(["--slurm-status-command", "squeue"]);
    }
    command.args(way.options).arg("--config").args(settings(campaign)?);
    // All processes that work for the campaign hold the lock, even if this process is killed.
    command.stdin(lock).stdout(Stdio::null());
    let log = folder.0.join("snakemake.log");
    let file = File::create(&log).map_err(|error| format!("cannot write {}: {error}", log.display()))?;
    let interrupted: Arc<AtomicBool> = Arc::default();
    signal_hook::flag::register(SIGINT, Arc::clone(&interrupted))
        .map_err(|error| format!("cannot watch for signals: {error}"))?;
    let child = command.stderr(file).spawn();
    let child = child.map_err(|error| format!("cannot run {}: {error}", snakemake.display()))?;
    let status = watched(child, folder, campaign, &interrupted)?;
    match (status.success(), interrupted.load(Ordering::SeqCst)) {
        (true, _) => Ok(()),
        (false, true) => Err(format!(
            "the campaign was interrupted; {} are kept in {}; run the same command again to continue",
            done(folder, campaign),
            folder.0.display()
        )),
        (false, false) => Err(format!("Snakemake failed ({status}): see {}", log.display())),
    }
}

/// Waits for Snakemake, and reports the progress of the campaign from time to time.
fn watched(
    mut child: Child,
    folder: &Folder,
    campaign: &Campaign,
    interrupted: &AtomicBool,
) -> Result<ExitStatus, String> {
    let (start, is_terminal) = (Instant::now(), std::io::stderr().is_terminal());
    let every = if is_terminal { Duration::from_secs(1) } else { Duration::from_secs(30) };
    let (mut told, mut asked): (Instant, Option<Instant>) = (start, None);
    let status = loop {
        if let Some(status) =
            child.try_wait().map_err(|error| format!("cannot wait for Snakemake: {error}"))?
        {
            break status;
        }
        std::thread::sleep(Duration::from_millis(100));
        if interrupted.load(Ordering::SeqCst) {
            // A terminal signals Snakemake as well; another sender does not.
            let since = *asked.get_or_insert_with(Instant::now);
            if since.elapsed() > Duration::from_secs(2) {
                let _ = kill_process(Pid::from_child(&child), Signal::INT);
                asked = Some(Instant::now() + Duration::from_secs(60));
            }
        } else if told.elapsed() >= every {
            told = Instant::now();
            let text = format!("{}, {} s", done(folder, campaign), start.elapsed().as_secs());
            // A closed output is no reason to end.
            let _ = match is_terminal {
                true => write!(std::io::stderr(), "\r\x1b[K{text}"),
                false => writeln!(std::io::stderr(), "beeline-campaign: {text}"),
            };
        }
    };
    if is_terminal {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    Ok(status)
}

/// The number of runs with a result.
fn done(folder: &Folder, campaign: &Campaign) -> String {
    let all = campaign.runs.len();
    let done = (0..all).filter(|&run| folder.row(run).exists()).count();
    format!("{done} of {all} runs")
}

/// The configuration of the workflow on the command line: this program, and the resources of a job.
fn settings(campaign: &Campaign) -> Result<Vec<String>, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let own = own.to_str().ok_or("the folder of this program has a name that is not UTF-8")?;
    let tool = shlex::try_quote(own).map_err(|error| error.to_string())?;
    let most =
        |ranges: &[(usize, usize)]| ranges.iter().map(|(start, end)| end - start).max().unwrap_or(1) as u64;
    // Search and check may each take three times their limit in wall-clock time.
    let searching = most(&campaign.jobs) * campaign.cpu_limit.div_ceil(1_000_000) * 6 / 60;
    let preparing = most(&campaign.groups) * PREPARING.div_ceil(60);
    let runtime = searching.max(preparing) + AROUND;
    let memory = match campaign.memory_limit {
        0 => 2000,
        bytes => bytes / 1_000_000 + 500,
    };
    Ok(vec![format!("tool={tool}"), format!("mem_mb={memory}"), format!("runtime={runtime}")])
}

/// Waits until no other process works for the campaign.
fn lock(folder: &Folder) -> Result<File, String> {
    let path = folder.0.join("lock");
    let shown = path.display().to_string();
    let open = File::options().create(true).read(true).write(true).truncate(false).open(&path);
    let file = open.map_err(|error| format!("cannot open {shown}: {error}"))?;
    if file.try_lock().is_err() {
        beeline_cli::tell!("beeline-campaign: another run uses this folder; waiting for it to end");
        file.lock().map_err(|error| format!("cannot lock {shown}: {error}"))?;
    }
    Ok(file)
}

/// Determines once which tool measures, so that all runs are measured alike, and reports it.
fn decide_measure(folder: &Folder, campaign: &Campaign, cluster: Option<Cluster>) -> Result<(), String> {
    if cluster.is_some() && campaign.measure == Measure::Auto {
        // This machine's cgroups say nothing of the others.
        return folder.set_measure(Measure::Rusage);
    }
    let meter = Meter::new(folder.measure(campaign))?;
    beeline_cli::tell!("beeline-campaign: {} runs, measured by {}", campaign.runs.len(), meter.name());
    folder.set_measure(match meter {
        Meter::Runexec => Measure::Runexec,
        Meter::Rusage => Measure::Rusage,
    })
}

/// Whether Slurm keeps records of ended jobs.
fn slurm_keeps_accounts() -> bool {
    let output =
        Command::new("sacct").args(["--noheader", "--format", "JobID"]).stdin(Stdio::null()).output();
    output.is_ok_and(|output| output.status.success())
}

fn slurm_is_there() -> Result<(), String> {
    let output = Command::new("sinfo").args(["--noheader", "--format", "%a"]).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("no Slurm cluster here: {}", said.lines().next().unwrap_or("sinfo lists none")))
        }
        Err(_) => Err("no Slurm cluster here: sinfo is not on PATH".into()),
    }
}

/// Snakemake: the one that is named, that of PATH, or that of scripts/setup.
fn snakemake(named: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(named) = named {
        return Ok(named.to_path_buf());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|folder| folder.join("snakemake")).find(|file| file.is_file());
    let own = std::env::current_exe().ok();
    let beside = own.and_then(|own| {
        let folders = own.ancestors().skip(1).take(4);
        folders.map(|folder| folder.join(".deps/snakemake/bin/snakemake")).find(|file| file.is_file())
    });
    found.or(beside).ok_or_else(|| {
        "Snakemake is missing: `pip install snakemake snakemake-executor-plugin-slurm`, or `scripts/setup campaigns` where \
         Beeline is built; --snakemake names one"
            .into()
    })
}
