//! `beeline-ir dump` of measurements: `.dist` and `.feat` files.

use beeline_graph::{Annotation, Dist, Distances, Features};
use beeline_ir::LocId;
use beeline_run::names::Names;
use serde_json::{Map, Value as Json, json};

/// The distances of each location in each metric.
pub(crate) fn distances(annotation: &Annotation, names: &Names<'_>) -> Json {
    let Some(first) = annotation.distances.first() else { return json!({ "locations": [] }) };
    let stages = first.targets().stages.iter();
    let stages = stages.map(|stage| stage.iter().map(|&loc| names.location(loc)).collect::<Vec<_>>());
    let location = |loc: LocId| {
        let metrics = annotation.distances.iter();
        let metrics = metrics.map(|distances| (distances.metric().name().into(), of(distances, loc)));
        let mut row: Map<String, Json> = metrics.collect();
        row.insert("location".into(), json!(names.location(loc)));
        row
    };
    let locations = (0..first.num_locs() as u32).map(LocId::from_u32);
    json!({
        "estimate": first.estimate().name(),
        "targets": stages.collect::<Vec<_>>(),
        "locations": locations.map(location).collect::<Vec<_>>(),
    })
}

/// The distances to the targets of each stage and to the exit of the function; none is infinite.
fn of(distances: &Distances, loc: LocId) -> Json {
    let steps = |dist: Dist| json!(dist.steps());
    let stages = 0..distances.targets().stages.len();
    json!({
        "targets": stages.map(|stage| steps(distances.abs_dist(stage, loc))).collect::<Vec<_>>(),
        "exit": steps(distances.exit_dist(loc)),
    })
}

/// The features, by name.
pub(crate) fn features(features: &Features) -> Json {
    json!({ "features": features.iter().map(|(name, value)| (name.into(), json!(value))).collect::<Map<_, _>>() })
}
