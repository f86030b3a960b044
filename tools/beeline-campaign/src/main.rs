//! `beeline-campaign`: many plans on many programs.
//!
//! A [`description`] lists them. [`workflow`] has Snakemake make the runs: it calls this tool again for the
//! jobs of [`work`], which [`measure`] measures. The results are in a [`folder`], from which [`collect`]
//! makes a history.

mod collect;
mod description;
mod folder;
mod measure;
mod plot;
mod tasks;
mod tree;
mod work;
mod workflow;

use beeline_history::History;
use beeline_ir::file;
use clap::{Args, Parser, Subcommand, ValueHint};
use description::Campaign;
use folder::Folder;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workflow::{Cluster, Way};

/// Runs many plans on many programs, on this machine or a cluster, and collects what they cost.
#[derive(Debug, Parser)]
#[command(name = "beeline-campaign", version, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Makes the runs that a description lists, or goes on with those that are missing, and writes a history
    Run(RunArguments),
    /// Writes a history of the runs that are made, whether or not all are
    Collect(Collected),
    /// Puts histories together
    Merge(Merged),
    /// Writes a history as tables
    Table(Tables),
    /// Plots a history: plans against each other, and how many programs each solves in which time
    Plot(Plots),
    /// Prepares some tasks: for the workflow
    #[command(hide = true)]
    Prepare { folder: PathBuf, group: usize },
    /// Executes the runs of a job: for the workflow
    #[command(hide = true)]
    Work { folder: PathBuf, job: usize },
    /// Runs a command and reports what it used
    #[command(hide = true)]
    Measure {
        cpu: u64,
        output: PathBuf,
        #[arg(last = true)]
        words: Vec<OsString>,
    },
}

#[derive(Debug, Args)]
struct RunArguments {
    /// The description, in TOML
    #[arg(value_hint = ValueHint::FilePath)]
    description: PathBuf,
    /// The folder for all results [default: the description's name without its ending]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Run on a cluster; all its machines must see the folder and the tools at the same paths
    #[arg(long, value_enum)]
    cluster: Option<Cluster>,
    /// How many jobs at a time
    #[arg(short, long, value_name = "NUMBER", default_value_t = 1)]
    jobs: usize,
    /// Snakemake [default: that of PATH, or of `scripts/setup campaigns`]
    #[arg(long, value_name = "FILE")]
    snakemake: Option<PathBuf>,
    /// Write the workflow and run nothing
    #[arg(long)]
    only_write: bool,
    /// More options for Snakemake
    #[arg(last = true, value_name = "SNAKEMAKE OPTIONS")]
    options: Vec<String>,
}

#[derive(Debug, Args)]
struct Collected {
    /// Folders of campaigns
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    into: Into,
}

#[derive(Debug, Args)]
struct Merged {
    /// Histories, .hist files
    #[arg(required = true)]
    histories: Vec<PathBuf>,
    #[command(flatten)]
    into: Into,
}

#[derive(Debug, Args)]
struct Into {
    /// The file for the history
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Also merge runs that cannot be compared: on other machines, with other limits, of other versions
    #[arg(long)]
    mixed: bool,
    /// Merge the runs of this plan only (may be repeated) [default: all plans]
    #[arg(long = "plan", value_name = "NAME")]
    plans: Vec<String>,
}

