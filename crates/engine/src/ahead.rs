//! Which locations edges lead to from a place, whatever their conditions.

use crate::control::Control;
use crate::place::Place;
use beeline_ir::{LocId, Program};
use cranelift_entity::EntitySet;

/// The locations that lie ahead of a place, in its function, in those called and in those that it returns to.
pub(crate) fn ahead(program: &Program, control: &dyn Control, place: Place) -> EntitySet<LocId> {
    let mut found = EntitySet::new();
    let mut next = Some(place);
    while let Some(place) = next {
        let mut work = vec![place.loc];
        while let Some(loc) = work.pop() {
            if !found.insert(loc) {
                continue;
            }
            for edge in program.out_edges(loc).map(|edge| &program.edges[edge]) {
                let callees = edge.op.as_call().map_or(&[][..], |call| call.callee.functions());
                work.extend(callees.iter().map(|&callee| program.functions[callee].entry()));
                work.push(edge.dst);
            }
        }
        let frame = control.frame(place.stack);
        let returns = found.contains(program.functions[frame.callee].exit);
        next = frame
            .caller
            .filter(|_| returns)
            .map(|(stack, call)| Place { loc: program.edges[call].dst, stack });
    }
    found
}
