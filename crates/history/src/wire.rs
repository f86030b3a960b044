//! The encoding of a history as the body of a `.hist` file.

use crate::{History, Program, Row};
use beeline_ir::file::{Body, Decoder, Encoder, Kind, Version, Wire, WireError};
use std::collections::BTreeSet;

impl Body for History {
    const KIND: Kind = Kind::Hist;
    const VERSION: Version = Version { major: 1, minor: 0 };

    fn encode_body(&self, out: &mut Encoder) -> Result<(), WireError> {
        self.well_formed().map_err(WireError::new)?;
        let History { features, settings, strategies, programs, rows } = self;
        features.encode(out);
        settings.encode(out);
        strategies.encode(out);
        programs.encode(out);
        rows.encode(out);
        Ok(())
    }

    fn decode_body(input: &mut Decoder<'_>, _: Version) -> Result<History, WireError> {
        let history = History {
            features: Wire::decode(input)?,
            settings: Wire::decode(input)?,
            strategies: Wire::decode(input)?,
            programs: Wire::decode(input)?,
            rows: Wire::decode(input)?,
        };
        history.well_formed().map_err(WireError::new)?;
        Ok(history)
    }
}

impl History {
    /// Reports references to missing parts, features that are not numbers, and names that are not unique.
    pub fn well_formed(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        if let Some(program) = self.programs.iter().find(|program| !names.insert(&program.name)) {
            return Err(format!("the program {} occurs twice", program.name));
        }
        let mut names = BTreeSet::new();
        if let Some(strategy) = self.strategies.iter().find(|strategy| !names.insert(&strategy.name)) {
            return Err(format!("the plan {} occurs twice", strategy.name));
        }
        self.programs.iter().try_for_each(|program| self.features_of(program))?;
        let missing = |row: &&Row| {
            row.program as usize >= self.programs.len()
                || row.strategy as usize >= self.strategies.len()
                || row.setting as usize >= self.settings.len()
        };
        match self.rows.iter().find(missing) {
            Some(_) => Err("a run names a program, a plan or a setting that does not exist".into()),
            None => Ok(()),
        }
    }

    fn features_of(&self, program: &Program) -> Result<(), String> {
        let Some(values) = &program.features else { return Ok(()) };
        if values.len() != self.features.len() {
            return Err(format!(
                "{} has {} features instead of {}",
                program.name,
                values.len(),
                self.features.len()
            ));
        }
        match values.iter().zip(&self.features).find(|(value, _)| !value.is_finite()) {
            Some((value, name)) => Err(format!("the feature {name} of {} is {value}", program.name)),
            None => Ok(()),
        }
    }
}
