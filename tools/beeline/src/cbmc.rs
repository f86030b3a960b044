//! `beeline cbmc`: runs proofs for CBMC, and prints a table.

mod coverage;
mod hollow;
mod pages;
mod prepare;
mod resume;
mod row;
pub(crate) mod stand_in;

use crate::answer::{Answer, Word as Verdict};
use crate::arguments::CbmcArguments;
use crate::{WRONG, check, report};
use beeline_cbmc::kit::Kit;
use resume::Kept;
use row::Row;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Runs all proofs, several at a time if asked, and returns the exit code.
pub(crate) fn run(arguments: &CbmcArguments) -> Result<u8, String> {
    if let Some(folder) = &arguments.stand_ins {
        return stand_in::write(folder).map(|()| 0);
    }
    for folder in arguments.html.iter().chain(&arguments.resume) {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    }
    let pages = pages::names(&arguments.folders);
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<Option<Row>>> = Mutex::new(arguments.folders.iter().map(|_| None).collect());
    let work = || -> Result<(), String> {
        while let Some((number, folder)) = pick(&next, &arguments.folders) {
            let row = Row::of(arguments, folder, &pages[number])?;
            let mut rows = rows.lock().map_err(|_| "a proof ended in a fault of Beeline")?;
            if !arguments.json {
                report::print(&row.text(arguments.cbmc_output))?;
            }
            rows[number] = Some(row);
        }
        Ok(())
    };
    let count = arguments.jobs.get().min(arguments.folders.len());
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| {
            worker.join().map_err(|_| "a proof ended in a fault of Beeline".to_string()).flatten()
        })
    })?;
    let rows = rows.into_inner().map_err(|_| "a proof ended in a fault of Beeline")?;
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    if let Some(folder) = &arguments.html {
        pages::index(folder, &rows)?;
    }
    finish(arguments, &rows)
}

/// The next proof.
fn pick<'f>(next: &AtomicUsize, folders: &'f [PathBuf]) -> Option<(usize, &'f PathBuf)> {
    let number = next.fetch_add(1, Ordering::SeqCst);
    Some((number, folders.get(number)?))
}

/// Prints the number of proofs with each verdict, and returns the exit code.
fn finish(arguments: &CbmcArguments, rows: &[Row]) -> Result<u8, String> {
    let count = |wanted: Option<Verdict>| rows.iter().filter(|row| row.is(wanted)).count();
    let [safe, refuted, unknown] =
        [Verdict::Safe, Verdict::Unsafe, Verdict::Unknown].map(|word| count(Some(word)));
    let broken = count(None);
    match arguments.json {
        true => report::print(&format!("{:#}\n", json!(rows)))?,
        false => report::print(&format!(
            "{} proofs: {safe} safe, {refuted} unsafe, {unknown} unknown, {broken} not started\n",
            rows.len()
        ))?,
    }
    Ok(match (broken, refuted, unknown) {
        (_, 1.., _) => Verdict::Unsafe.code(),
        (1.., ..) => WRONG,
        (_, _, 1..) => Verdict::Unknown.code(),
        _ => Verdict::Safe.code(),
    })
}

impl Row {
    /// The row of a proof.
    fn of(arguments: &CbmcArguments, folder: &Path, page: &str) -> Result<Row, String> {
        let start = Instant::now();
        let mut row = Row::new(folder.display().to_string(), page.into());
        match Kit::read(folder) {
            Ok(kit) => {
                let kept = Kept::new(arguments, folder, &kit)?;
                if let Some(known) = kept.as_ref().and_then(|kept| kept.row(page)) {
                    return Ok(known);
                }
                row.run(arguments, folder, &kit);
                row.seconds = start.elapsed().as_secs_f64();
                kept.map_or(Ok(()), |kept| kept.write(&row))?;
            }
            Err(error) => {
                row.remark = format!("not started: {error}");
                row.seconds = start.elapsed().as_secs_f64();
            }
        }
        Ok(row)
    }

    /// Runs a proof.
    pub(crate) fn run(&mut self, arguments: &CbmcArguments, folder: &Path, kit: &Kit) {
        self.proof.clone_from(&kit.name);
        self.unchecked = prepare::unchecked(kit);
        match answer(arguments, folder, kit, &self.page) {
            Ok((answer, bitcode)) => {
                if answer.word() == Verdict::Safe {
                    self.hollow = hollow::why(arguments, kit, &bitcode).unwrap_or_default();
                }
                let page = arguments.html.as_deref().map(|folder| pages::proof(folder, &self.page, &answer));
                let covered = arguments.coverage.then(|| coverage::of(arguments, kit, &bitcode, &self.page));
                self.take(&answer);
                let covered = covered.transpose().map(|covered| self.coverage = covered);
                if let Err(why) = page.unwrap_or(Ok(())).and(covered) {
                    beeline_cli::tell!("beeline: {}: {why}", kit.name);
                }
            }
            Err(why) => {
                self.remark = format!("not started: {}", reason(&why));
            }
        }
    }
}

/// The most informative line of a tool's output.
fn reason(said: &str) -> String {
    let first = said.lines().next().unwrap_or_default();
    let told = said.lines().find(|line| line.contains("error: ")).unwrap_or(first);
    match told.contains("file not found") {
        true => format!("{told}; is it in a git submodule that is absent?"),
        false => told.into(),
    }
}

/// Checks one proof, and reads the bitcode of the whole program.
fn answer(
    arguments: &CbmcArguments,
    folder: &Path,
    kit: &Kit,
    page: &str,
) -> Result<(Answer, Vec<u8>), String> {
    let (parsed, job) = prepare::job(arguments, folder, kit, page)?;
    let bitcode = prepare::bitcode(&job);
    check::answer(&parsed, job, |folder, _| {
        std::fs::read(folder.join(&bitcode)).map_err(|error| format!("cannot read {bitcode}: {error}"))
    })
}
