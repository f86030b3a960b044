//! Histories: files, mixtures, tables.

use beeline_history::{
    Certificate, History, MergeError, Outcome, Program, Row, Setting, Strategy, benchexec, csv,
};
use beeline_ir::file;
use proptest::prelude::*;

fn setting() -> Setting {
    Setting {
        machine: "a processor, 2 cores, 4 GB".into(),
        version: "0.1.0".into(),
        measured_by: "rusage".into(),
        cpu_limit: 10_000_000,
        memory_limit: 0,
    }
}

fn program(name: &str, expected: Option<bool>) -> Program {
    Program { name: name.into(), family: "f".into(), expected, features: Some(vec![1.0, 2.5]) }
}

/// A history with one run.
fn with(name: &str, expected: Option<bool>, outcome: Outcome, setting: Setting) -> History {
    let mut history = History::new(["A", "B"]);
    let row = Row {
        program: history.add_program(program(name, expected)).unwrap(),
        strategy: history.add_strategy(Strategy { name: "p".into(), plan: "[[step]]\n".into() }).unwrap(),
        setting: history.add_setting(setting),
        repetition: 0,
        outcome,
        certificate: Certificate::None,
        cpu: 2_000_000,
        wall: 2_100_000,
        memory: 1 << 20,
        check_cpu: 0,
        ticks: 5,
        states: 7,
    };
    history.rows.push(row);
    history
}

#[test]
fn a_history_survives_its_file() {
    let mut history = with("a", Some(true), Outcome::Unknown("why, \"so\"".into()), setting());
    history.merge(&with("b", None, Outcome::Failed("crash".into()), setting()), false).unwrap();
    let bytes = file::to_bytes(&history, None).unwrap();
    assert_eq!(file::from_bytes::<History>("h.hist", &bytes).unwrap().body, history);
}

#[test]
fn what_answers_cost() {
    let cost = |expected, outcome| {
        let history = with("a", expected, outcome, setting());
        history.par2(&history.rows[0])
    };
    assert_eq!(cost(Some(true), Outcome::Safe), 2.0);
    assert_eq!(cost(None, Outcome::Unsafe), 2.0);
    assert_eq!(cost(Some(true), Outcome::Unsafe), 20.0, "a wrong answer is none");
    assert_eq!(cost(None, Outcome::Unknown(String::new())), 20.0);
    let mut late = with("a", None, Outcome::Safe, Setting { cpu_limit: 1_000_000, ..setting() });
    assert_eq!(late.par2(&late.rows[0]), 2.0, "twice the limit");
    late.settings[0].cpu_limit = 3_000_000;
    late.rows[0].certificate = Certificate::Refused;
    assert_eq!(late.par2(&late.rows[0]), 6.0, "an answer that did not withstand its check is none");
}

#[test]
fn mixtures_that_cannot_be_compared_are_refused_unless_told() {
    let first = with("a", None, Outcome::Safe, setting());
    for (change, what) in [
        (Setting { machine: "another".into(), ..setting() }, "the machine"),
        (Setting { version: "9".into(), ..setting() }, "the version of Beeline"),
        (Setting { measured_by: "runexec".into(), ..setting() }, "who measured"),
        (Setting { cpu_limit: 1, ..setting() }, "the limit on time"),
        (Setting { memory_limit: 1, ..setting() }, "the limit on memory"),
    ] {
        let other = with("b", None, Outcome::Safe, change);
        let mut merged = first.clone();
        assert_eq!(merged.merge(&other, false), Err(MergeError::Setting(what)));
        assert_eq!(merged, first, "nothing is taken over where there is an error");
        merged.merge(&other, true).unwrap();
        assert_eq!((merged.rows.len(), merged.settings.len()), (2, 2));
    }
}

