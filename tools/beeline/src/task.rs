//! Task definitions of SV-COMP: files in YAML that name a program, its properties and its data model.

use crate::property::Property;
use clap::ValueEnum;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A task.
#[derive(Debug)]
pub(crate) struct Task {
    /// The program.
    pub files: Vec<PathBuf>,
    /// The properties that were asked for, or the first one of the task that can be checked.
    pub properties: Vec<Property>,
    /// Flags for clang that the data model asks for.
    pub flags: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Definition {
    input_files: OneOrMore,
    #[serde(default)]
    properties: Vec<Entry>,
    #[serde(default)]
    options: Settings,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(PathBuf),
    More(Vec<PathBuf>),
}

#[derive(Debug, Deserialize)]
struct Entry {
    property_file: PathBuf,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Settings {
    language: Option<String>,
    data_model: Option<String>,
}

/// How wide the types of C are, by the names that SV-COMP uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataModel {
    /// 32 bits for int, long and pointers
    #[value(name = "ILP32")]
    Ilp32,
    /// 32 bits for int, 64 for long and pointers
    #[value(name = "LP64")]
    Lp64,
}

/// Flags by which clang accepts old C.
const LENIENT: [&str; 8] = [
    "-w",
    "-fgnu89-inline",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-return-mismatch",
    "-Wno-return-type",
    "-Wno-incompatible-function-pointer-types",
];

/// Flags for clang that make it take the programs of SV-COMP.
pub(crate) fn flags(model: Option<DataModel>) -> Vec<String> {
    let width = model.map(|model| match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    });
    width.into_iter().chain(LENIENT).map(String::from).collect()
}

impl Task {
    /// Reads a definition; properties that were asked for take the place of the task's own.
    pub(crate) fn read(path: &Path, asked: &[Property]) -> Result<Task, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
        let definition: Definition = serde_saphyr::from_str(&text).map_err(|error| {
            format!("{shown} is not a task definition of SV-COMP: {}", error.without_snippet())
        })?;
        let beside = |file: PathBuf| path.parent().unwrap_or(Path::new("")).join(file);
        let files: Vec<PathBuf> = match definition.input_files {
            OneOrMore::One(file) => vec![beside(file)],
            OneOrMore::More(files) => files.into_iter().map(beside).collect(),
        };
        if let Some(language) = definition.options.language.filter(|language| language != "C") {
            return Err(format!("{shown} is in {language}; Beeline verifies C"));
        }
        let model = definition.options.data_model.map(|model| {
            DataModel::from_str(&model, false)
                .map_err(|_| format!("{shown} has the unknown data model {model}"))
        });
        let flags = flags(model.transpose()?);
        let properties = match asked {
            [] => vec![first_supported(
                path,
                definition.properties.into_iter().map(|entry| beside(entry.property_file)),
            )?],
            asked => asked.to_vec(),
        };
        Ok(Task { files, properties, flags })
    }
}

fn first_supported(task: &Path, files: impl Iterator<Item = PathBuf>) -> Result<Property, String> {
    let (mut known, mut refused) = (Vec::new(), Vec::new());
    for file in files {
        match Property::read(&file) {
            Ok(property) => known.push(property),
            Err(sentence) => refused.push(sentence),
        }
    }
    // What a task is about most often comes first, wherever it stands.
    known.sort_by_key(|property| match property {
        Property::Calls(_) => 0,
        Property::NoOverflowOrLeftShift => 1,
        _ => 2,
    });
    if let Some(property) = known.into_iter().next() {
        return Ok(property);
    }
    Err(match refused.is_empty() {
        true => format!("{} has no property; choose one with --property", task.display()),
        false => refused.join("; "),
    })
}
