//! Measuring one command.

use assert_cmd::Command;
use serde_json::Value;

/// What is measured of a script of the shell with a limit in seconds.
fn measured(limit: f64, script: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::cargo_bin("beeline-campaign").unwrap();
    command.arg("measure").arg(((limit * 1e6) as u64).to_string()).arg(folder.path().join("output"));
    let output = command.args(["--", "sh", "-c", script]).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn processes_of_a_command_share_its_limit() {
    // Each for itself stays below a second, at which the system would end it.
    let busy = "sh -c 'while :; do :; done'";
    let found = measured(0.3, &format!("{busy} & {busy} & {busy} & wait"));
    assert_eq!(found["out_of_time"], true, "{found}");
    assert_eq!(found["signal"], 9, "{found}");
    let cpu = found["cpu"].as_u64().unwrap();
    assert!((300_000..1_000_000).contains(&cpu), "{found}");
}

#[test]
fn a_command_that_ends_in_time_is_left_alone() {
    let found = measured(20.0, "exit 3");
    assert_eq!((&found["code"], &found["signal"]), (&Value::from(3), &Value::Null), "{found}");
    assert_eq!(found["out_of_time"], false, "{found}");
}