#[test]
fn one_name_is_one_thing() {
    let mut history = with("a", None, Outcome::Safe, setting());
    let same = history.clone();
    history.merge(&same, false).unwrap();
    assert_eq!(history, same, "a run counts once");
    let known = with("a", Some(true), Outcome::Safe, setting());
    assert_eq!(history.merge(&known, false), Err(MergeError::Program("a".into())));
    let mut planned = same.clone();
    planned.strategies[0].plan = "[[step]]\nseed = 1\n".into();
    assert_eq!(history.merge(&planned, true), Err(MergeError::Strategy("p".into())));
    let contradicts = with("a", None, Outcome::Unsafe, setting());
    assert!(matches!(history.merge(&contradicts, false), Err(MergeError::Row { .. })));
    assert!(matches!(history.merge(&History::new(["C"]), true), Err(MergeError::Features(_))));
}

#[test]
fn what_is_not_there_or_no_number_is_damage() {
    let mut history = with("a", None, Outcome::Safe, setting());
    history.programs[0].features = Some(vec![1.0, f64::NAN]);
    assert!(file::to_bytes(&history, None).unwrap_err().to_string().contains("the feature B of a is NaN"));
    history.programs[0].features = Some(vec![1.0]);
    assert!(file::to_bytes(&history, None).is_err());
    history.programs[0].features = None;
    history.rows[0].strategy = 1;
    assert!(file::to_bytes(&history, None).is_err());
}

#[test]
fn tables_have_a_line_for_each_run() {
    let mut history = with("a,b", Some(true), Outcome::Unsafe, setting());
    history.merge(&with("c", Some(false), Outcome::Unknown("1 < 2".into()), setting()), false).unwrap();
    let table = csv(&history);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].starts_with("\"a,b\",f,safe,p,0,unsafe,,false,none,2,2.1,1048576,"), "{table}");
    assert!(lines[1].ends_with(",10,rusage,1,2.5"), "{table}");
    let xml = benchexec(&history, 0);
    assert_eq!(xml.matches("<run ").count(), 2);
    assert!(xml.contains("value=\"wrong\"") && xml.contains("unknown (1 &lt; 2)"), "{xml}");
}

proptest! {
    /// Damage is refused or harmless: nothing panics, and what is read is in order.
    #[test]
    fn damaged_bodies_are_refused(at in 0usize..200, byte: u8) {
        let history = with("a", Some(true), Outcome::Unknown("r".into()), setting());
        let mut out = file::Encoder::default();
        file::Body::encode_body(&history, &mut out).unwrap();
        let mut bytes = out.into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        let mut input = file::Decoder::new(&bytes);
        if let Ok(read) = <History as file::Body>::decode_body(&mut input, <History as file::Body>::VERSION) {
            prop_assert!(read.well_formed().is_ok());
        }
    }
}

#[test]
fn some_plans_are_taken_in_the_order_they_are_asked_for() {
    let mut history = with("a", Some(true), Outcome::Safe, setting());
    history.merge(&with("b", Some(true), Outcome::Safe, setting()), false).unwrap();
    for (name, program) in [("q", 1), ("r", 0)] {
        let strategy = Strategy { name: name.into(), plan: "[[step]]\n".into() };
        let strategy = history.add_strategy(strategy).unwrap();
        history.rows.push(Row { strategy, program, ..history.rows[0].clone() });
    }
    let part = history.only(&["q", "p", "q"]).unwrap();
    let names: Vec<&str> = part.strategies.iter().map(|strategy| strategy.name.as_str()).collect();
    assert_eq!(names, ["q", "p"]);
    let runs = part.rows.iter().map(|row| {
        (
            part.programs[row.program as usize].name.as_str(),
            part.strategies[row.strategy as usize].name.as_str(),
        )
    });
    assert_eq!(runs.collect::<Vec<_>>(), [("a", "p"), ("b", "p"), ("b", "q")]);
    // What no run of these plans is about is left out.
    assert_eq!(history.only(&["r"]).unwrap().programs.len(), 1);

    let error = history.only(&["p", "s"]).unwrap_err();
    assert_eq!(error.to_string(), "it has no plan s; its plans are p, q, r");
}
