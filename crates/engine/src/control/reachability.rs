//! Reachability in the CFA: the locations to which edges lead from a place, whatever their conditions.

use crate::control::Control;
use crate::control::place::Place;
use beeline_ir::{Edge, EdgeId, FuncId, LocId, Program};
use cranelift_entity::{EntitySet, SecondaryMap};
use rustc_hash::FxHashSet;

/// The locations that are reachable from a place: in its function, in the functions called, and in those that
/// it returns to. No location after a call is reachable if none of its callees has a path to its exit.
pub(crate) fn reachable_locations(
    program: &Program,
    control: &dyn Control,
    place: Place,
) -> EntitySet<LocId> {
    reachable_from_any(program, control, [place])
}

/// The locations that are reachable from one of several places.
pub(crate) fn reachable_from_any(
    program: &Program,
    control: &dyn Control,
    places: impl IntoIterator<Item = Place>,
) -> EntitySet<LocId> {
    let ending = ending(program);
    let mut found = EntitySet::new();
    let mut returned = FxHashSet::default();
    for place in places {
        let mut next = Some(place);
        while let Some(place) = next {
            follow(program, &ending, place.loc, &mut found);
            let frame = control.frame(place.stack);
            let returns =
                found.contains(program.functions[frame.callee].exit) && returned.insert(place.stack);
            let caller = frame.caller.filter(|_| returns);
            next = caller.map(|(stack, call)| Place { loc: program.edges[call].dst, stack });
        }
    }
    found
}

/// The locations that are reachable from one of several locations, whoever called their functions.
pub(crate) fn reachable_in_any_context(
    program: &Program,
    locs: impl IntoIterator<Item = LocId>,
) -> EntitySet<LocId> {
    let ending = ending(program);
    let mut found = EntitySet::new();
    locs.into_iter().for_each(|loc| follow(program, &ending, loc, &mut found));
    let mut returned: EntitySet<EdgeId> = EntitySet::new();
    loop {
        let returns =
            |edge: &Edge| callees(edge).iter().any(|&callee| found.contains(program.functions[callee].exit));
        let calls = program.edges.iter().filter(|(id, edge)| returns(edge) && !returned.contains(*id));
        let calls: Vec<EdgeId> = calls.map(|(id, _)| id).collect();
        if calls.is_empty() {
            return found;
        }
        for call in calls {
            returned.insert(call);
            follow(program, &ending, program.edges[call].dst, &mut found);
        }
    }
}

/// Adds the locations that are reachable from a location before its function returns.
fn follow(program: &Program, ending: &EntitySet<FuncId>, loc: LocId, found: &mut EntitySet<LocId>) {
    let mut work = vec![loc];
    while let Some(loc) = work.pop() {
        if !found.insert(loc) {
            continue;
        }
        for edge in program.out_edges(loc).map(|edge| &program.edges[edge]) {
            work.extend(callees(edge).iter().map(|&callee| program.functions[callee].entry()));
            work.extend(goes_on(edge, ending).then_some(edge.dst));
        }
    }
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
