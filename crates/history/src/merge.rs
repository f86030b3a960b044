//! Merging of histories.

use crate::{History, Program, Setting, Strategy};

/// The reason why histories cannot be merged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// One history has other features.
    #[error("it has features of another version: {0}")]
    Features(String),
    /// A name stands for two programs.
    #[error("the program {0} differs there in features, family or verdict")]
    Program(String),
    /// A name stands for two plans.
    #[error("the plan {0} differs there")]
    Strategy(String),
    /// Times of different settings cannot be compared.
    #[error("its runs cannot be compared with the others: {0} differs; --mixed merges them anyway")]
    Setting(&'static str),
    /// A run occurs twice with different outcomes.
    #[error("it repeats the run of {plan} on {program} with another result")]
    Row {
        /// The program.
        program: String,
        /// The plan.
        plan: String,
    },
}

impl History {
    /// A history without runs.
    pub fn new(features: impl IntoIterator<Item = impl Into<String>>) -> History {
        History { features: features.into_iter().map(Into::into).collect(), ..History::default() }
    }

    /// The index of a program, which is added if it is new.
    pub fn add_program(&mut self, program: Program) -> Result<u32, MergeError> {
        match self.programs.iter().position(|known| known.name == program.name) {
            Some(index) if self.programs[index] == program => Ok(index as u32),
            Some(_) => Err(MergeError::Program(program.name)),
            None => {
                self.programs.push(program);
                Ok(self.programs.len() as u32 - 1)
            }
        }
    }

    /// The index of a plan, which is added if it is new.
    pub fn add_strategy(&mut self, strategy: Strategy) -> Result<u32, MergeError> {
        match self.strategies.iter().position(|known| known.name == strategy.name) {
            Some(index) if self.strategies[index] == strategy => Ok(index as u32),
            Some(_) => Err(MergeError::Strategy(strategy.name)),
            None => {
                self.strategies.push(strategy);
                Ok(self.strategies.len() as u32 - 1)
            }
        }
    }

    /// The index of circumstances, which are added if they are new.
    pub fn add_setting(&mut self, setting: Setting) -> u32 {
        let known = self.settings.iter().position(|known| *known == setting);
        known.unwrap_or_else(|| {
            self.settings.push(setting);
            self.settings.len() - 1
        }) as u32
    }

    /// Takes over the runs of another history; a run in both counts once. After an error, nothing is taken
    /// over.
    pub fn merge(&mut self, other: &History, mixed: bool) -> Result<(), MergeError> {
        if self.features != other.features {
            return Err(MergeError::Features(other.features.join(", ")));
        }
        if !mixed && let Some(own) = self.settings.first() {
            let differs = other.settings.iter().find_map(|setting| own.difference(setting));
            if let Some(what) = differs {
                return Err(MergeError::Setting(what));
            }
        }
        let mut merged = self.clone();
        for row in &other.rows {
            let mut row = row.clone();
            row.program = merged.add_program(other.programs[row.program as usize].clone())?;
            row.strategy = merged.add_strategy(other.strategies[row.strategy as usize].clone())?;
            row.setting = merged.add_setting(other.settings[row.setting as usize].clone());
            let key = |row: &crate::Row| (row.program, row.strategy, row.setting, row.repetition);
            match merged.rows.iter().find(|known| key(known) == key(&row)) {
                None => merged.rows.push(row),
                Some(known) if *known == row => {}
                Some(_) => {
                    let program = merged.programs[row.program as usize].name.clone();
                    let plan = merged.strategies[row.strategy as usize].name.clone();
                    return Err(MergeError::Row { program, plan });
                }
            }
        }
        *self = merged;
        Ok(())
    }
}

impl Setting {
    /// The part that differs from other circumstances, if there is one.
    pub fn difference(&self, other: &Setting) -> Option<&'static str> {
        [
            (self.machine != other.machine, "the machine"),
            (self.version != other.version, "the version of Beeline"),
            (self.measured_by != other.measured_by, "who measured"),
            (self.cpu_limit != other.cpu_limit, "the limit on time"),
            (self.memory_limit != other.memory_limit, "the limit on memory"),
        ]
        .into_iter()
        .find_map(|(differs, what)| differs.then_some(what))
    }
}
