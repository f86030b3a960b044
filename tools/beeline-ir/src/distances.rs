//! `beeline-ir dump --distances`: a `.dist` file next to its program.

use crate::failure::Failure;
use beeline_graph::{Annotation, Dist, Distances};
use beeline_ir::file::{self, Header};
use beeline_ir::text::print_op;
use beeline_ir::{FuncId, LocId, Program};
use std::io::Write;
use std::path::Path;

/// Reads distances and refuses those of another program.
pub(crate) fn read(
    path: &Path,
    program_name: &str,
    program: (&Header, &Program),
) -> Result<Annotation, Failure> {
    let file = file::read::<Annotation>(path)?;
    file::expect_upstream(&path.display().to_string(), &file.header, program_name, program.0)?;
    let locs = program.1.num_locs();
    if file.body.distances.iter().any(|distances| distances.num_locs() != locs) {
        return Err(Failure::Message(format!("{} does not have {locs} locations", path.display())));
    }
    Ok(file.body)
}

/// Prints each location with its distances, then the operations of its outgoing edges.
///
/// A column has the distance to the targets of each stage, then in parentheses that to the exit.
pub(crate) fn write(
    annotation: &Annotation,
    program: &Program,
    functions: &[FuncId],
    out: &mut impl Write,
) -> Result<(), Failure> {
    for &func in functions {
        let function = &program.functions[func];
        writeln!(out, "fn {}", function.name)?;
        let head = |distances: &Distances| format!("{:>14}", distances.metric().name());
        writeln!(out, "{}", annotation.distances.iter().map(head).collect::<String>())?;
        for loc in function.locations() {
            let columns: String = annotation
                .distances
                .iter()
                .map(|distances| format!("{:>14}", column(distances, loc)))
                .collect();
            write!(out, "{columns}  {}:", program.label(loc))?;
            let mut edges = program.out_edges(loc);
            match edges.next() {
                None => writeln!(out)?,
                Some(first) => {
                    for id in std::iter::once(first).chain(edges) {
                        let to = program.label(program.edges[id].dst);
                        let gap =
                            if id == first { 0 } else { columns.len() + 4 + program.label(loc).len() - 1 };
                        writeln!(out, "{:gap$} {} goto {to}", "", print_op(program, id))?;
                    }
                }
            }
        }
    }
    Ok(())
}

fn column(distances: &Distances, loc: LocId) -> String {
    let stages = 0..distances.targets().stages.len();
    let abs: Vec<String> = stages.map(|stage| distances.abs_dist(stage, loc).to_string()).collect();
    format!("{} ({})", abs.join(","), distances.exit_dist(loc))
}

/// The style of a location in Graphviz: its distances in the first metric, and the redder the nearer to a
/// target.
pub(crate) struct Colours<'a> {
    distances: &'a Distances,
    farthest: u64,
}

impl<'a> Colours<'a> {
    /// Colours by the first metric of an annotation.
    pub(crate) fn new(annotation: &'a Annotation, program: &Program) -> Option<Colours<'a>> {
        let distances = annotation.distances.first().filter(|first| !first.targets().stages.is_empty())?;
        let steps = program.locations().filter_map(|loc| distances.abs_dist(0, loc).steps());
        Some(Colours { distances, farthest: steps.max().unwrap_or(0) })
    }

    /// The second line of the label, and the colour.
    pub(crate) fn of(&self, loc: LocId) -> (String, String) {
        (column(self.distances, loc), self.colour(self.distances.abs_dist(0, loc)))
    }

    fn colour(&self, dist: Dist) -> String {
        // The saturation of red (hue 0) grows with nearness.
        match dist.steps() {
            None => "white".into(),
            Some(steps) => {
                format!("0.000 {:.3} 1.000", 1.0 - 0.85 * steps as f64 / self.farthest.max(1) as f64)
            }
        }
    }
}
