//! Executions that go on from snapshots, and which snapshots are of one state.

use beeline_interp::oracle::Given;
use beeline_interp::{Limits, Machine, Outcome, Snapshot};
use beeline_ir::{LocId, Program, Value, VarId};

const PROGRAM: &str = "beeline 1.0
region m: i32 -> i8
global g: i32 := 0
fn add(by: i32) {
  var kept: i32
  L0: kept := by
  L1: m[4] := 7
  L2: g := g + kept
  L3: exit
}
fn main() -> r: i32 {
  var x: i32, dead: i32
  L0: x := input \"n\"
  L1: dead := x
  L2: m[4] := 9
  L3: call add(x)
  L4: r := g
  L5: exit
}
";

fn program() -> Program {
    beeline_ir::text::parse(PROGRAM).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn given(number: u64) -> Given {
    Given::new([Value::bv(32, number)])
}

/// The snapshot after so many steps.
fn after<'m>(machine: &'m Machine<'m>, input: u64, steps: u32) -> Snapshot<'m> {
    let mut oracle = given(input);
    let mut execution = machine.start(&mut oracle, &Limits::default());
    (0..steps).for_each(|_| execution.step().expect("the execution goes on"));
    execution.snapshot()
}

#[test]
fn an_execution_ends_as_the_one_that_it_goes_on_from() {
    let program = program();
    let machine = Machine::new(&program);
    for steps in 0..8 {
        let snapshot = after(&machine, 5, steps);
        // Only at the start the input is still to be drawn.
        let mut oracle = given(if steps == 0 { 5 } else { 6 });
        let mut execution = machine.start(&mut oracle, &Limits::default());
        execution.resume(&snapshot);
        let run = execution.run();
        assert_eq!(run.outcome, Outcome::Returned(Some(Value::bv(32, 5))), "from {steps}");
    }
}

#[test]
fn what_matters_tells_states_apart() {
    let program = program();
    let machine = Machine::new(&program);
    let all =
        |loc: LocId| -> Vec<VarId> { program.functions[program.function_of(loc)].variables().collect() };
    let live = |loc| all(loc).into_iter().filter(|&var| program.vars[var].name != "dead").collect::<Vec<_>>();
    let digest = |input, steps| after(&machine, input, steps).digest(&machine, live);
    assert_eq!(digest(5, 3), digest(5, 3));
    for (other, what) in
        [((6, 3), "a local"), ((5, 2), "a location"), ((5, 4), "a call"), ((6, 5), "a caller's")]
    {
        assert_ne!(digest(5, 3), digest(other.0, other.1), "{what}");
    }
    // In the callee, the caller's dead variable does not matter, nor does the order of writes.
    assert_ne!(digest(5, 5), digest(5, 6), "a cell");
    let exact = |input, steps| after(&machine, input, steps).digest(&machine, all);
    let nothing = |input, steps| after(&machine, input, steps).digest(&machine, |_| Vec::<VarId>::new());
    assert_ne!(exact(5, 2), exact(6, 2));
    assert_eq!(nothing(5, 2), nothing(6, 2));
    assert_ne!(nothing(5, 7), nothing(6, 7), "a global");
}
