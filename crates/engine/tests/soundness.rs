//! No wrong verdict, ever: random small programs, whose truth comes from running all their executions,
//! under every configuration.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds than those of the test.

mod support {
    pub mod explicit;
    pub mod generator;
}

use beeline_engine::{
    Arithmetics, BlockOperator, Distances, Domain, Metric, Monitor, Options, Order, TieBreak, Verdict, verify,
};
use beeline_ir::text::{TextError, parse};
use std::time::Duration;

const METRICS: [Metric; 4] =
    [Metric::Statements, Metric::BasicBlocks, Metric::LoopHeads, Metric::LoopHeadsAndFunctions];

fn configurations() -> Vec<(Domain, BlockOperator, Order)> {
    let mut all = Vec::new();
    for domain in [Domain::Values, Domain::Predicates, Domain::Both] {
        for blocks in [BlockOperator::LoopHeads, BlockOperator::LoopHeadsAndFunctions, BlockOperator::Single]
        {
            for order in [
                Order::Directed(TieBreak::Newest),
                Order::Directed(TieBreak::Oldest),
                Order::Directed(TieBreak::ReversePostOrder),
                Order::DepthFirst,
                Order::BreadthFirst,
                Order::Random(5),
            ] {
                all.push((domain, blocks, order));
            }
        }
    }
    all
}

#[test]
fn no_verdict_is_wrong() {
    let seeds = match std::env::var("BEELINE_FUZZ") {
        Ok(range) => {
            let (first, last) = range.split_once("..").expect("BEELINE_FUZZ is first..last");
            first.parse().expect("a number")..last.parse().expect("a number")
        }
        Err(_) => 0..60u64,
    };
    let (mut right, mut unknown, mut skipped) = (0, 0, 0);
    let (mut safe_programs, mut programs) = (0, 0);
    let configurations = configurations();
    for seed in seeds {
        let text = support::generator::program(seed);
        let program = parse(&text).unwrap_or_else(|faults| {
            let faults: Vec<String> = faults.iter().map(TextError::to_string).collect();
            panic!("seed {seed}: {}\n{text}", faults.join("\n"))
        });
        let Some(reached) = support::explicit::reaches_target(&program, 20_000) else {
            skipped += 1;
            continue;
        };
        programs += 1;
        safe_programs += u32::from(!reached);
        // Each program meets a share of the configurations.
        for index in 0..4 {
            let (domain, blocks, order) =
                configurations[(seed as usize * 7 + index * 11) % configurations.len()];
            let options = Options {
                domain,
                blocks,
                order,
                arithmetic: if seed % 2 == 0 { Arithmetics::Integers } else { Arithmetics::BitVectors },
                time: Some(Duration::from_millis(1000)),
                query_time: Duration::from_millis(500),
                max_states: 5000,
                value_threshold: 50,
            };
            let metric = METRICS[index];
            let mut distances = Distances::new(&program, metric);
            let (verdict, _) = verify(&program, &options, &mut distances, &Monitor::default());
            let wrong = match &verdict {
                Verdict::Safe(_) => reached,
                Verdict::Unsafe(_) => !reached,
                Verdict::Unknown(reason) => {
                    let text = reason.to_string();
                    assert!(!text.contains("confirm"), "seed {seed} {domain:?} {blocks:?} {order:?}: {text}");
                    unknown += 1;
                    continue;
                }
            };
            assert!(!wrong, "seed {seed} {domain:?} {blocks:?} {order:?}: {verdict:?}\n{text}");
            right += 1;
        }
    }
    eprintln!(
        "{programs} programs, {safe_programs} safe, {skipped} too large; {right} right, {unknown} unknown"
    );
    assert!(right > unknown, "most verdicts are known");
}
