//! The order of exploration, and what distances may prune.

use beeline_engine::control::Control;
use beeline_engine::control::call_strings::CallStrings;
use beeline_engine::outcome::run::callees_of;
use beeline_engine::search::waitlist::Waitlist;
use beeline_engine::{
    BlockOperator, Distances, Domain, Metric, Monitor, Options, Order, Seen, TieBreak, Unfit, verify,
};
use beeline_graph::{Estimate, Graph, Targets};
use beeline_ir::text::parse;
use beeline_ir::{EdgeId, LocId, Program};
use cranelift_entity::EntityRef;

/// Two calls of `f`, with the target after the second one.
const CALLS: &str = "beeline 1.0
fn f() {
  first: skip
  last: exit
}
fn main() {
  var x: i32
  L1: x := input \"n\"
  L2: if x == 0 goto L3 else L8
  L3: call f()
  L4: skip
  L5: skip goto L12
  L8: call f()
  L9: if x == 7 goto bad else L12
  bad: target \"bad\"
  L12: exit
}
";

fn parsed(text: &str) -> Program {
    parse(text).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn loc(program: &Program, function: &str, label: &str) -> LocId {
    let function = &program.functions[program.function_named(function).expect("it exists")];
    function.locations().find(|&loc| program.label(loc) == label).expect("it exists")
}

#[test]
fn the_distance_of_a_place_depends_on_who_called() {
    let program = parsed(CALLS);
    let mut stacks = CallStrings::new(&program);
    let mut distances = Distances::new(&program, Metric::Statements);
    let start = stacks.start(&program);
    let mut called = Vec::new();
    for label in ["L3", "L8"] {
        let from = beeline_engine::control::place::Place { loc: loc(&program, "main", label), ..start };
        let (_, inside) = stacks.steps(&program, from)[0];
        called.push(distances.of(&stacks, inside));
    }
    // Input, branch, through f (one statement), branch.
    assert_eq!(distances.of(&stacks, start), Some(4));
    assert_eq!(called, [None, Some(2)]);
}

#[test]
fn distances_to_some_targets_do_not_hide_the_others() {
    // The target comes after a loop from which the measured place cannot be reached.
    let program = parsed(
        "beeline 1.0
        fn main() {
          var x: i32
          x := input \"n\"
          if x == 0 goto here else head
          here: exit
          head: while x <s 100 goto body else bad
          body: x := x + 50 goto head
          bad: target \"bad\"
        }",
    );
    let targets = Targets::sequence([loc(&program, "main", "here")]);
    let graph = Graph::new(&program);
    let given = beeline_graph::Distances::new(&graph, Metric::Statements, Estimate::Efca, targets);
    let mut distances = Distances::given(&program, given, None).expect("they are of this program");
    let (verdict, _) = verify(&program, &Options::default(), &mut distances, &Monitor::default());
    assert!(verdict.is_unsafe(), "{verdict:?}");
}

#[test]
fn distances_that_cannot_guide_are_refused() {
    let program = parsed(CALLS);
    let other = parsed("beeline 1.0\nfn main() {\n a: skip\n b: exit\n}");
    let graph = Graph::new(&program);
    let measured =
        |targets| beeline_graph::Distances::new(&graph, Metric::Statements, Estimate::Efca, targets);
    let all = measured(Targets::all(&program));
    assert_eq!(Distances::given(&other, all, None).err(), Some(Unfit::Foreign));
    let nowhere = measured(Targets { stages: Vec::new() });
    assert_eq!(Distances::given(&program, nowhere, None).err(), Some(Unfit::Nowhere));
}

/// A call through a pointer. The near path leads to a function that does not return, a far one to the target.
const POINTER: &str = "beeline 1.0
entry main
global to: i64
fn ends() at 16 {
  S1: skip goto S1
  S2: exit
}
fn goes() at 32 {
  G1: skip
  G2: exit
}
fn main() {
  var x: i64
  x := input \"x\"
  if x == 0 goto near else far
  near: to := 16 goto calls
  far: skip
  F1: skip
  F2: to := 32
  F3: skip
  calls: call (to)() among ends, goes
  bad: target \"bad\"
  end: exit
}
";

/// Options of a search by values, with a state for each location.
fn step_by_step() -> Options {
    Options { domain: Domain::Values, blocks: BlockOperator::Single, ..Options::default() }
}

#[test]
fn what_is_learned_of_callees_hides_no_target() {
    let program = parsed(POINTER);
    for estimate in Estimate::ALL {
        let mut distances = Distances::estimated(&program, Metric::Statements, estimate);
        let (verdict, statistics) = verify(&program, &step_by_step(), &mut distances, &Monitor::default());
        assert!(verdict.is_unsafe(), "{}: {verdict:?}", estimate.name());
        let is_learned = statistics.resolutions > 0 && statistics.recomputations > 0;
        assert_eq!(is_learned, estimate == Estimate::Pfsm);
    }
}

#[test]
fn what_earlier_searches_saw_comes_first_and_hides_nothing() {
    let program = parsed(POINTER);
    let calls = program.out_edges(loc(&program, "main", "calls")).next().expect("it calls");
    let function = |name| program.function_named(name).expect("it exists");
    let (ends, goes) = (function("ends"), function("goes"));
    let searched = |before: &Seen, estimate| {
        let mut distances = Distances::estimated(&program, Metric::Statements, estimate);
        distances.begin_with(before);
        let (verdict, statistics) = verify(&program, &step_by_step(), &mut distances, &Monitor::default());
        assert!(verdict.is_unsafe(), "{before:?}: {verdict:?}");
        (distances.seen(), statistics)
    };
    for estimate in Estimate::ALL {
        let (seen, statistics) = searched(&Seen::new(), estimate);
        assert!(seen.keys().eq([&calls]) && seen[&calls].contains(&goes), "{seen:?}");
        let (again, known) = searched(&seen, estimate);
        let (is_pfsm, callees) = (estimate == Estimate::Pfsm, seen[&calls].len() as u64);
        assert!(if is_pfsm { statistics.resolutions >= callees } else { statistics.resolutions == 0 });
        assert_eq!((known.resolutions, again), (0, seen));
        // A callee that does not return; and an edge that is no call.
        searched(&Seen::from([(calls, [ends].into())]), estimate);
        let foreign = Seen::from([(EdgeId::from_u32(999), [goes].into()), (calls, [program.entry].into())]);
        let (seen, _) = searched(&foreign, estimate);
        assert!(callees_of(&program, &seen).iter().map(|call| call.edge).eq([calls]));
    }
}

#[test]
fn a_search_follows_its_stages() {
    // The target needs twelve iterations, of which only those through `key` count; the others are nearer.
    let program = parsed(
        "beeline 1.0
        fn main() {
          var x: i32
          var keys: i32
          var iterations: i32
          keys := 0
          iterations := 0
          head: if iterations == 12 goto last else ask
          ask: x := input \"n\"
          if x == 7 goto long else short
          short: iterations := iterations + 1 goto head
          long: skip
          key: keys := keys + 1
          iterations := iterations + 1 goto head
          last: if keys == 12 goto bad else end
          bad: target \"bad\"
          end: exit
        }",
    );
    let graph = Graph::new(&program);
    let label = |label| loc(&program, "main", label);
    let states = |places: Vec<LocId>| {
        let targets = Targets::sequence(places);
        let given = beeline_graph::Distances::new(&graph, Metric::Statements, Estimate::Efca, targets);
        let mut distances = Distances::given(&program, given, None).expect("they are of this program");
        let (verdict, statistics) = verify(&program, &step_by_step(), &mut distances, &Monitor::default());
        assert!(verdict.is_unsafe(), "{verdict:?}");
        statistics.states
    };
    let straight = states(vec![label("bad")]);
    let guided = states([vec![label("key"); 12], vec![label("bad")]].concat());
    assert!(guided * 2 < straight, "{guided} of {straight}");
    // A stage that no execution passes only changes the order.
    states(vec![label("end"), label("bad")]);
}

/// The order in which states at some labels of `main`, each with a distance, are taken; `!` is a target.
fn taken(order: Order, pushed: &[(&str, u64)]) -> Vec<usize> {
    let program = parsed(CALLS);
    let stacks = CallStrings::new(&program);
    let mut waitlist = Waitlist::new(order, &program);
    for (index, &(label, distance)) in pushed.iter().enumerate() {
        let node = beeline_engine::state::arg::NodeId::new(index);
        match label {
            "!" => waitlist.push_target(node),
            _ => {
                let place = beeline_engine::control::place::Place {
                    loc: loc(&program, "main", label),
                    ..stacks.start(&program)
                };
                waitlist.push(node, &stacks, place, distance);
            }
        }
    }
    std::iter::from_fn(|| waitlist.pop()).map(EntityRef::index).collect()
}

#[test]
fn the_order_is_the_one_asked_for() {
    let pushed = [("L8", 1), ("L9", 0), ("!", 0), ("L2", 1), ("L9", 1)];
    assert_eq!(taken(Order::DepthFirst, &pushed), [2, 4, 3, 1, 0]);
    assert_eq!(taken(Order::BreadthFirst, &pushed), [2, 0, 1, 3, 4]);
    assert_eq!(taken(Order::Directed(TieBreak::Newest), &pushed), [2, 1, 4, 3, 0]);
    assert_eq!(taken(Order::Directed(TieBreak::Oldest), &pushed), [2, 1, 0, 3, 4]);
    assert_eq!(taken(Order::Directed(TieBreak::ReversePostOrder), &pushed), [2, 1, 3, 0, 4]);
    for order in [Order::Random(3), Order::Directed(TieBreak::Random(3))] {
        let first = taken(order, &pushed);
        assert_eq!((first[0], &first), (2, &taken(order, &pushed)));
    }
}
