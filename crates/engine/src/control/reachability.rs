//! Reachability in the CFA: the locations to which edges lead from a place, whatever their conditions.

use crate::control::Control;
use crate::control::place::Place;
use beeline_ir::{Edge, FuncId, LocId, Program};
use cranelift_entity::{EntitySet, SecondaryMap};

/// The locations that are reachable from a place: in its function, in the functions called, and in those that
/// it returns to. No location after a call is reachable if none of its callees has a path to its exit.
pub(crate) fn reachable_locations(
    program: &Program,
    control: &dyn Control,
    place: Place,
) -> EntitySet<LocId> {
    let ending = ending(program);
    let mut found = EntitySet::new();
    let mut next = Some(place);
    while let Some(place) = next {
        let mut work = vec![place.loc];
        while let Some(loc) = work.pop() {
            if !found.insert(loc) {
                continue;
            }
            for edge in program.out_edges(loc).map(|edge| &program.edges[edge]) {
                work.extend(callees(edge).iter().map(|&callee| program.functions[callee].entry()));
                work.extend(goes_on(edge, &ending).then_some(edge.dst));
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

/// The functions that an edge may call.
fn callees(edge: &Edge) -> &[FuncId] {
    edge.op.as_call().map_or(&[], |call| call.callee.functions())
}

/// Whether a path goes on after an edge, if these functions have paths to their exits.
fn goes_on(edge: &Edge, ending: &EntitySet<FuncId>) -> bool {
    edge.op.as_call().is_none() || callees(edge).iter().any(|&callee| ending.contains(callee))
}

/// The functions with a path from their entry to their exit.
fn ending(program: &Program) -> EntitySet<FuncId> {
    let mut ending = EntitySet::new();
    // For each function, those that have no path until this one has.
    let mut waiting: SecondaryMap<FuncId, Vec<FuncId>> = SecondaryMap::new();
    let mut functions: Vec<FuncId> = program.functions.keys().collect();
    while let Some(func) = functions.pop() {
        if ending.contains(func) {
            continue;
        }
        let mut seen: EntitySet<LocId> = EntitySet::new();
        let mut work = vec![program.functions[func].entry()];
        while let Some(loc) = work.pop() {
            if !seen.insert(loc) {
                continue;
            }
            for edge in program.out_edges(loc).map(|edge| &program.edges[edge]) {
                if goes_on(edge, &ending) {
                    work.push(edge.dst);
                } else {
                    callees(edge).iter().for_each(|&callee| waiting[callee].push(func));
                }
            }
        }
        if seen.contains(program.functions[func].exit) {
            ending.insert(func);
            functions.append(&mut waiting[func]);
        }
    }
    ending
}