#[derive(Debug, Args)]
struct Tables {
    /// The history, a .hist file
    history: PathBuf,
    /// Write a table with one line for each run; `-` is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write results for BenchExec's table-generator to this folder, one file for each plan
    #[arg(long, value_name = "FOLDER")]
    benchexec: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Plots {
    /// The history, a .hist file
    history: PathBuf,
    /// Write everything as one page for browsers
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write each plot as an SVG file to this folder
    #[arg(long, value_name = "FOLDER", required_unless_present = "output")]
    svg: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Arguments { action } = beeline_cli::parse();
    let result = match action {
        Action::Run(arguments) => run(&arguments),
        Action::Collect(arguments) => collected(&arguments),
        Action::Merge(arguments) => merged(&arguments),
        Action::Table(arguments) => tables(&arguments),
        Action::Plot(arguments) => plots(&arguments),
        Action::Prepare { folder, group } => work::prepare(&Folder(folder), group),
        Action::Work { folder, job } => work::work(&Folder(folder), job),
        Action::Measure { cpu, output, words } => measured(cpu, &output, &words),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            beeline_cli::tell!("beeline-campaign: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &RunArguments) -> Result<(), String> {
    if arguments.jobs == 0 {
        return Err("--jobs needs at least one job".into());
    }
    let campaign = Campaign::read(&arguments.description)?;
    let path = arguments.output.clone().unwrap_or_else(|| arguments.description.with_extension(""));
    std::fs::create_dir_all(&path).map_err(|error| format!("cannot create {}: {error}", path.display()))?;
    let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    let folder = Folder(path);
    folder.fill(&campaign)?;
    workflow::write(&folder)?;
    if arguments.only_write {
        return Ok(());
    }
    let way = Way {
        cluster: arguments.cluster,
        jobs: arguments.jobs,
        snakemake: arguments.snakemake.as_deref(),
        options: &arguments.options,
    };
    let followed = workflow::follow(&folder, &campaign, &way);
    let (history, missing) = collect::collect(&folder)?;
    // Without runs there is no history.
    if history.rows.is_empty() {
        return followed;
    }
    let output = folder.0.join("results.hist");
    file::write(&output, &history, None).map_err(|error| error.to_string())?;
    print(&collect::summary(&history))?;
    followed?;
    match missing {
        0 => Ok(()),
        missing => Err(format!("{missing} runs are missing; run the same command again to continue")),
    }
}

fn collected(arguments: &Collected) -> Result<(), String> {
    let mut histories = Vec::new();
    for folder in &arguments.folders {
        let (history, missing) = collect::collect(&Folder(folder.clone()))?;
        if missing > 0 {
            beeline_cli::tell!("beeline-campaign: {missing} runs are missing in {}", folder.display());
        }
        histories.push((folder.clone(), history));
    }
    put_together(histories, &arguments.into)
}

fn merged(arguments: &Merged) -> Result<(), String> {
    let histories = arguments.histories.iter().map(|path| Ok((path.clone(), read(path)?)));
    put_together(histories.collect::<Result<_, String>>()?, &arguments.into)
}

/// Writes the merged histories and prints a summary.
fn put_together(histories: Vec<(PathBuf, History)>, into: &Into) -> Result<(), String> {
    let mut histories = histories.into_iter();
    let Some((_, mut all)) = histories.next() else { return Err("no history is given".into()) };
    for (path, history) in histories {
        all.merge(&history, into.mixed).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if !into.plans.is_empty() {
        all = all.only(&into.plans).map_err(|error| error.to_string())?;
    }
    file::write(&into.output, &all, None).map_err(|error| error.to_string())?;
    match into.output.as_os_str() == "-" {
        true => Ok(()),
        false => print(&collect::summary(&all)),
    }
}

fn tables(arguments: &Tables) -> Result<(), String> {
    let history = read(&arguments.history)?;
    let write =
        |path: &Path, text: &str| file::write_bytes(path, text.as_bytes()).map_err(|error| error.to_string());
    if arguments.csv.is_none() && arguments.benchexec.is_none() {
        return print(&collect::summary(&history));
    }
    if let Some(path) = &arguments.csv {
        write(path, &beeline_history::csv(&history))?;
    }
    if let Some(folder) = &arguments.benchexec {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for (number, strategy) in history.strategies.iter().enumerate() {
            let name = strategy.name.replace(['/', '.'], "_");
            let path = folder.join(format!("{name}.results.xml"));
            write(&path, &beeline_history::benchexec(&history, number as u32))?;
        }
    }
    Ok(())
}

fn plots(arguments: &Plots) -> Result<(), String> {
    let history = read(&arguments.history)?;
    let write =
        |path: &Path, text: &str| file::write_bytes(path, text.as_bytes()).map_err(|error| error.to_string());
    if let Some(path) = &arguments.output {
        write(path, &plot::page(&history, &collect::summary(&history)))?;
    }
    let Some(folder) = &arguments.svg else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    write(&folder.join("quantile.svg"), &plot::quantile(&history, false))?;
    write(&folder.join("cactus.svg"), &plot::quantile(&history, true))?;
    plot::pairs(&history).into_iter().try_for_each(|(first, second)| {
        write(&folder.join(format!("scatter-{first}-{second}.svg")), &plot::scatter(&history, first, second))
    })
}

fn read(path: &Path) -> Result<History, String> {
    file::read::<History>(path).map(|file| file.body).map_err(|error| error.to_string())
}

fn measured(cpu: u64, output: &Path, words: &[OsString]) -> Result<(), String> {
    let measured = measure::only_child(cpu, output, words)?;
    print(&serde_json::to_string(&measured).map_err(|error| error.to_string())?)
}

fn print(text: &str) -> Result<(), String> {
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| format!("cannot write: {error}"))
}
