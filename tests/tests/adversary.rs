//! No program under `tests/adversary` gets a wrong answer. More time for each: `measure/adversary`.

use beeline_tests::SOME_WORK;
use beeline_tests::adversary::{Deceiver, State, judge_all};
use std::path::Path;

/// Programs whose answer rests on a printed assumption that says just what goes wrong: a function without a body
/// that writes (`--externals pure`) or calls `main` again, an object that the allocator hands out anew, a comparison
/// that is no order, an address that has more than 32 bits, a variable argument that has 128, executions that write behind
/// an array.
const NAMED: [&str; 8] = ["control-24", "ext-05", "ext-11", "heap-09", "lib-01", "ptr-11", "ub-10", "ub-21"];

#[test]
fn nothing_deceives() {
    let programs = Deceiver::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("adversary"));
    assert!(programs.len() >= 300, "the programs are there");
    let tools = beeline_tests::tools().expect("the tools can be built");
    let judged = judge_all(&programs, &tools.join("beeline"), &SOME_WORK);
    let mut wrong = Vec::new();
    for (program, state, verdict) in &judged {
        let named = *state == State::WrongUnderAssumptions && NAMED.contains(&program.name().as_str());
        if !named && !matches!(state, State::Right | State::Unknown) {
            wrong.push(format!("{} is {}: {verdict}", program.name(), program.truth));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let right = judged.iter().filter(|(_, state, _)| *state == State::Right).count();
    assert!(right * 3 >= judged.len() * 2, "only {right} of {} are answered", judged.len());
}
