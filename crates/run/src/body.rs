//! The encoding of a result as the body of a file.

use crate::callees::RunCallees;
use crate::precision::RunPrecision;
use crate::result::{Run, RunTarget, RunVerdict, TargetVerdict};
use crate::{parts, resting, version3};
use beeline_ir::file::{Body, Decoder, Encoder, Kind, Version, Wire, WireError};

impl Body for Run {
    const KIND: Kind = Kind::Run;
    const VERSION: Version = Version { major: 9, minor: 0 };
    const OLDEST: u16 = version3::MAJOR;

    fn encode_body(&self, out: &mut Encoder) -> Result<(), WireError> {
        let Run {
            verdict,
            targets,
            paths,
            proofs,
            statistics,
            undefined,
            rests,
            resting,
            parts,
            precision,
            callees,
            broken,
        } = self;
        verdict.encode(out);
        targets.encode(out);
        paths.encode(out);
        proofs.encode(out);
        statistics.encode(out);
        undefined.encode(out);
        rests.encode(out);
        resting.encode(out);
        parts.encode(out);
        precision.encode(out);
        callees.encode(out);
        broken.encode(out);
        Ok(())
    }

    fn decode_body(input: &mut Decoder<'_>, version: Version) -> Result<Run, WireError> {
        if version.major == version3::MAJOR {
            return version3::decode(input);
        }
        let mut run = Run {
            verdict: Wire::decode(input)?,
            targets: Wire::decode(input)?,
            paths: Wire::decode(input)?,
            proofs: Wire::decode(input)?,
            statistics: Wire::decode(input)?,
            undefined: Wire::decode(input)?,
            rests: Vec::new(),
            resting: Vec::new(),
            parts: Vec::new(),
            precision: None,
            callees: Vec::new(),
            broken: Vec::new(),
        };
        if (version.major, version.minor) >= (5, 1) {
            run.rests = Wire::decode(input)?;
            run.resting = Wire::decode(input)?;
        }
        if (version.major, version.minor) >= (6, 0) {
            run.parts = Wire::decode(input)?;
        }
        if (version.major, version.minor) >= (8, 1) {
            run.precision = Wire::decode(input)?;
        }
        if (version.major, version.minor) >= (8, 2) {
            run.callees = Wire::decode(input)?;
        }
        if (version.major, version.minor) >= (8, 3) {
            run.broken = Wire::decode(input)?;
        }
        run.well_formed().map_err(WireError::new)?;
        Ok(run)
    }
}

impl Run {
    /// Reports references of verdicts to missing parts, and contradictions between verdicts. A decoded result
    /// has no such fault.
    pub fn well_formed(&self) -> Result<(), String> {
        if !self.targets.is_sorted_by(|a, b| a.loc < b.loc) {
            return Err("the targets are not sorted by location".into());
        }
        for RunTarget { loc, verdict } in &self.targets {
            let (path, proof) = match verdict {
                TargetVerdict::Safe { proof } => (None, Some(*proof)),
                TargetVerdict::Unsafe { path } => (Some(*path), None),
                TargetVerdict::Unknown { path, .. } => (*path, None),
                TargetVerdict::Open | TargetVerdict::NotAsked => (None, None),
            };
            if path.is_some_and(|path| self.paths.get(path as usize).is_none_or(|path| path.target != *loc)) {
                return Err(format!("the path to the target at {} is missing", loc.as_u32()));
            }
            if proof.is_some_and(|proof| proof as usize >= self.proofs.len()) {
                return Err(format!("the proof for the target at {} is missing", loc.as_u32()));
            }
        }
        let is_safe = |target: &RunTarget| matches!(target.verdict, TargetVerdict::Safe { .. });
        let is_unsafe = |target: &RunTarget| matches!(target.verdict, TargetVerdict::Unsafe { .. });
        let is_not_asked = |target: &RunTarget| target.verdict == TargetVerdict::NotAsked;
        let agree = match self.verdict {
            RunVerdict::Safe => self.targets.iter().all(|target| is_safe(target) || is_not_asked(target)),
            RunVerdict::Unsafe => self.targets.iter().any(is_unsafe),
            RunVerdict::Unknown(_) => !self.targets.iter().any(is_unsafe),
        };
        if !agree {
            return Err("the verdicts of the targets contradict the verdict of the program".into());
        }
        if !self.parts.is_empty() && self.verdict == RunVerdict::Safe {
            return Err("it covers a part of the executions, but its verdict is safe".into());
        }
        parts::well_formed(&self.parts)?;
        self.precision.iter().try_for_each(RunPrecision::well_formed)?;
        RunCallees::well_formed(&self.callees)?;
        resting::well_formed(self)
    }
}
