//! Loop outlining: an equivalent program in which each loop that is entered only at its head is a function of its own,
//! called where the loop was entered.
//!
//! So an engine that explores functions on their own and summarises calls of them does the same with loops. The values
//! that a loop may read are its parameters. On an exit of the loop, the variables that it wrote and that may be read
//! there are returned: in globals that have no other use, which the caller reads and resets at once, so that they do
//! not distinguish later calls. If the loop has several exits, the function's result is the number of the one that was
//! taken; with a single one the result is the first value.
//!
//! The added steps have no place in the source. Functions that only fill or copy a range ([`Range`]) stay as they are,
//! since they are recognised by their shape.
//!
//! `units` finds which locations form a function, its parameters and its exits; `parts` builds the functions.

mod names;
mod parts;
mod units;

use beeline_ir::{EdgeId, Fault, LocId, Program, ProgramBuilder, Range};
use cranelift_entity::SecondaryMap;
use names::Names;
use parts::Parts;
use units::Units;

/// The program with its loops as functions. Functions of the original program keep their ids, everything else gets new
/// ones.
pub fn loops_as_functions(program: &Program) -> Result<Program, Vec<Fault>> {
    let incoming = program.in_edges();
    let mut outlined = Outlined::begin(program);
    for func in program.functions.keys() {
        let units = match Range::of(program, func) {
            Some(_) => Units::none(program, func),
            None => Units::new(program, func, &incoming),
        };
        Parts::declare(&mut outlined, func, &units).fill(&mut outlined);
    }
    outlined.finish()
}

/// The program under construction.
struct Outlined<'p> {
    /// The original program.
    program: &'p Program,
    builder: ProgramBuilder,
    names: Names,
    /// The new id of each of its locations, and of each edge.
    locs: SecondaryMap<LocId, Option<LocId>>,
    edges: SecondaryMap<EdgeId, Option<EdgeId>>,
}

impl<'p> Outlined<'p> {
    /// Copies the declarations, and the functions without their edges.
    fn begin(program: &'p Program) -> Outlined<'p> {
        let mut builder = ProgramBuilder::new(&program.name, program.pointer_width);
        let begun = builder.program_mut();
        begun.big_endian = program.big_endian;
        begun.files = program.files.clone();
        begun.inputs = program.inputs.clone();
        begun.exprs = program.exprs.clone();
        begun.vars = program.vars.clone();
        begun.regions = program.regions.clone();
        begun.cells = program.cells.clone();
        for function in program.functions.values() {
            let func = builder.function(&function.name);
            let copy = builder.function_mut(func);
            (copy.params, copy.ret) = (function.params.clone(), function.ret);
            (copy.addr, copy.file) = (function.addr, function.file);
        }
        builder.set_entry(program.entry);
        let (locs, edges) = (SecondaryMap::new(), SecondaryMap::new());
        Outlined { program, builder, names: Names::new(program), locs, edges }
    }

    /// The new id of a location, in a function whose locations were added.
    fn moved(&self, loc: LocId) -> LocId {
        self.locs[loc].expect("the locations of a function are added before what leads there")
    }

    /// Adds the notes on locations and edges, and puts everything in order.
    fn finish(mut self) -> Result<Program, Vec<Fault>> {
        for target in &self.program.targets {
            let loc = self.moved(target.loc);
            self.builder.target(loc, &target.property, &target.name, target.span);
        }
        // Another location may have such a name by its number now.
        let is_numbered = |label: &str| {
            label.strip_prefix('L').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        };
        for (&loc, label) in self.program.labels.iter().filter(|(_, label)| !is_numbered(label)) {
            let loc = self.moved(loc);
            self.builder.set_label(loc, label);
        }
        for assumption in &self.program.assumptions {
            let mut assumption = assumption.clone();
            assumption.edge = assumption.edge.and_then(|edge| self.edges[edge]);
            self.builder.assumption(assumption);
        }
        self.builder.finish()
    }
}
