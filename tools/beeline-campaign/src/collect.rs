//! The collection of a history from the folder of a campaign.

use crate::folder::{Folder, Prepared, RowFile};
use beeline_graph::Features;
use beeline_graph::features::NAMES;
use beeline_history::{Certificate, History, Outcome, Program, Row, Setting, Strategy};
use beeline_ir::file;

/// The history of the finished runs, and the number of missing ones.
pub(crate) fn collect(folder: &Folder) -> Result<(History, usize), String> {
    let campaign = folder.campaign()?;
    let mut history = History::new(NAMES);
    let mut programs = Vec::new();
    for (number, task) in campaign.tasks.iter().enumerate() {
        let path = folder.prepared(number);
        let features = match path.exists().then(|| folder.read::<Prepared>(&path)).transpose()? {
            Some(Prepared::Files(files)) => {
                let read = file::read::<Features>(folder.0.join(&files.features))
                    .map_err(|error| error.to_string())?;
                Some(read.body.values.to_vec())
            }
            Some(Prepared::Nothing(_)) | None => None,
        };
        let (name, family) = (task.name.clone(), task.family.clone());
        programs.push(Program { name, family, expected: task.expected, features });
    }
    let mut missing = 0;
    for (number, run) in campaign.runs.iter().enumerate() {
        let path = folder.row(number);
        if !path.exists() {
            missing += 1;
            continue;
        }
        let read: RowFile = folder.read(&path)?;
        let (name, plan) = campaign.plans[run.plan].clone();
        let program = history.add_program(programs[run.task].clone()).map_err(|error| error.to_string())?;
        let strategy = history.add_strategy(Strategy { name, plan }).map_err(|error| error.to_string())?;
        let row = row(&mut history, read, (program, strategy, run.repetition));
        history.rows.push(row);
    }
    Ok((history, missing))
}

fn row(history: &mut History, read: RowFile, (program, strategy, repetition): (u32, u32, u32)) -> Row {
    let setting = history.add_setting(Setting {
        machine: read.machine,
        version: read.version,
        measured_by: read.measured_by,
        cpu_limit: read.cpu_limit,
        memory_limit: read.memory_limit,
    });
    let reason = read.outcome.reason;
    let outcome = match read.outcome.word.as_str() {
        "safe" => Outcome::Safe,
        "unsafe" => Outcome::Unsafe,
        "unknown" => Outcome::Unknown(reason),
        _ => Outcome::Failed(reason),
    };
    let certificates = [Certificate::Checked, Certificate::Refused, Certificate::Open];
    let certificate = certificates.into_iter().find(|known| known.word() == read.certificate);
    Row {
        program,
        strategy,
        setting,
        repetition,
        outcome,
        certificate: certificate.unwrap_or(Certificate::None),
        cpu: read.cpu,
        wall: read.wall,
        memory: read.memory,
        check_cpu: read.check_cpu,
        ticks: read.ticks,
        states: read.states,
    }
}

/// A summary of a history in a few lines: the plan that costs least comes first.
pub(crate) fn summary(history: &History) -> String {
    let mut lines = Vec::new();
    for (index, strategy) in history.strategies.iter().enumerate() {
        let rows = || history.rows.iter().filter(|row| row.strategy as usize == index);
        let solved = rows().filter(|row| history.is_solved(row)).count();
        let wrong = rows().filter(|row| history.is_wrong(row)).count();
        let failed = rows().filter(|row| matches!(row.outcome, Outcome::Failed(_))).count();
        let cpu: f64 = rows().map(|row| row.cpu as f64 / 1e6).sum();
        let par2: f64 = rows().map(|row| history.par2(row)).sum();
        let name = &strategy.name;
        lines.push((par2, format!("{name:<30} {solved:>6} {wrong:>6} {failed:>7} {cpu:>9.1} {par2:>9.1}\n")));
    }
    lines.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let lines: String = lines.into_iter().map(|(_, line)| line).collect();
    format!("plan                           solved  wrong  failed     cpu s   PAR-2 s\n{lines}")
}
