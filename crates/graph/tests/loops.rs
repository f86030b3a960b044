//! Loops and their nesting on random graphs, against what defines them.

use beeline_graph::{Graph, Loops, Nesting, loop_heads};
use beeline_ir::{LocId, Op, Program, ProgramBuilder, text};
use fastrand::Rng;

fn random(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed);
    let mut builder = ProgramBuilder::new("", 64);
    let main = builder.function("main");
    let locs: Vec<LocId> = (0..rng.usize(2..12)).map(|_| builder.loc(main)).collect();
    let (&exit, inner) = locs.split_last().expect("there are locations");
    builder.set_exit(main, exit);
    for &src in inner {
        for _ in 0..rng.usize(1..4) {
            builder.edge(src, locs[rng.usize(..locs.len())], Op::Skip, None);
        }
    }
    builder.finish().expect("the program is valid")
}

/// Which locations can be reached from one over locations that are allowed.
fn reachable(program: &Program, from: LocId, allowed: impl Fn(LocId) -> bool) -> Vec<bool> {
    let mut reached = vec![false; program.num_locs()];
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        for edge in program.out_edges(at) {
            let to = program.edges[edge].dst;
            if allowed(to) && !std::mem::replace(&mut reached[to.as_u32() as usize], true) {
                waiting.push(to);
            }
        }
    }
    reached
}

#[test]
fn every_cycle_has_a_head_and_every_head_a_cycle() {
    for seed in 0..3000 {
        let program = random(seed);
        let loops = Loops::new(&program, program.entry);
        let heads = loop_heads(&program);
        for loc in program.locations() {
            assert_eq!(heads.contains(loc), loops.is_head(loc), "seed {seed}: {loc}");
            let back = reachable(&program, loc, |to| !loops.is_head(to));
            assert!(loops.is_head(loc) || !back[loc.as_u32() as usize], "seed {seed}: a cycle without head");
            if loops.is_head(loc) {
                let back = reachable(&program, loc, |_| true);
                assert!(back[loc.as_u32() as usize], "seed {seed}: {loc} is on no cycle");
            }
        }
    }
}

#[test]
fn what_is_in_a_loop_comes_back_to_its_head() {
    for seed in 0..3000 {
        let program = random(seed);
        let loops = Loops::new(&program, program.entry);
        for loc in program.locations() {
            for id in loops.around(loc) {
                let head = loops.get(id).head;
                let inside = |to: LocId| loops.around(to).any(|other| other == id);
                assert!(inside(head));
                let (there, back) = (reachable(&program, head, inside), reachable(&program, loc, inside));
                assert!(there[loc.as_u32() as usize], "seed {seed}: {loc} cannot be reached in its loop");
                assert!(back[head.as_u32() as usize], "seed {seed}: {loc} does not come back to {head}");
            }
        }
    }
}

#[test]
fn nesting_and_irreducible_loops() {
    let program = text::parse(
        "beeline 1.0
        fn main(c: bool) {
          outer: while c goto inner else left
          inner: while c goto body else outer
          body: skip goto inner
          left: if c goto a else b
          a: if c goto b else done
          b: skip goto a
          done: exit
        }",
    )
    .expect("a program");
    let loops = Loops::new(&program, program.entry);
    let at = |label: &str| program.locations().find(|&loc| program.label(loc) == label).expect("a label");
    let depths = ["outer", "inner", "body", "left", "a", "b", "done"].map(|label| loops.depth(at(label)));
    assert_eq!(depths, [1, 2, 2, 0, 1, 1, 0]);
    let irreducible: Vec<bool> = loops.iter().map(|(_, found)| found.irreducible).collect();
    assert_eq!(irreducible.iter().filter(|&&found| found).count(), 1);
    assert!(!Graph::new(&program).is_recursive(program.entry));
}

/// The nesting is that of strongly connected parts: without its head, a loop falls apart into the loops
/// right inside it and locations on no cycle.
#[test]
fn loops_are_the_connected_parts_without_the_heads_around() {
    let mut irreducible = 0;
    for seed in 0..3000 {
        let program = random(seed);
        let loops = Loops::new(&program, program.entry);
        irreducible += loops.iter().filter(|(_, found)| found.irreducible).count();
        let parents = loops.iter().map(|(id, _)| Some(id)).chain([None]);
        for parent in parents {
            // The parent's locations but its head; all locations where there is no parent.
            let within = |loc: LocId| {
                parent
                    .is_none_or(|id| loops.get(id).head != loc && loops.around(loc).any(|other| other == id))
            };
            let child = |loc: LocId| loops.around(loc).find(|&id| loops.get(id).parent == parent);
            for one in program.locations().filter(|&loc| within(loc)) {
                let there = reachable(&program, one, within);
                for other in program.locations().filter(|&loc| within(loc)) {
                    let cycle = there[other.as_u32() as usize]
                        && reachable(&program, other, within)[one.as_u32() as usize];
                    let together = child(one).is_some() && child(one) == child(other);
                    assert_eq!(cycle, together, "seed {seed}: {one} and {other} in {parent:?}");
                }
            }
        }
    }
    assert!(irreducible > 500, "too few irreducible loops: {irreducible}");
}

/// What unrolling rests on: its counts cannot grow otherwise than by coming back to a head.
#[test]
fn in_a_nesting_edges_lead_forward_or_back_to_a_head_around() {
    for seed in 0..3000 {
        let program = random(seed);
        let nesting = Nesting::new(&program);
        for edge in program.edges.values() {
            let (src, dst) = (edge.src, edge.dst);
            let back = nesting.is_head(dst) && nesting.heads(src).contains(&dst);
            let forward = nesting.position(src) < nesting.position(dst);
            assert_ne!(back, forward, "seed {seed}: {src} to {dst}");
        }
    }
}

#[test]
fn in_a_nesting_a_loop_is_a_range_that_begins_with_its_head() {
    for seed in 0..3000 {
        let program = random(seed);
        let nesting = Nesting::new(&program);
        for head in program.locations().filter(|&loc| nesting.is_head(loc)) {
            let inside = |loc: &LocId| nesting.heads(*loc).contains(&head);
            let mut positions: Vec<u32> =
                program.locations().filter(inside).map(|loc| nesting.position(loc)).collect();
            positions.sort_unstable();
            let range: Vec<u32> = (nesting.position(head)..).take(positions.len()).collect();
            assert_eq!(positions, range, "seed {seed}: the loop of {head}");
            // A loop is what its name says.
            for loc in program.locations().filter(inside) {
                let back = reachable(&program, loc, |to| inside(&to));
                assert!(back[head.as_u32() as usize], "seed {seed}: {loc} does not come back to {head}");
            }
        }
    }
}
