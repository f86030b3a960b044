//! `beeline prepare`: all that a search is given, made once for many searches.

use crate::answer::Word as Verdict;
use crate::arguments::PrepareArguments;
use crate::check::Runner;
use crate::job::Job;
use crate::pipeline::Pipeline;
use crate::report;
use crate::step::Word;
use serde_json::json;
use std::path::Path;

/// Makes program, distances and features, prints where they are, and returns the exit code.
pub(crate) fn run(arguments: &PrepareArguments) -> Result<u8, String> {
    if !arguments.check.only.is_empty() || arguments.check.assume_paths.is_some() {
        return Err("--only and --assume-paths are conditions of `beeline check`".into());
    }
    let job = Job::new(&arguments.check)?;
    let folder = arguments.check.keep.as_deref().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot create the folder {}: {error}", folder.display()))?;
    let pipeline = Pipeline::new(&job)?;
    job.write(folder)?;
    let explain = arguments.check.explain.then(|| folder.to_path_buf());
    let mut runner = Runner::new(folder.to_path_buf(), explain)?;
    if let Some(reason) = runner.follow(pipeline.to_search().chain([&pipeline.features.clone()?]))? {
        beeline_cli::tell!("beeline: {reason}");
        return Ok(Verdict::Unknown.code());
    }
    let bitcode = match &pipeline.bitcode {
        Word::Given(path) => path.clone(),
        Word::Text(name) | Word::Made(name) => folder.join(name),
    };
    let made = json!({
        "bitcode": bitcode,
        "program": folder.join(&pipeline.program),
        "distances": folder.join(&pipeline.distances),
        "features": folder.join(&pipeline.measured),
    });
    match arguments.check.json {
        true => report::print(&format!("{made:#}\n"))?,
        false => report::print(&format!("{}\n", folder.join(&pipeline.program).display()))?,
    }
    Ok(0)
}
