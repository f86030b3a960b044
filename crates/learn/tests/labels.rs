//! The labels that learners minimise.

use beeline_history::{Certificate, History, Outcome, Program, Row, Setting, Strategy};
use beeline_learn::{Label, Learner, Options, train};

/// Ten programs: the plan `quick` gives up after a tenth of a second, `sure` solves them in two seconds, and `slow` in
/// three.
fn history() -> History {
    let mut history = History::new(["A"]);
    let setting = history.add_setting(Setting { cpu_limit: 10_000_000, ..Setting::default() });
    for number in 0..10 {
        let program = Program {
            name: format!("p{number}"),
            family: format!("f{}", number % 5),
            expected: Some(true),
            features: Some(vec![f64::from(number)]),
        };
        let program = history.add_program(program).unwrap();
        for (name, cpu, is_solved) in
            [("quick", 100_000, false), ("slow", 3_000_000, true), ("sure", 2_000_000, true)]
        {
            let plan = Strategy { name: name.into(), plan: "[[step]]\n".into() };
            let strategy = history.add_strategy(plan).unwrap();
            let outcome = if is_solved { Outcome::Safe } else { Outcome::Unknown("no more".into()) };
            let (wall, memory, check_cpu, ticks, states) = (cpu, 0, 0, 0, 0);
            let (repetition, certificate) = (0, Certificate::None);
            history.rows.push(Row {
                program,
                strategy,
                setting,
                repetition,
                outcome,
                certificate,
                cpu,
                wall,
                memory,
                check_cpu,
                ticks,
                states,
            });
        }
    }
    history
}

/// The plan that the best single one is for a label, and what it loses as it is judged.
fn single(label: Label) -> (String, f64) {
    let options = Options { threshold: 0.0, sequences: false, learner: Some(Learner::Single), label };
    let trained = train(&history(), &options).unwrap();
    let choice = trained.selector.choose(&["A"], &[3.0]).unwrap();
    (trained.selector.plans[choice.plan].name.clone(), trained.single)
}

#[test]
fn costs_are_times_and_failures() {
    assert_eq!(single(Label::Cost), ("sure".into(), 0.0));
}

#[test]
fn who_learns_from_times_alone_fails_soon() {
    let (plan, regret) = single(Label::Time);
    assert_eq!(plan, "quick");
    // Twice the limit instead of two seconds, for each of ten programs: judged is by cost all the same.
    assert!((regret - 180.0).abs() < 1e-6, "{regret}");
}

#[test]
fn who_learns_from_numbers_alone_takes_its_time() {
    let (plan, regret) = single(Label::Number);
    assert_eq!(plan, "slow", "the first of those that solve as much");
    assert!((regret - 10.0).abs() < 1e-6, "{regret}");
}

#[test]
fn labels_have_names() {
    for (name, label) in Label::ALL {
        assert_eq!(Label::named(name), Some(label));
    }
    assert_eq!(Label::named("luck"), None);
}
