//! Judges the programs under `tests/adversary`: `adversary-campaign [TIME-LIMIT [CATEGORY]]`.

use beeline_tests::adversary::{Deceiver, State, judge_all};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

#[allow(clippy::print_stdout)]
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let limit = args.first().map_or("15s", String::as_str);
    let wanted = args.get(1);
    let tools = match beeline_tests::tools() {
        Ok(tools) => tools,
        Err(error) => {
            eprintln!("adversary-campaign: the tools cannot be built: {error}");
            return ExitCode::from(2);
        }
    };
    let mut programs = Deceiver::all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("adversary"));
    programs.retain(|program| wanted.is_none_or(|wanted| program.category == *wanted));
    let mut table: BTreeMap<String, BTreeMap<State, usize>> = BTreeMap::new();
    let mut wrong = false;
    for (program, state, verdict) in judge_all(&programs, &tools.join("beeline"), &["--time-limit", limit]) {
        *table.entry(program.category.clone()).or_default().entry(state).or_default() += 1;
        wrong |= matches!(state, State::Wrong | State::Failed);
        if state != State::Right {
            println!("{state:?}: {} is {}; {verdict}", program.name(), program.truth);
        }
    }
    for (category, states) in table {
        println!("{category:12} {states:?}");
    }
    if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
