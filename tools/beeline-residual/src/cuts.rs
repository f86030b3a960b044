//! Cuts: branch edges that lead to nothing open, everywhere or in copies of blocks, and functions that are
//! not entered any more.

use beeline_ir::{EdgeId, FuncId};
use beeline_llvm::cut::{Cuts, Group, Way};
use beeline_lower::{Lowered, Sides};
use beeline_module::Side;
use beeline_run::copies::{Copier, Next, States, Ways};
use beeline_run::open_edges::OpenEdges;
use beeline_run::walk::Walk;
use std::collections::{BTreeMap, BTreeSet};

/// The parts that no execution to an open target needs, with at most so many copies of what follows a branch
/// edge. A branch edge is kept if it is not known when it is taken.
pub(crate) fn of(lowered: &Lowered, walk: &Walk<'_>, most: usize) -> Cuts {
    let (open, known) = (OpenEdges::of(walk), lowered.sides.known());
    let is_open = |edges: &[EdgeId]| edges.iter().any(|edge| open.edges.contains(edge));
    let shown = known.iter().filter(|(_, edges)| !edges.is_empty() && !is_open(edges));
    let sides: Vec<Side> = shown.map(|(&side, _)| side).collect();
    let functions = functions(&lowered.sides, &open);
    let copies = match most {
        0 => BTreeMap::new(),
        _ => copies(lowered, walk, &known, &sides, most),
    };
    let copies = copies.into_iter().filter(|(function, _)| !functions.contains(function)).collect();
    Cuts { sides, functions, copies }
}

/// The functions that are not entered any more.
fn functions(sides: &Sides, open: &OpenEdges) -> Vec<u32> {
    let entered = |func| open.functions.contains(&func);
    sides.functions().filter(|&(_, func)| !entered(func)).map(|(number, _)| number).collect()
}

/// The groups of copies of each function with parts that are open on some paths only.
fn copies(
    lowered: &Lowered,
    walk: &Walk<'_>,
    known: &BTreeMap<Side, Vec<EdgeId>>,
    cut: &[Side],
    most: usize,
) -> BTreeMap<u32, Vec<Group>> {
    let mut uses: BTreeMap<EdgeId, usize> = BTreeMap::new();
    known.values().flatten().for_each(|&edge| *uses.entry(edge).or_default() += 1);
    let mut copier = Copier::new(walk);
    let mut found = BTreeMap::new();
    for (function, func) in alone(&lowered.sides) {
        let is_way = |(side, edges): &(&Side, &Vec<EdgeId>)| {
            let is_own = |edge: &EdgeId| {
                uses[edge] == 1 && lowered.program.function_of(lowered.program.edges[*edge].src) == func
            };
            side.function == function && !edges.is_empty() && edges.iter().all(is_own)
        };
        let (sides, edges): (Vec<Side>, Vec<&[EdgeId]>) =
            known.iter().filter(is_way).map(|(&side, edges)| (side, &edges[..])).unzip();
        let ways = Ways {
            of: edges
                .iter()
                .zip(0..)
                .flat_map(|(edges, way)| edges.iter().map(move |&edge| (edge, way)))
                .collect(),
            shown: (0..sides.len() as u32).filter(|&way| cut.contains(&sides[way as usize])).collect(),
        };
        let own_cuts: Vec<Side> = cut.iter().copied().filter(|side| side.function == function).collect();
        if let Some(states) = copier.states(func, &ways, most) {
            found.insert(function, groups(&states, &sides, &own_cuts));
        }
    }
    found
}

/// Functions of the module that stand for one of the program each, and that for no other one.
fn alone(sides: &Sides) -> Vec<(u32, FuncId)> {
    let all: BTreeSet<(u32, FuncId)> = sides.functions().collect();
    let is_alone = |&&(number, func): &&(u32, FuncId)| {
        all.iter().filter(|(other, of)| *other == number || *of == func).count() == 1
    };
    all.iter().filter(is_alone).copied().collect()
}

