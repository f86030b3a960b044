//! The end of a run: its result is written and printed, and its graph drawn.

use crate::condition::Left;
use crate::plan::{Found, Known};
use crate::report;
use crate::watch::Watch;
use beeline_cli::memory;
use beeline_engine::outcome::run::{callees_of, proof_of, record};
use beeline_engine::{Proof, Reason, Statistics, Verdict};
use beeline_ir::file::{self, Digest};
use beeline_ir::{LocId, Program};
use beeline_run::drawing::draw;
use beeline_run::names::Names;
use beeline_run::{Figure, Run, Statistic, Unit};
use cpu_time::ProcessTime;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The outputs of a run.
#[derive(Clone)]
pub(crate) struct Ending {
    /// The program.
    pub program: Arc<Program>,
    /// A `.run` file.
    pub output: Option<PathBuf>,
    /// A file for the graph.
    pub drawing: Option<PathBuf>,
    /// The digest of the program's file.
    pub digest: Digest,
    /// Whether an object is printed instead of text.
    pub json: bool,
    /// The targets of the search.
    pub targets: BTreeSet<LocId>,
    /// The residual conditions of earlier results.
    pub left: Option<Left>,
    /// What the searches that have ended found out.
    pub known: Arc<Mutex<Known>>,
}

impl Ending {
    /// Writes and prints the result, and writes the drawing if there is a place for it.
    pub(crate) fn write(&self, found: Found, drawing: Option<&str>) -> Result<(), String> {
        let verdict = &found.verdict;
        let mut run = Run {
            rests: found.rests,
            precision: found.looked,
            callees: callees_of(&self.program, &found.seen),
            broken: found.broken,
            ..record(&self.program, verdict, &found.statistics)
        };
        if let Some(left) = &self.left {
            left.complete(&mut run);
        }
        // A file is the same each time: measurements of the machine are printed, but not stored.
        let is_measured = |figure: &mut Figure| figure.unit != Unit::Count;
        let measured: Vec<Figure> = run.statistics.extract_if(.., is_measured).collect();
        if let Some(output) = &self.output {
            file::write(output, &run, Some(self.digest)).map_err(|error| error.to_string())?;
        }
        run.statistics.extend(measured);
        let cpu_time = ProcessTime::now().as_duration() + beeline_engine::cpu_time_apart();
        run.statistics.push(Figure::of(Statistic::CpuTime, cpu_time.as_micros() as u64));
        let memory = memory::peak().map(|bytes| Figure::of(Statistic::PeakMemory, bytes));
        run.statistics.extend(memory);
        if let Some(path) = &self.drawing {
            let shown = path.display();
            match drawing {
                Some(drawing) => {
                    std::fs::write(path, drawing).map_err(|error| format!("cannot write {shown}: {error}"))?
                }
                None => report::complain(&format!("{shown} is not written: the search has no graph")),
            }
        }
        report::print(&self.program, verdict, &run, self.json)
    }

    /// Writes and prints a result for an engine that does not do so itself.
    pub(crate) fn without_engine(&self, watch: &Watch, reason: Reason) -> Result<(), String> {
        let progress = watch.monitor().progress();
        let known = std::mem::take(&mut *self.known.lock().unwrap_or_else(PoisonError::into_inner));
        let Known { mut verdict, rests } = known;
        verdict.join(Verdict::ended(self.targets.clone(), reason, watch.monitor().found()));
        let verdict = Verdict { asked: self.targets.clone(), ..verdict };
        let statistics =
            Statistics { states: progress.states, time: watch.elapsed(), ..Statistics::default() };
        let seen = self.left.as_ref().map(Left::seen).unwrap_or_default();
        let broken = watch.monitor().broken();
        let found = Found { verdict, statistics, rests, looked: None, seen, broken, graph: None };
        self.write(found, None)
    }
}

/// The graph of a search as a drawing, if it was kept.
pub(crate) fn drawing(program: &Program, found: &Found) -> Option<String> {
    let (states, waiting) = match (found.verdict.proofs.last(), &found.graph) {
        (_, Some(graph)) => (&graph.states, &graph.waiting[..]),
        (Some(Proof::States(states)), None) => (&**states, &[][..]),
        (Some(Proof::Unrolling(_) | Proof::Summaries(_)) | None, None) => return None,
    };
    Some(draw(&proof_of(states), waiting, &Names { program: Some(program) }))
}
