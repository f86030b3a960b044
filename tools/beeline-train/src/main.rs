//! Learns the choice of a plan: `.hist` to `.sel`.

use beeline_graph::features::NAMES;
use beeline_history::History;
use beeline_ir::file;
use beeline_learn::{Label, Learner, Options, Trained, train};
use clap::Parser;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Learns from a history which plan suits which program, and judges the choice on unseen families of programs.
#[derive(Debug, Parser)]
#[command(name = "beeline-train", version)]
struct Arguments {
    /// The history, a .hist file
    history: PathBuf,
    /// The file for the selector, a .sel file [default: none]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Do not learn from programs whose plans differ by less than this share of the limit
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    threshold: f64,
    /// Never choose two plans one after the other
    #[arg(long)]
    no_sequences: bool,
    /// The learner [default: the one with the least regret]: single, sequence, tree-2, tree-3, tree-5, sequence-tree-2,
    /// sequence-tree-3, costs, forest
    #[arg(long, value_name = "NAME", value_parser = learner)]
    learner: Option<Learner>,
    /// The label to minimise: `cost`, time and twice the limit without a right answer; `time` alone, whatever the
    /// answer is; `number`, programs that are not solved
    #[arg(long, value_name = "LABEL", default_value = "cost", value_parser = label)]
    label: Label,
}

fn label(name: &str) -> Result<Label, String> {
    Label::named(name).ok_or_else(|| "unknown label; choose cost, time or number".into())
}

fn learner(name: &str) -> Result<Learner, String> {
    Learner::named(name).ok_or_else(|| "unknown learner".into())
}

fn main() -> ExitCode {
    beeline_cli::memory::confine("beeline-train", None);
    match run(&beeline_cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            beeline_cli::tell!("beeline-train: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let shown = arguments.history.display();
    let read = file::read::<History>(&arguments.history).map_err(|error| error.to_string())?;
    if read.body.features.iter().map(String::as_str).ne(NAMES) {
        return Err(format!("{shown} has features of another version: create the history again"));
    }
    if !(0.0..=2.0).contains(&arguments.threshold) {
        return Err("--threshold is a share of the limit, from 0 to 2".into());
    }
    let options = Options {
        threshold: arguments.threshold,
        sequences: !arguments.no_sequences,
        learner: arguments.learner,
        label: arguments.label,
    };
    let trained = train(&read.body, &options).map_err(|error| format!("{shown}: {error}"))?;
    if let Some(output) = &arguments.output {
        file::expect_other(output, [arguments.history.as_path()]).map_err(|error| error.to_string())?;
        file::write(output, &trained.selector, Some(read.header.digest))
            .map_err(|error| error.to_string())?;
    }
    let text = told(&trained);
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| format!("cannot write: {error}"))
}

/// The learned model as readable text.
fn told(trained: &Trained) -> String {
    let (programs, families) = trained.programs;
    let mut text = format!(
        "{programs} programs of {families} families; each family was judged by a learner that had not seen it\n\n\
         learner             regret s   solved      cpu s   gap closed\n"
    );
    for judged in &trained.judged {
        let closed = match trained.single > 0.0 {
            true => format!("{:.0} %", 100.0 * (1.0 - judged.regret / trained.single)),
            false => "-".into(),
        };
        let name = judged.learner.name();
        _ = writeln!(
            text,
            "{name:<18} {:>9.1} {:>8} {:>10.1} {closed:>12}",
            judged.regret, judged.solved, judged.cpu
        );
    }
    _ = write!(text, "\n{}", trained.selector.text());
    text
}
