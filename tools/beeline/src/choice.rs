//! The learned choice of a plan: `--choose`, `beeline choose`, and `beeline plan` for a program.

use crate::arguments::{ChooseArguments, PlanArguments};
use crate::report;
use beeline_cli::temporary::Folder;
use beeline_graph::Features;
use beeline_graph::features::NAMES;
use beeline_ir::file;
use beeline_options::Plan;
use beeline_select::Selector;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The selector that was learned from the project's own campaign; docs/selector.md describes it.
const SHIPPED: &[u8] = include_bytes!("../shipped.sel");

/// Whether a plan is chosen, and by what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choose {
    /// The built-in plan is followed.
    Off,
    /// The shipped selector chooses.
    On,
    /// The selector in a file chooses.
    By(PathBuf),
}

impl Choose {
    /// Parses the value of the option.
    pub(crate) fn parse(text: &str) -> Result<Choose, String> {
        match text {
            "on" => Ok(Choose::On),
            "off" => Ok(Choose::Off),
            file if file.ends_with(".sel") => Ok(Choose::By(file.into())),
            _ => Err("on, off, or a .sel file with a selector".into()),
        }
    }

    /// The selector, if one is to choose.
    pub(crate) fn selector(&self) -> Result<Option<Selector>, String> {
        let read = match self {
            Choose::Off => return Ok(None),
            Choose::On => file::from_bytes("the shipped selector", SHIPPED),
            Choose::By(path) => file::read(path),
        };
        read.map(|file| Some(file.body)).map_err(|error| error.to_string())
    }
}

/// A plan that was chosen for a program.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    /// Its name.
    pub name: String,
    /// The plan.
    pub plan: Plan,
    /// The reasons: a line for each decision.
    pub path: Vec<String>,
}

impl Chosen {
    /// The plan for a program with features.
    pub(crate) fn new(selector: &Selector, features: &Features) -> Result<Chosen, String> {
        let choice = selector.choose(&NAMES, &features.values).map_err(|error| error.to_string())?;
        let named = &selector.plans[choice.plan];
        // A selector is an input: its plans are validated like those of users.
        let plan = Plan::parse(&format!("the plan {}", named.name), &named.plan);
        let plan = plan.map_err(|error| error.to_string())?;
        Ok(Chosen { name: named.name.clone(), plan, path: choice.path })
    }

    /// The plan with a comment that says why, as a plan is written.
    pub(crate) fn text(&self) -> String {
        let comments: String = self.path.iter().map(|line| format!("#   {line}\n")).collect();
        format!("# Chosen: {}, because\n{comments}\n{}", self.name, self.plan.text())
    }
}

/// `beeline choose`: the plan for features.
pub(crate) fn run(arguments: &ChooseArguments) -> Result<u8, String> {
    let Some(selector) = arguments.choose.selector()? else {
        return Err("--choose off chooses no plan; `beeline plan` prints the built-in plan".into());
    };
    let features: Features = file::read(&arguments.features).map_err(|error| error.to_string())?.body;
    report::print(&Chosen::new(&selector, &features)?.text()).map(|()| 0)
}

/// `beeline plan`: the plan of the options, or the one that is chosen for a program.
pub(crate) fn plan(arguments: &PlanArguments) -> Result<u8, String> {
    let plan = arguments.options.plan().map_err(|error| error.to_string())?;
    let selector = arguments.choose.as_ref().unwrap_or(&Choose::Off).selector()?;
    if arguments.options.is_given() && selector.is_some() {
        return Err("--choose cannot be combined with other options of the search".into());
    }
    let (Some(file), Some(selector)) = (&arguments.program, &selector) else {
        return report::print(&plan.text()).map(|()| 0);
    };
    let features = features_of(file)?;
    report::print(&Chosen::new(selector, &features)?.text()).map(|()| 0)
}

/// The features of a program: as `beeline prepare` measures them.
fn features_of(source: &Path) -> Result<Features, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let folder = Folder::new()?;
    let mut command = Command::new(own);
    command.arg("prepare").arg(source).arg("--keep").arg(folder.path()).arg("--json");
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run beeline: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(said.trim().trim_start_matches("beeline: ").to_string());
    }
    let made: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let features = made["features"].as_str().unwrap_or_default();
    file::read::<Features>(features).map(|file| file.body).map_err(|error| error.to_string())
}
