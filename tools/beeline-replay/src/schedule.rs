//! The schedule of the threads of a counterexample.

use beeline_ir::{Does, EdgeId, Program, Target, Turn};
use beeline_run::{RunPath, RunStep};
use std::collections::BTreeSet;

/// The numbers of what is no scheduling point of the program, for the runtime.
const STARTS: i32 = -1;
const YIELDS: i32 = -2;

/// The schedule, and the data that native programs need to keep it.
#[derive(Debug, Default, Clone)]
pub(crate) struct Schedule {
    /// The scheduling points, each with the thread that passes it.
    pub turns: Vec<(u32, i32)>,
    /// The numbers of threads, in the order in which they are created.
    pub created: Vec<u32>,
    /// Two threads that race at the end; 0 and 0 where all threads wait.
    pub end: Option<(u32, u32)>,
}

/// Scheduling points: function, and how many accesses and calls stand before.
pub(crate) type Points = Vec<(String, u32)>;

/// The points of a program, each once, in order.
pub(crate) fn points(program: &Program) -> Points {
    let mut points: Points = program
        .labels
        .values()
        .filter_map(|label| match Turn::of_label(label)?.does {
            Does::Passes { function, ordinal } => Some((function, ordinal)),
            _ => None,
        })
        .collect();
    points.sort();
    points.dedup();
    points
}

impl Schedule {
    /// The schedule of a counterexample.
    pub(crate) fn of(program: &Program, path: &RunPath) -> Schedule {
        let points = points(program);
        let mut schedule = Schedule::default();
        for Turn { thread, does } in turns(program, path) {
            let point = match does {
                Does::Starts(_) => STARTS,
                Does::Yields => YIELDS,
                Does::Races(other) => {
                    schedule.end = Some(if other == 0 { (0, 0) } else { (thread, other) });
                    continue;
                }
                Does::Creates(other) => {
                    schedule.created.push(other);
                    continue;
                }
                // Points that the lowering added do not exist natively.
                Does::Passes { ordinal: beeline_lower::NOWHERE, .. } => continue,
                Does::Passes { function, ordinal } => {
                    points.binary_search(&(function, ordinal)).map_or(STARTS, |number| number as i32)
                }
            };
            schedule.turns.push((thread, point));
        }
        schedule
    }
}

/// Whether a target is an event between threads, such as a race, not a place in the program.
pub(crate) fn is_of_threads(target: &Target) -> bool {
    ["no-data-race", "no-deadlock"].contains(&target.property.as_str())
}

/// Whether a path leads to where the lowering does not follow threads, so that no native run can follow it.
pub(crate) fn leads_beyond(program: &Program, path: &RunPath) -> bool {
    let ends =
        program.assumptions.iter().filter(|known| known.kind == "threads").filter_map(|known| known.edge);
    let ends: BTreeSet<EdgeId> = ends.collect();
    path.steps.iter().any(|step| matches!(step, RunStep::Edge(edge) if ends.contains(edge)))
}

/// The scheduling steps on a path.
fn turns(program: &Program, path: &RunPath) -> impl Iterator<Item = Turn> {
    path.steps.iter().filter_map(|step| match step {
        RunStep::Edge(edge) | RunStep::Return(edge) => {
            Turn::of_label(program.labels.get(&program.edges[*edge].dst)?)
        }
        RunStep::Call(..) => None,
    })
}
