//! The cost of each plan for each program.

use crate::error::LearnError;
use beeline_history::{History, Outcome, Row};
use beeline_options::Plan;
use std::collections::{BTreeMap, BTreeSet};

/// The least number of programs to learn from.
const FEWEST: usize = 8;

/// A run of a plan, the mean of equal ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The time in seconds.
    pub cpu: f64,
    /// Whether there was an answer.
    pub answered: bool,
    /// Whether it was right and in time.
    pub solved: bool,
}

/// A program with its runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its family.
    pub family: String,
    /// Its features.
    pub features: Vec<f64>,
    /// Its runs, one for each plan.
    pub cells: Vec<Cell>,
}

/// The cost of each plan for each program.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The names of the features.
    pub features: Vec<String>,
    /// The plans with their names.
    pub plans: Vec<(String, Plan)>,
    /// The programs that every plan was run on.
    pub programs: Vec<Line>,
    /// The limit for each run, in seconds.
    pub limit: f64,
}

impl Table {
    /// The table of a history, if it has enough to learn from.
    pub fn new(history: &History) -> Result<Table, LearnError> {
        let plan = |strategy: &beeline_history::Strategy| {
            let plan = Plan::parse(&strategy.name, &strategy.plan);
            let name = strategy.name.clone();
            plan.map(|plan| (name.clone(), plan)).map_err(|error| LearnError::Plan { name, error })
        };
        let plans: Vec<(String, Plan)> = history.strategies.iter().map(plan).collect::<Result<_, _>>()?;
        if plans.len() < 2 {
            return Err(LearnError::Plans(plans.len()));
        }
        let limits: BTreeSet<u64> = history.settings.iter().map(|setting| setting.cpu_limit).collect();
        if limits.len() > 1 {
            return Err(LearnError::Limits);
        }
        let limit = limits.first().map_or(0.0, |&limit| limit as f64 / 1e6);
        let mut rows: BTreeMap<(u32, u32), Vec<&Row>> = BTreeMap::new();
        history.rows.iter().for_each(|row| rows.entry((row.program, row.strategy)).or_default().push(row));
        let mut programs = Vec::new();
        for (number, program) in history.programs.iter().enumerate() {
            let Some(features) = program.features.clone() else { continue };
            if let Some((_, feature)) =
                features.iter().zip(&history.features).find(|(value, _)| !value.is_finite())
            {
                return Err(LearnError::Feature { feature: feature.clone(), program: program.name.clone() });
            }
            let cell = |plan: usize| Some(cell(history, rows.get(&(number as u32, plan as u32))?));
            let Some(cells) = (0..plans.len()).map(cell).collect::<Option<Vec<Cell>>>() else { continue };
            let (name, family) = (program.name.clone(), program.family.clone());
            programs.push(Line { name, family, features, cells });
        }
        let table = Table { features: history.features.clone(), plans, programs, limit };
        table.suffices().map(|()| table)
    }

    fn suffices(&self) -> Result<(), LearnError> {
        if self.programs.len() < FEWEST {
            return Err(LearnError::Programs { found: self.programs.len(), needed: FEWEST });
        }
        match self.families() {
            1 => Err(LearnError::Families(self.programs[0].family.clone())),
            _ => Ok(()),
        }
    }

    /// The number of families.
    pub fn families(&self) -> usize {
        self.programs.iter().map(|program| &program.family).collect::<BTreeSet<_>>().len()
    }
}

/// The mean of some runs, which solve the program if all of them do.
fn cell(history: &History, rows: &[&Row]) -> Cell {
    Cell {
        cpu: rows.iter().map(|row| row.cpu as f64 / 1e6).sum::<f64>() / rows.len() as f64,
        answered: rows.iter().all(|row| matches!(row.outcome, Outcome::Safe | Outcome::Unsafe)),
        solved: rows.iter().all(|row| history.is_solved(row)),
    }
}
