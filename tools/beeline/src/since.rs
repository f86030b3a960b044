//! Earlier results of a task: where they are, what holds of them for the program as it is now, and where the new result is
//! kept. Nothing of them is believed: a proof counts only if `beeline-check-proof` finds it valid for the program.

use crate::answer::{Answer, Check, Word as Verdict};
use crate::arguments::CheckArguments;
use crate::job::{Job, Source};
use crate::pipeline::Pipeline;
use crate::property;
use crate::step::Word;
use beeline_ir::{LocId, file};
use serde::Deserialize;
use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The files of the last result in the folder of a task.
const LAST: [&str; 2] = ["result.run", "program.cfa"];
/// The files of the last proof there.
const PROOF: [&str; 2] = ["proof.run", "proof.cfa"];

/// Where earlier results are.
#[derive(Debug, Clone)]
pub(crate) enum Since {
    /// One result.
    Result(PathBuf),
    /// A folder with a folder for each task, which gets the new results.
    Cache(PathBuf),
}

/// The place of an earlier result.
pub(crate) struct Place {
    /// The result.
    pub run: PathBuf,
    /// Its program.
    pub program: PathBuf,
    /// Whether it was named.
    is_named: bool,
}

impl Since {
    /// What a command line says of earlier results.
    pub(crate) fn given(arguments: &CheckArguments) -> Option<Since> {
        let result = arguments.since.clone().map(Since::Result);
        result.or_else(|| arguments.cache.clone().map(Since::Cache))
    }

    /// The places of the earlier results of a task: the last one, and the last proof if that is an older one.
    pub(crate) fn places(&self, job: &Job) -> Result<Vec<Place>, String> {
        match self {
            Since::Result(run) => {
                let program = run.with_extension("cfa");
                for path in [run, &program] {
                    if !path.is_file() {
                        return Err(format!(
                            "{} is missing; `beeline check --keep` leaves a result and its program beside each other",
                            path.display()
                        ));
                    }
                }
                Ok(vec![Place { run: run.clone(), program, is_named: true }])
            }
            Since::Cache(folder) => {
                let places = [LAST, PROOF].map(|names| {
                    let [run, program] = names.map(|name| folder.join(task(job)).join(name));
                    Place { run, program, is_named: false }
                });
                Ok(places
                    .into_iter()
                    .filter(|place| place.run.is_file() && place.program.is_file())
                    .collect())
            }
        }
    }

    /// Keeps the result of an answer.
    pub(crate) fn keep(&self, answer: &Answer, folder: &Path, pipeline: &Pipeline) -> Result<(), String> {
        let (Since::Cache(cache), Some(_), None) = (self, &answer.result, &answer.reason) else {
            return Ok(());
        };
        let rechecked = answer.earlier.as_ref().is_some_and(Earlier::is_rechecked);
        let result = if rechecked { pipeline.adapted() } else { pipeline.result.clone() };
        let place = cache.join(task(&answer.job));
        let cannot = |error: String| format!("cannot keep the result in {}: {error}", place.display());
        std::fs::create_dir_all(&place).map_err(|error| cannot(error.to_string()))?;
        let is_proved = answer.proof.as_ref().is_some_and(Check::is_passed) && answer.word() == Verdict::Safe;
        for names in [LAST].into_iter().chain(is_proved.then_some(PROOF)) {
            for (name, made) in names.iter().zip([&result, &pipeline.program]) {
                let bytes = file::read_bytes(folder.join(made)).map_err(|error| cannot(error.to_string()))?;
                file::write_bytes(place.join(name), &bytes).map_err(|error| cannot(error.to_string()))?;
            }
        }
        Ok(())
    }
}

impl Place {
    /// Says why an earlier result is of no use: an error if it was named.
    pub(crate) fn unusable(&self, why: &str) -> Result<(), String> {
        if self.is_named {
            return Err(why.into());
        }
        let _ = writeln!(anstream::stderr(), "beeline: the kept result is ignored: {why}");
        Ok(())
    }
}

