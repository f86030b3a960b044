//! The bodies of `.dist` and `.feat` files.

use crate::dist::Dist;
use crate::distances::{Distances, Estimate, Targets};
use crate::features::{Features, NAMES};
use crate::metric::Metric;
use beeline_ir::file::{Body, Decoder, Encoder, Kind, Version, Wire, WireError};
use beeline_ir::{FuncId, LocId, wire_struct};
use cranelift_entity::EntityRef;
use std::sync::Arc;

/// The distances of one program: the content of a `.dist` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// One for each metric, in the order of metrics; estimate and targets are the same in all.
    pub distances: Vec<Distances>,
}

impl Annotation {
    /// The distances in a metric, if they were measured.
    pub fn in_metric(&self, metric: Metric) -> Option<&Distances> {
        self.distances.iter().find(|distances| distances.metric == metric)
    }
}

/// An annotation in the form of files.
struct RawAnnotation {
    estimate: u8,
    stages: Vec<Vec<LocId>>,
    /// Number of locations of each function.
    locs: Vec<u32>,
    tables: Vec<RawTable>,
}
wire_struct!(RawAnnotation { estimate, stages, locs, tables });

/// The distances in one metric; each is written as [`Dist::to_code`] says.
struct RawTable {
    metric: u8,
    exit: Vec<u64>,
    abs: Vec<Vec<u64>>,
    through: Vec<u64>,
    /// For each call site in the order of edges.
    unresolved: Vec<Option<u64>>,
    resolved: Vec<Option<FuncId>>,
}
wire_struct!(RawTable { metric, exit, abs, through, unresolved, resolved });

fn codes(dists: &[Dist]) -> Vec<u64> {
    dists.iter().map(|dist| dist.to_code()).collect()
}

fn dists(codes: Vec<u64>, count: usize) -> Result<Vec<Dist>, WireError> {
    if codes.len() != count {
        return Err(WireError::new(format!("{} distances instead of {count}", codes.len())));
    }
    codes.into_iter().map(dist).collect()
}

fn dist(code: u64) -> Result<Dist, WireError> {
    Dist::from_code(code).ok_or_else(|| WireError::new("a distance is too large"))
}

impl Body for Annotation {
    const KIND: Kind = Kind::Dist;
    const VERSION: Version = Version { major: 1, minor: 0 };

    fn encode_body(&self, out: &mut Encoder) -> Result<(), WireError> {
        let Some(first) = self.distances.first() else {
            return Err(WireError::new("it has no metric"));
        };
        let same = |other: &Distances| {
            (other.estimate, &other.targets, &other.owner) == (first.estimate, &first.targets, &first.owner)
        };
        if !self.distances.iter().all(same) {
            return Err(WireError::new("its metrics are of different programs, estimates or targets"));
        }
        if !self.distances.windows(2).all(|pair| pair[0].metric < pair[1].metric) {
            return Err(WireError::new("its metrics are not sorted and unique"));
        }
        // Resolved calls of a search have no place in a file.
        let is_learned = |distances: &Distances| distances.resolved.iter().any(|seen| seen.len() > 1);
        if self.distances.iter().any(is_learned) {
            return Err(WireError::new("a call has several known callees"));
        }
        let mut locs = vec![0; first.through.len()];
        first.owner.iter().for_each(|func| locs[func.index()] += 1);
        let table = |distances: &Distances| RawTable {
            metric: distances.metric as u8,
            exit: codes(&distances.exit),
            abs: distances.abs.iter().map(|abs| codes(abs)).collect(),
            through: codes(&distances.through),
            unresolved: distances.unresolved.iter().map(|cost| cost.map(Dist::to_code)).collect(),
            resolved: distances.resolved.iter().map(|seen| seen.first().copied()).collect(),
        };
        let tables = self.distances.iter().map(table).collect();
        let stages = first.targets.stages.clone();
        RawAnnotation { estimate: first.estimate as u8, stages, locs, tables }.encode(out);
        Ok(())
    }

