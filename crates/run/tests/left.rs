//! What rests leave of small programs, held against all their executions up to a length: each that is in an open state on its
//! way to a target takes open edges only, and no way that a copy of its function cuts.

use beeline_ir::text::parse;
use beeline_ir::{EdgeId, FuncId, LocId, Op, Program};
use beeline_run::copies::{Copier, Next, States, Ways};
use beeline_run::labels::{Automata, Labels, all_open};
use beeline_run::open_edges::OpenEdges;
use beeline_run::parts::Remaining;
use beeline_run::walk::Walk;
use beeline_run::{Reason, RunCuts, RunFormula, RunOpen, RunProof, RunRest, RunStack, RunState};
use std::collections::{BTreeSet, HashMap};

/// Executions are followed for so many steps.
const LONGEST: usize = 24;

/// An event of an execution.
#[derive(Clone, Copy)]
enum Event {
    Enter(FuncId),
    Edge(EdgeId),
    Leave,
}

/// A program, and what an earlier run left of it.
struct Case {
    program: Program,
    rest: RunRest,
    targets: BTreeSet<LocId>,
    /// Branches of which it is not known when their sides are taken.
    unknown: BTreeSet<LocId>,
}

/// A state of a residual condition: its label, its stack, and its children.
type State<'a> = (&'a str, u32, &'a [u32]);

