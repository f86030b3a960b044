//! Results in version 3 of `.run` files: one verdict for all targets, with its reason as text.

use crate::proof::RunProof;
use crate::reason::Reason;
use crate::result::{Certificate, Run, RunPath, RunTarget, RunVerdict, TargetVerdict};
use crate::statistics::{Figure, Statistic, Unit};
use beeline_ir::EdgeId;
use beeline_ir::file::{Decoder, Wire, WireError};

/// The major version.
pub(crate) const MAJOR: u16 = 3;

enum Verdict {
    Safe,
    Unsafe,
    Unknown(String),
}
beeline_ir::wire_enum!(Verdict { 0 => Safe, 1 => Unsafe, 2 => Unknown(reason) });

struct Body {
    verdict: Verdict,
    path: Option<RunPath>,
    proof: Option<RunProof>,
    statistics: Vec<(String, u64)>,
    undefined: Vec<EdgeId>,
}
beeline_ir::wire_struct!(Body { verdict, path, proof, statistics, undefined });

/// Reads a result. The target at the end of its path is the only one that it lists.
pub(crate) fn decode(input: &mut Decoder<'_>) -> Result<Run, WireError> {
    let Body { verdict, path, proof, statistics, undefined } = Wire::decode(input)?;
    let verdict = match verdict {
        Verdict::Safe => RunVerdict::Safe,
        Verdict::Unsafe => RunVerdict::Unsafe,
        Verdict::Unknown(text) => RunVerdict::Unknown(Reason::Told(text)),
    };
    let of_path = match &verdict {
        RunVerdict::Unknown(reason) => TargetVerdict::Unknown { reason: reason.clone(), path: Some(0) },
        RunVerdict::Safe | RunVerdict::Unsafe => TargetVerdict::Unsafe { path: 0 },
    };
    let hit = path.iter().map(|path| RunTarget { loc: path.target, verdict: of_path.clone() });
    Ok(Run {
        targets: hit.collect(),
        verdict,
        paths: path.into_iter().collect(),
        proofs: proof.into_iter().map(Certificate::Graph).collect(),
        statistics: statistics.into_iter().map(figure).collect(),
        undefined,
        rests: Vec::new(),
        resting: Vec::new(),
        parts: Vec::new(),
        precision: None,
        callees: Vec::new(),
        broken: Vec::new(),
    })
}

/// Version 3 has no units: names determine them.
fn figure((name, value): (String, u64)) -> Figure {
    let unit = Statistic::named(&name).map_or(Unit::Count, Statistic::unit);
    Figure { name, unit, value }
}