    fn decode_body(input: &mut Decoder<'_>, _: Version) -> Result<Self, WireError> {
        let raw = RawAnnotation::decode(input)?;
        let estimate = *Estimate::ALL
            .get(usize::from(raw.estimate))
            .ok_or_else(|| WireError::new(format!("unknown estimate tag {}", raw.estimate)))?;
        // The first table must hold a distance for each location that the file claims.
        let count: u64 = raw.locs.iter().map(|&count| u64::from(count)).sum();
        if raw.tables.first().is_none_or(|table| table.exit.len() as u64 != count) {
            return Err(WireError::new("its functions do not match its distances"));
        }
        let owner: Arc<[FuncId]> = (raw.locs.iter().enumerate())
            .flat_map(|(func, &count)| std::iter::repeat_n(FuncId::new(func), count as usize))
            .collect();
        if raw.stages.iter().flatten().any(|loc| loc.index() >= owner.len()) {
            return Err(WireError::new("a target does not exist"));
        }
        // Each table gets its own targets: a metric that could come again and again would let a small
        // file claim much memory.
        let ascending = raw.tables.windows(2).all(|pair| pair[0].metric < pair[1].metric);
        if !ascending {
            return Err(WireError::new("its metrics are not sorted and unique"));
        }
        let targets = Targets { stages: raw.stages };
        let tables = raw.tables.into_iter();
        let distances: Result<_, _> =
            tables.map(|table| table.into_distances(estimate, &targets, &owner, raw.locs.len())).collect();
        Ok(Annotation { distances: distances? })
    }
}

impl RawTable {
    fn into_distances(
        self,
        estimate: Estimate,
        targets: &Targets,
        owner: &Arc<[FuncId]>,
        functions: usize,
    ) -> Result<Distances, WireError> {
        let metric = *Metric::ALL
            .get(usize::from(self.metric))
            .ok_or_else(|| WireError::new(format!("unknown metric tag {}", self.metric)))?;
        let fits = self.abs.len() == targets.stages.len() && self.resolved.len() == self.unresolved.len();
        if !fits || self.resolved.iter().flatten().any(|func| func.index() >= functions) {
            return Err(WireError::new("the parts of a metric do not match"));
        }
        Ok(Distances {
            metric,
            estimate,
            targets: targets.clone(),
            exit: dists(self.exit, owner.len())?,
            abs: self.abs.into_iter().map(|abs| dists(abs, owner.len())).collect::<Result<_, _>>()?,
            through: dists(self.through, functions)?,
            owner: Arc::clone(owner),
            resolved: self.resolved.into_iter().map(|seen| seen.into_iter().collect()).collect(),
            unresolved: self
                .unresolved
                .into_iter()
                .map(|code| code.map(dist).transpose())
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Body for Features {
    const KIND: Kind = Kind::Feat;
    const VERSION: Version = Version { major: 1, minor: 0 };

    fn encode_body(&self, out: &mut Encoder) -> Result<(), WireError> {
        let named: Vec<(String, f64)> = self.iter().map(|(name, value)| (name.to_string(), value)).collect();
        named.encode(out);
        Ok(())
    }

    fn decode_body(input: &mut Decoder<'_>, _: Version) -> Result<Self, WireError> {
        let named = Vec::<(String, f64)>::decode(input)?;
        if !named.iter().map(|(name, _)| name.as_str()).eq(NAMES) {
            return Err(WireError::new("its features are not the 25 known ones"));
        }
        if named.iter().any(|(_, value)| !value.is_finite()) {
            return Err(WireError::new("the value of a feature is not a number"));
        }
        let values: Vec<f64> = named.into_iter().map(|(_, value)| value).collect();
        let values = values.try_into().map_err(|_| WireError::new("its features are not 25"))?;
        Ok(Features { values })
    }
}
