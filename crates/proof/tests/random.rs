//! Random small programs, whose truth comes from running all their executions: the engine's proofs are valid,
//! and no longer so when the program is changed into an unsafe one.
//!
//! `BEELINE_FUZZ=first..last` chooses other seeds than those of the test.

#[path = "../../engine/tests/support/explicit.rs"]
mod explicit;
#[path = "../../engine/tests/support/generator.rs"]
mod generator;
mod support {
    pub(crate) mod change;
}

use beeline_engine::{BlockOperator, Distances, Domain, Metric, Monitor, verify};
use beeline_ir::Program;
use beeline_ir::text::parse;
use beeline_proof::{Options, Outcome, check_graph as check};
use beeline_run::RunProof;
use fastrand::Rng;
use std::time::Duration;
use support::change::changed;

fn proof_of(program: &Program, number: u64) -> Option<RunProof> {
    let options = beeline_engine::Options {
        domain: [Domain::Values, Domain::Predicates, Domain::Both][number as usize % 3],
        blocks: [BlockOperator::LoopHeads, BlockOperator::LoopHeadsAndFunctions, BlockOperator::Single]
            [number as usize / 3 % 3],
        time: Some(Duration::from_millis(700)),
        query_ticks: 900_000,
        max_states: 3000,
        ..beeline_engine::Options::default()
    };
    let mut distances = Distances::new(program, Metric::BasicBlocks);
    let (verdict, statistics) = verify(program, &options, &mut distances, &Monitor::default());
    beeline_engine::outcome::run::record(program, &verdict, &statistics).whole_graph().cloned()
}

#[test]
fn proofs_are_valid_for_their_own_programs_and_for_no_unsafe_ones() {
    let seeds = match std::env::var("BEELINE_FUZZ") {
        Ok(range) => {
            let (first, last) = range.split_once("..").expect("BEELINE_FUZZ is first..last");
            first.parse().expect("a number")..last.parse().expect("a number")
        }
        Err(_) => 0..30u64,
    };
    let options =
        Options { query_ticks: 15_000_000, time: Some(Duration::from_secs(20)), ..Options::default() };
    let (mut valid, mut unchecked, mut forged) = (0, 0, 0);
    for seed in seeds {
        let text = generator::program(seed, generator::With::default());
        let program = parse(&text).expect("generated programs are right");
        if explicit::truth(&program, 5000).is_none_or(|truth| !truth.reached.is_empty()) {
            continue;
        }
        for number in 0..2 {
            let Some(proof) = proof_of(&program, seed * 2 + number) else { continue };
            match check(&program, &proof, &options).outcome {
                Outcome::Valid => valid += 1,
                Outcome::Unchecked(_) => unchecked += 1,
                Outcome::Invalid(fault) => panic!("seed {seed}, {number}: {fault:?}\n{text}"),
            }
            let mut rng = Rng::with_seed(seed * 2 + number);
            for _ in 0..60 {
                let Some(other) = changed(&text, &mut rng) else { continue };
                if explicit::truth(&other, 5000).is_some_and(|truth| !truth.reached.is_empty()) {
                    let outcome = check(&other, &proof, &options).outcome;
                    assert_ne!(outcome, Outcome::Valid, "seed {seed}, {number}\n{text}");
                    forged += 1;
                }
            }
        }
    }
    eprintln!("{valid} valid, {unchecked} unchecked, {forged} forged");
    assert!(valid > 10 && forged > 3 && unchecked < valid / 5);
}
