//! Distances that lead through stages: every engine follows them, and they hide nothing.

use beeline_engine::{
    BlockOperator, Bounded, Calls, Distances, Domain, Engine, Lazy, Metric, Monitor, Options, Summaries, Task,
};
use beeline_graph::{Estimate, Graph, Targets};
use beeline_ir::text::parse;
use beeline_ir::{LocId, Program};

/// The target needs twelve iterations, of which only those through `key` count; the others are nearer.
fn program(keys: u32) -> Program {
    let text = "beeline 1.0
        entry main
        global keys: i32
        fn hit() {
          key: keys := keys + 1
          out: exit
        }
        fn main() {
          var x: i32, iterations: i32
          keys, iterations := 0, 0
          head: if iterations == 12 goto last else ask
          ask: x := input \"n\"
          if x == 7 goto long else short
          short: iterations := iterations + 1 goto head
          long: skip
          call hit()
          iterations := iterations + 1 goto head
          last: if keys == KEYS goto bad else end
          bad: target \"bad\"
          end: exit
        }";
    parse(&text.replace("KEYS", &keys.to_string())).expect("the text is a program")
}

fn loc(program: &Program, function: &str, label: &str) -> LocId {
    let function = &program.functions[program.function_named(function).expect("it exists")];
    function.locations().find(|&loc| program.label(loc) == label).expect("it exists")
}

/// Whether the target is reached, and how many states an engine makes that follows some stages.
fn searched(program: &Program, engine: &dyn Engine, stages: &[LocId]) -> (bool, u64) {
    let graph = Graph::new(program);
    let targets = Targets::sequence(stages.iter().copied());
    let given = beeline_graph::Distances::new(&graph, Metric::Statements, Estimate::Efca, targets);
    let mut distances = Distances::given(program, given, None).expect("they are of this program");
    let task = Task::new(program, &mut distances, Options::default().nothing_known());
    let outcome = engine.run(task, &Monitor::default());
    let (is_unsafe, is_safe) = (outcome.verdict.is_unsafe(), outcome.verdict.is_safe());
    assert!(is_unsafe != is_safe, "{:?}", outcome.verdict);
    (is_unsafe, outcome.statistics.states)
}

#[test]
fn stages_guide_and_hide_nothing() {
    let stacks = Options { domain: Domain::Values, blocks: BlockOperator::Single, ..Options::default() };
    let tops = Options { calls: Calls::Top, ..stacks.clone() };
    let engines: [(&str, &dyn Engine, bool); 4] = [
        ("stacks", &Lazy { options: &stacks }, true),
        ("tops", &Lazy { options: &tops }, true),
        ("blocks", &Summaries { options: &stacks }, true),
        // All paths are executed at once.
        ("unrolling", &Bounded { options: &stacks }, false),
    ];
    let (wrong, right) = (program(12), program(13));
    let (key, bad, end) = (loc(&wrong, "hit", "key"), loc(&wrong, "main", "bad"), loc(&wrong, "main", "end"));
    for (name, engine, is_guided) in engines {
        let (_, straight) = searched(&wrong, engine, &[bad]);
        let (is_unsafe, guided) = searched(&wrong, engine, &[vec![key; 12], vec![bad]].concat());
        assert!(is_unsafe, "{name}");
        assert_eq!(guided * 2 < straight, is_guided, "{name}: {guided} of {straight}");
        // Stages that no execution passes, or none on its path, only change the order.
        assert!(searched(&wrong, engine, &[end, bad]).0, "{name}");
        assert!(searched(&wrong, engine, &[key, end]).0, "{name}");
        assert!(!searched(&right, engine, &[vec![key; 12], vec![bad]].concat()).0, "{name}");
    }
}