impl Case {
    /// A residual condition with these states, each of which ends at the location of another; its second
    /// stack is that of the first call in `main`.
    fn new(text: &str, states: &[State<'_>], open: &[u32]) -> Case {
        let program = parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let targets: BTreeSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
        let entered = |edge: EdgeId| Some((edge, program.edges[edge].op.as_call()?.callee.functions()[0]));
        let is_of_main = |edge: &EdgeId| program.function_of(program.edges[*edge].src) == program.entry;
        let call = program.edges.keys().filter(is_of_main).find_map(entered);
        let inner = call.map(|(edge, callee)| RunStack { caller: Some((0, edge)), callee });
        let first = RunStack { caller: None, callee: program.entry };
        let graph = RunProof {
            cuts: RunCuts::At(states.iter().map(|state| at(&program, state.0)).collect()),
            stacks: std::iter::once(first).chain(inner).collect(),
            exprs: vec![],
            predicates: vec![],
            nodes: vec![],
            states: states.iter().map(|state| abstract_state(&program, state)).collect(),
            ensures: vec![],
        };
        let open = open.iter().map(|&state| RunOpen { state, reason: Reason::Time }).collect();
        let rest = RunRest {
            targets: targets.iter().copied().collect(),
            graph,
            open,
            undefined: vec![],
            after: None,
        };
        Case { program, rest, targets, unknown: BTreeSet::new() }
    }

    /// The branch edges of a function that are known.
    fn ways(&self, func: FuncId, open: &OpenEdges) -> Ways {
        let edges = self.program.edges.iter();
        let sides = edges.filter(|(_, edge)| {
            self.program.function_of(edge.src) == func
                && matches!(edge.op, Op::Assume(..))
                && !self.unknown.contains(&edge.src)
        });
        let of: Vec<(EdgeId, u32)> = sides.map(|(id, _)| id).zip(0..).collect();
        let shown = of.iter().filter(|(edge, _)| !open.edges.contains(edge)).map(|&(_, way)| way).collect();
        Ways { of: of.into_iter().collect(), shown }
    }

    /// All executions to a target, and whether they have been in an open state before.
    fn executions(&self) -> Vec<(Vec<Event>, bool)> {
        let mut strings: HashMap<(u32, EdgeId, FuncId), u32> = HashMap::new();
        let mut push = |below, call, callee| {
            let next = strings.len() as u32 + 1;
            *strings.entry((below, call, callee)).or_insert(next)
        };
        let mut automata = Automata::new([Remaining::whole(&self.rest)], 0, &mut push);
        let entry = self.program.entry;
        let begin = Execution {
            loc: self.program.functions[entry].entry(),
            calls: vec![(0, None, entry)],
            labels: Some(automata.first()),
            events: vec![Event::Enter(entry)],
        };
        let (mut work, mut found) = (vec![begin], Vec::new());
        while let Some(execution) = work.pop() {
            if self.targets.contains(&execution.loc) {
                let is_open = execution.labels.as_ref().is_some_and(all_open);
                found.push((execution.events, is_open));
            } else if execution.events.len() < LONGEST {
                work.extend(execution.steps(&self.program, &mut automata, &mut push));
            }
        }
        found
    }
}

fn abstract_state(program: &Program, &(label, stack, children): &State<'_>) -> RunState {
    RunState {
        loc: at(program, label),
        stack,
        values: vec![],
        formula: RunFormula::TRUE,
        children: children.to_vec(),
        covered_by: None,
    }
}

/// The location with a label, or where a function begins.
fn at(program: &Program, label: &str) -> LocId {
    let named = program.functions.values().find(|function| function.name == label);
    let entry = named.map(|function| function.entry());
    let found = entry.or_else(|| program.locations().find(|&loc| program.label(loc) == label));
    found.unwrap_or_else(|| panic!("there is no {label}"))
}

/// The history of an execution.
#[derive(Clone)]
struct Execution {
    loc: LocId,
    /// The calls that are open: their string, the edge, and the function.
    calls: Vec<(u32, Option<EdgeId>, FuncId)>,
    /// Its label under the residual condition; `None` once the condition excludes it.
    labels: Option<Labels>,
    events: Vec<Event>,
}

impl Execution {
    fn steps(
        &self,
        program: &Program,
        automata: &mut Automata<u32>,
        push: &mut impl FnMut(u32, EdgeId, FuncId) -> u32,
    ) -> Vec<Execution> {
        let &(string, call, func) = self.calls.last().expect("a function is executed");
        let mut found = Vec::new();
        let mut add = |loc, calls: Vec<(u32, Option<EdgeId>, FuncId)>, events: &[Event]| {
            let string = calls.last().expect("a function is executed").0;
            let labels = self.labels.as_ref().and_then(|labels| automata.step(labels, loc, string));
            found.push(Execution { loc, calls, labels, events: [&self.events, events].concat() });
        };
        if self.loc == program.functions[func].exit {
            if let Some(edge) = call {
                let below = self.calls[..self.calls.len() - 1].to_vec();
                add(program.edges[edge].dst, below, &[Event::Leave]);
            }
            return found;
        }
        for id in program.out_edges(self.loc) {
            let edge = &program.edges[id];
            match edge.op.as_call() {
                None => add(edge.dst, self.calls.clone(), &[Event::Edge(id)]),
                Some(call) => {
                    for &callee in call.callee.functions() {
                        let inner = (push(string, id, callee), Some(id), callee);
                        let calls = [&self.calls[..], &[inner]].concat();
                        let events = [Event::Edge(id), Event::Enter(callee)];
                        add(program.functions[callee].entry(), calls, &events);
                    }
                }
            }
        }
        found
    }
}

/// Whether an execution takes a branch edge that is cut in a copy of a function, with the copies of the
/// states.
fn is_cut(events: &[Event], func: FuncId, ways: &Ways, states: &States) -> bool {
    let mut active: Vec<(FuncId, Next)> = Vec::new();
    for &event in events {
        match event {
            Event::Enter(callee) => active.push((callee, Next::State(0))),
            Event::Leave => _ = active.pop(),
            Event::Edge(edge) => {
                let (top, at) = active.last_mut().expect("a function is executed");
                let Some(way) = ways.of.get(&edge).filter(|_| *top == func) else { continue };
                match *at {
                    Next::Shared if ways.shown.contains(way) => return true,
                    Next::Shared => {}
                    Next::State(state) => match states[state].get(way) {
                        Some(&next) => *at = next,
                        None => return true,
                    },
                }
            }
        }
    }
    false
}

/// Holds what is left against all executions. For each number of copies, how many states a function needs, if any, and how many
/// executions are cut that are in no open state.
fn judge(case: &Case, function: &str) -> Vec<Option<(usize, usize)>> {
    let program = &case.program;
    let walk = Walk::new(program, &[Remaining::whole(&case.rest)], &case.targets);
    let open = OpenEdges::of(&walk);
    let executions = case.executions();
    assert!(executions.iter().any(|(_, is_open)| *is_open) && executions.iter().any(|(_, is_open)| !is_open));
    for (events, _) in executions.iter().filter(|(_, is_open)| *is_open) {
        for event in events {
            match *event {
                Event::Enter(func) => {
                    assert!(open.functions.contains(&func), "{} is entered", program.functions[func].name);
                }
                Event::Edge(edge) => {
                    assert!(
                        open.edges.contains(&edge),
                        "{} is taken",
                        program.label(program.edges[edge].dst)
                    );
                }
                Event::Leave => {}
            }
        }
    }
    let func = program.function_of(at(program, function));
    let ways = case.ways(func, &open);
    let with_copies = |most| {
        let states = Copier::new(&walk).states(func, &ways, most)?;
        for (events, _) in executions.iter().filter(|(_, is_open)| *is_open) {
            assert!(!is_cut(events, func, &ways, &states), "{most} copies: an open way is cut: {states:?}");
        }
        let is_shown =
            |(events, is_open): &&(Vec<Event>, bool)| !is_open && is_cut(events, func, &ways, &states);
        Some((states.len(), executions.iter().filter(is_shown).count()))
    };
    (1..4).map(with_copies).collect()
}

/// Two branch edges, after each of which one branch is open.
#[test]
fn ways_after_ways() {
    let text = "beeline 1.0
fn main() {
  var n: i8, x: i8
  n := input \"n\"
  if n == 0 goto a else b
  a: x := 1 goto join
  b: x := 2 goto join
  join: if x == 1 goto p else q
  p: target \"p\"
  q: target \"q\"
  done: exit
}
";
    let states: [State<'_>; 7] = [
        ("main", 0, &[1, 2]),
        ("a", 0, &[3]),
        ("b", 0, &[4]),
        ("join", 0, &[5]),
        ("join", 0, &[6]),
        ("p", 0, &[]),
        ("q", 0, &[]),
    ];
    let found = judge(&Case::new(text, &states, &[5, 6]), "main");
    assert_eq!(found, [Some((3, 2)); 3]);
}

/// What tells two states apart comes after another branch; with one copy only, one of them is shared.
#[test]
fn states_that_differ_later_on() {
    let text = "beeline 1.0
fn main() {
  var n: i8, m: i8, x: i8
  n := input \"n\"
  m := input \"m\"
  if n == 0 goto a else b
  a: x := 1 goto between
  b: x := 2 goto between
  between: if m == 0 goto c else d
  c: skip goto join
  d: skip goto join
  join: if x == 1 goto p else q
  p: target \"p\"
  q: target \"q\"
  done: exit
}
";
    let states: [State<'_>; 9] = [
        ("main", 0, &[1, 2]),
        ("a", 0, &[3]),
        ("b", 0, &[4]),
        ("between", 0, &[5]),
        ("between", 0, &[6]),
        ("join", 0, &[7]),
        ("join", 0, &[8]),
        ("p", 0, &[]),
        ("q", 0, &[]),
    ];
    let found = judge(&Case::new(text, &states, &[7, 8]), "main");
    assert_eq!(found, [Some((4, 2)), Some((5, 4)), Some((5, 4))]);
}

/// An open state in a function that is called: after the call, everything is open.
const IN_A_CALL: &str = "beeline 1.0
fn f() {
  var k: i8
  k := input \"k\"
  if k == 0 goto inside else outside
  inside: skip goto last
  outside: skip goto last
  last: exit
}
fn later() {
  deep: target \"deep\"
  up: exit
}
entry main
fn main() {
  var n: i8, x: i8
  n := input \"n\"
  if n == 0 goto a else b
  a: call f() goto join
  b: x := 2 goto join
  join: if x == 1 goto p else q
  p: call later() goto done
  q: target \"q\"
  done: exit
}
";

#[test]
fn behind_a_call_in_which_something_is_open() {
    let states: [State<'_>; 8] = [
        ("main", 0, &[1, 2]),
        ("a", 0, &[3]),
        ("b", 0, &[6]),
        ("f", 1, &[4, 5]),
        ("inside", 1, &[]),
        ("outside", 1, &[6]),
        ("join", 0, &[7]),
        ("q", 0, &[]),
    ];
    let found = judge(&Case::new(IN_A_CALL, &states, &[4, 7]), "main");
    assert_eq!(found, [Some((2, 1)); 3]);
}

/// Between two ways, an execution comes through a call or not: what is open behind the call is open after the first way.
#[test]
fn ways_behind_a_call() {
    let text = "beeline 1.0
fn f() {
  exit
}
entry main
fn main() {
  var n: i8, x: i8
  n := input \"n\"
  if n == 0 goto a else b
  a: if x == 0 goto c else d
  b: skip goto join
  c: call f() goto join
  d: skip goto join
  join: if x == 1 goto p else q
  p: target \"p\"
  q: target \"q\"
  done: exit
}
";
    let states: [State<'_>; 11] = [
        ("main", 0, &[1, 2]),
        ("a", 0, &[3, 4]),
        ("b", 0, &[7]),
        ("c", 0, &[5]),
        ("d", 0, &[7]),
        ("f", 1, &[6]),
        ("join", 0, &[8]),
        ("join", 0, &[9]),
        ("p", 0, &[]),
        ("q", 0, &[]),
        ("done", 0, &[]),
    ];
    let mut case = Case::new(text, &states, &[8, 9]);
    case.unknown.insert(at(&case.program, "a"));
    let found = judge(&case, "main");
    assert_eq!(found, [Some((2, 1)); 3]);
}

/// A function that is called again after an open state: nothing of it is cut, as the second call needs all of
/// it.
#[test]
fn a_function_that_is_called_again() {
    let text = "beeline 1.0
fn f() {
  var n: i8, x: i8
  n := input \"n\"
  if n == 0 goto a else b
  a: x := 1 goto join
  b: x := 2 goto join
  join: if x == 1 goto p else q
  p: skip goto last
  q: skip goto last
  last: exit
}
entry main
fn main() {
  var m: i8
  call f()
  m := input \"m\"
  if m == 0 goto again else bad
  again: call f()
  bad: target \"bad\"
  done: exit
}
";
    let states: [State<'_>; 8] = [
        ("main", 0, &[1]),
        ("f", 1, &[2, 3]),
        ("a", 1, &[4]),
        ("b", 1, &[5]),
        ("join", 1, &[6]),
        ("join", 1, &[7]),
        ("p", 1, &[]),
        ("q", 1, &[]),
    ];
    let found = judge(&Case::new(text, &states, &[6, 7]), "f");
    assert_eq!(found, [None; 3]);
}