/// A group of copies for each state.
fn groups(states: &States, sides: &[Side], cut: &[Side]) -> Vec<Group> {
    let of_state = |next: &BTreeMap<u32, Next>| {
        let everywhere = cut.iter().map(|side| ((side.block, side.way), Way::End));
        let ways = sides.iter().zip(0..).map(|(side, way)| {
            let to = match next.get(&way) {
                None => Way::End,
                Some(Next::Shared) => Way::Original,
                Some(&Next::State(state)) => Way::Copy(state),
            };
            ((side.block, side.way), to)
        });
        everywhere.chain(ways).collect()
    };
    states.iter().map(of_state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_ir::{LocId, text};
    use beeline_llvm::import::{self, import};
    use beeline_lower::{Options, lower_traced};
    use beeline_run::parts::Remaining;
    use beeline_run::{Reason, RunCuts, RunFormula, RunOpen, RunProof, RunRest, RunStack, RunState};

    fn module(body: &str) -> Lowered {
        let text = format!("declare i32 @nondet_int()\ndeclare void @reach_error()\n{body}");
        let module = import(text.as_bytes(), "m.ll", &import::Options::default()).expect("it is a module");
        lower_traced(module, &Options::default()).expect("it is modelled")
    }

    /// The ends of edges that assume a condition.
    fn behind(lowered: &Lowered, condition: &str) -> LocId {
        let program = &lowered.program;
        let is = |&edge: &EdgeId| text::print_op(program, edge).ends_with(condition);
        let edge = program.edges.keys().find(is).unwrap_or_else(|| panic!("{}", text::print(program)));
        program.edges[edge].dst
    }

    /// The cuts where a search found that executions of `main` reach these locations, and everything is open
    /// after the first.
    fn cuts(lowered: &Lowered, met: &[LocId], most: usize) -> Cuts {
        let program = &lowered.program;
        let state = |loc, children| RunState {
            loc,
            stack: 0,
            values: vec![],
            formula: RunFormula::TRUE,
            children,
            covered_by: None,
        };
        let first = state(program.functions[program.entry].entry(), (1..=met.len() as u32).collect());
        let graph = RunProof {
            cuts: RunCuts::At(met.to_vec()),
            stacks: vec![RunStack { caller: None, callee: program.entry }],
            exprs: vec![],
            predicates: vec![],
            nodes: vec![],
            states: std::iter::once(first).chain(met.iter().map(|&loc| state(loc, vec![]))).collect(),
            ensures: vec![],
        };
        let targets: BTreeSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
        let open = vec![RunOpen { state: 1, reason: Reason::Time }];
        let rest = RunRest {
            targets: targets.iter().copied().collect(),
            graph,
            open,
            undefined: vec![],
            after: None,
        };
        of(lowered, &Walk::new(program, &[Remaining::whole(&rest)], &targets), most)
    }

    /// Two branches lead to a block that branches on a phi: each of its branch edges is taken after one of
    /// them.
    const JOINING: &str = "define i32 @main() {
         entry:
           %a = call i32 @nondet_int()
           %b = call i32 @nondet_int()
           %is = icmp eq i32 %a, 5
           br i1 %is, label %first, label %second
         first:
           %x = icmp eq i32 %b, 6
           br label %join
         second:
           %y = icmp eq i32 %b, 7
           br label %join
         join:
           %p = phi i1 [ %x, %first ], [ %y, %second ]
           br i1 %p, label %yes, label %no
         yes:
           call void @reach_error()
           ret i32 1
         no:
           ret i32 0
         }";

    #[test]
    fn a_side_that_is_open_on_one_way_stays() {
        let lowered = module(JOINING);
        let [first, second] = ["a == 5", "a != 5"].map(|condition| behind(&lowered, condition));
        for most in [0, 4] {
            let cuts = cuts(&lowered, &[first, second], most);
            let side = |block, way| Side { function: 2, block, way };
            // To the second block, and from the last one to where no target is.
            assert_eq!(cuts.sides, [side(0, 1), side(3, 1)], "{most}");
        }
    }
}
