//! Loops as functions: a program that does the same, in which each loop that is entered only at its head is a
//! function of its own, called where the loop was entered.
//!
//! What explores functions on their own and summarises calls of them does the same with loops then. The values that a
//! loop may read come as parameters. Where it is left, what it wrote and what may be read there is handed back: in
//! globals that only this is for, which the caller takes and resets at once, so that nothing tells later calls apart.
//! Of several ways out the result says which one was taken; of a single one the result is the first value.
//!
//! The steps that are added have no place in the source. Functions that only fill or copy a range ([`Range`]) stay as
//! they are, since they are known by their shape.
//!
//! `units` finds which locations make a function, what it is given and how it is left; `parts` puts the functions
//! together.

mod liveness;
mod names;
mod parts;
mod units;

use beeline_ir::{EdgeId, Fault, LocId, Program, ProgramBuilder, Range};
use cranelift_entity::SecondaryMap;
use names::Names;
use parts::Parts;
use units::Units;

/// The program with its loops as functions. Functions that it had keep their ids, all else gets new ones.
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

/// The program that is made.
struct Outlined<'p> {
    /// The one that there was.
    program: &'p Program,
    builder: ProgramBuilder,
    names: Names,
    /// Where each location of it is now, and each edge.
    locs: SecondaryMap<LocId, Option<LocId>>,
    edges: SecondaryMap<EdgeId, Option<EdgeId>>,
}

impl<'p> Outlined<'p> {
    /// The same declarations, and the same functions without what they do.
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

    /// Where a location is now, of a function whose locations were added.
    fn moved(&self, loc: LocId) -> LocId {
        self.locs[loc].expect("the locations of a function are added before what leads there")
    }

    /// Adds what is said of locations and edges, and puts all in order.
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