/// The name of the folder of a task: what is verified of which files with which flags, whatever the files hold.
fn task(job: &Job) -> String {
    let mut hasher = DefaultHasher::new();
    for source in &job.sources {
        match source {
            Source::C(word, flags) => {
                format!("{word:?}").hash(&mut hasher);
                meaningful(flags).hash(&mut hasher);
            }
            Source::Llvm(word) => format!("{word:?}").hash(&mut hasher),
            Source::Dialect(source) => format!("{:?}", source.file).hash(&mut hasher),
        }
    }
    property::names(&job.properties).hash(&mut hasher);
    (&job.function, &job.entered, &job.lowering, &job.asserted).hash(&mut hasher);
    job.paths.hash(&mut hasher);
    job.contract.iter().for_each(|requirement| requirement.text.hash(&mut hasher));
    (job.outlined, job.allow_unsound, format!("{:?}", job.any_variables)).hash(&mut hasher);
    meaningful(&job.flags).hash(&mut hasher);
    format!("{}-{}-{:016x}", job.name, crate::job::file_name(Path::new(job.entered())), hasher.finish())
}

/// The flags for clang without folders of headers, which differ between copies of a repository.
fn meaningful(flags: &[String]) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut words = flags.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if ["-I", "-isystem", "-iquote", "-idirafter"].contains(&word) {
            words.next();
        } else if !word.starts_with("-I") {
            kept.push(word);
        }
    }
    kept
}

/// What beeline-adapt says of an earlier result.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Adapted {
    /// What it moved.
    moved: Moved,
    /// The earlier verdict.
    was: String,
    /// The targets that executions of the earlier program reach.
    #[serde(rename = "unsafe")]
    errors: Vec<EarlierError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Moved {
    Proof,
    Precision,
    Nothing,
}

/// An error of an earlier result.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct EarlierError {
    /// The location of its target in the program as it is now.
    pub location: Option<u32>,
    /// The name of its target.
    pub name: String,
    /// The property that it violates.
    pub property: String,
    /// The file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// What was taken over of an earlier result.
#[derive(Debug, Clone)]
pub(crate) struct Earlier {
    adapted: Adapted,
    /// The check of its proof for the program as it is now.
    check: Option<Check>,
    /// The file with the precision that the search began with.
    pub precision: Option<Word>,
}

impl Earlier {
    /// What was moved into a file.
    pub(crate) fn new(adapted: Adapted, file: Word) -> Earlier {
        let precision = (adapted.moved != Moved::Nothing).then_some(file);
        Earlier { adapted, check: None, precision }
    }

    /// The same with the proof or the precision of an older result.
    pub(crate) fn with_older(self, older: Earlier) -> Earlier {
        Earlier { adapted: self.adapted, ..older }
    }

    /// Whether there is a proof to check.
    pub(crate) fn has_proof(&self) -> bool {
        self.adapted.moved == Moved::Proof
    }

    /// Whether the earlier verdict was safe.
    pub(crate) fn was_safe(&self) -> bool {
        self.adapted.was == "safe"
    }

    /// Notes the outcome of the check of its proof.
    pub(crate) fn note(&mut self, check: Option<Check>) {
        self.check = check;
    }

    /// Whether its proof is valid for the program as it is now.
    pub(crate) fn is_rechecked(&self) -> bool {
        self.check.as_ref().is_some_and(Check::is_passed)
    }

    /// The earlier errors.
    pub(crate) fn errors(&self) -> &[EarlierError] {
        &self.adapted.errors
    }

    /// Whether executions of the earlier program reached a target.
    pub(crate) fn was_unsafe(&self, target: LocId) -> bool {
        self.adapted.errors.iter().any(|error| error.location == Some(target.as_u32()))
    }

    /// What changed, in a few words.
    pub(crate) fn change(&self, now: Verdict) -> String {
        let was = self.adapted.was.as_str();
        match (was, now) {
            ("safe", Verdict::Safe) if self.is_rechecked() => "still safe".into(),
            ("safe", Verdict::Safe) if self.precision.is_some() => {
                "safe again, by a search that began with the earlier precision".into()
            }
            ("safe", Verdict::Safe) => "safe again".into(),
            (was, Verdict::Safe) if self.is_rechecked() => {
                format!("was {was}, is safe by the proof of an older version")
            }
            ("unsafe", Verdict::Unsafe) => "still unsafe".into(),
            ("unknown", Verdict::Unknown) => "still unknown".into(),
            (was, now) => format!("was {was}, is {}", now.name()),
        }
    }

    /// The same as an object.
    pub(crate) fn object(&self, now: Verdict) -> Value {
        json!({
            "was": self.adapted.was,
            "change": self.change(now),
            "rechecked": self.is_rechecked(),
        })
    }
}
