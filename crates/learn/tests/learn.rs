//! Learning from histories that are made up.

use beeline_history::{Certificate, History, Outcome, Program, Row, Setting, Strategy};
use beeline_learn::column::Column;
use beeline_learn::{Label, LearnError, Learner, Options, Table, judge, train};
use beeline_select::Model;

const OPTIONS: Options = Options { threshold: 0.05, sequences: false, learner: None, label: Label::Cost };

/// A history of programs in families of five, whose only feature is their number; costs are in seconds, none is no answer.
fn history(programs: usize, cost: impl Fn(usize) -> Vec<Option<f64>>) -> History {
    let mut history = History::new(["NUMBER"]);
    let setting = history.add_setting(Setting { cpu_limit: 10_000_000, ..Setting::default() });
    for number in 0..programs {
        let program = Program {
            name: format!("p{number}"),
            family: format!("f{}", number % 5),
            expected: Some(true),
            features: Some(vec![number as f64]),
        };
        let program = history.add_program(program).unwrap();
        for (plan, cost) in cost(number).into_iter().enumerate() {
            let text = format!("[[step]]\nseed = {plan}\n");
            let strategy = Strategy { name: format!("plan{plan}"), plan: text };
            let strategy = history.add_strategy(strategy).unwrap();
            let late = Outcome::Unknown("the time limit was reached".into());
            history.rows.push(Row {
                program,
                strategy,
                setting,
                repetition: 0,
                outcome: if cost.is_some() { Outcome::Safe } else { late },
                certificate: Certificate::None,
                cpu: (cost.unwrap_or(10.0) * 1e6) as u64,
                wall: 0,
                memory: 0,
                check_cpu: 0,
                ticks: 0,
                states: 0,
            });
        }
    }
    history
}

/// Of small numbers the first plan is quick, of great ones the second.
fn divided(number: usize) -> Vec<Option<f64>> {
    if number < 20 { vec![Some(0.1), Some(5.0)] } else { vec![None, Some(0.2)] }
}

/// The first of the great numbers is taken for a small one where it is left out of what is learned from: that costs twice
/// the limit. Nothing else does.
const AT_BORDER: f64 = 20.0;

#[test]
fn what_features_tell_is_learned_and_no_single_plan_is_as_good() {
    let trained = train(&history(40, divided), &OPTIONS).unwrap();
    assert_eq!(trained.programs, (40, 5));
    assert!(trained.judged[0].regret < AT_BORDER, "{:?}", trained.judged);
    assert!((trained.single - 20.0 * 4.9).abs() < 0.01, "{}", trained.single);
    for (number, plan) in [(3.0, "plan0"), (35.0, "plan1")] {
        let choice = trained.selector.choose(&["NUMBER"], &[number]).unwrap();
        assert_eq!(trained.selector.plans[choice.plan].name, plan);
    }
}

#[test]
fn every_learner_finds_what_is_plain() {
    let table = Table::new(&history(40, divided)).unwrap();
    for name in ["tree-2", "tree-3", "tree-5", "costs", "forest"] {
        let judged = judge(&table, Learner::named(name).unwrap(), &OPTIONS).unwrap();
        assert!(judged.regret < AT_BORDER && judged.solved >= 39, "{name}: {judged:?}");
    }
}

#[test]
fn where_features_tell_nothing_the_single_plan_stays() {
    // Which plan is better depends on nothing that a tree can ask for.
    let trained = train(
        &history(40, |number| match (number * 7919) % 13 % 2 {
            0 => vec![Some(1.0), Some(1.3)],
            _ => vec![Some(1.0), Some(1.0)],
        }),
        &OPTIONS,
    )
    .unwrap();
    assert_eq!(trained.judged[0].learner, Learner::Single);
    assert_eq!(trained.selector.model, Model::Always(0));
    assert_eq!(trained.single, 0.0);
}

#[test]
fn a_sequence_tries_a_quick_plan_first() {
    // The first plan is quick or nothing, the second always slow.
    let made_up = |number: usize| vec![number.is_multiple_of(2).then_some(0.2), Some(4.0)];
    let options = Options { sequences: true, ..OPTIONS };
    let trained = train(&history(40, made_up), &options).unwrap();
    let best = trained.judged[0];
    assert!(best.regret < trained.single / 2.0, "{:?}", trained.judged);
    let table = Table::new(&history(40, made_up)).unwrap();
    let column = Column::Sequence { first: 0, seconds: 0.3, then: 1 };
    assert_eq!(column.cost(&table.programs[0], table.limit), 0.2);
    assert_eq!(column.cost(&table.programs[1], table.limit), 4.3);
    let plan = column.plan(&table);
    assert_eq!(plan.steps.len(), 2);
    assert_eq!(plan.steps[0].budget.ticks.map(u64::from), Some(900_000));
    assert_eq!(plan.steps[1].budget.ticks, None);
}

#[test]
fn what_teaches_nothing_is_refused() {
    let refused = |history: &History| train(history, &OPTIONS).unwrap_err();
    let said = |history: &History| refused(history).to_string();
    assert!(matches!(refused(&history(0, divided)), LearnError::Plans(0)));
    assert!(matches!(refused(&history(1, divided)), LearnError::Programs { found: 1, .. }));
    assert!(said(&history(40, |_| vec![Some(1.0)])).contains("too few plans: 1, and a choice needs two"));
    let mut alike = history(40, divided);
    alike.programs.iter_mut().for_each(|program| program.family = "same".into());
    assert!(said(&alike).contains("all programs are of the family same"));
    let mut wrong = history(40, divided);
    wrong.programs[3].features = Some(vec![f64::NAN]);
    assert!(said(&wrong).contains("the feature NUMBER of p3 is not a finite number"));
    let mut unknown = history(40, divided);
    unknown.strategies[0].plan = "[[step]]\nengine = \"jet\"\n".into();
    assert!(said(&unknown).contains("the plan plan0 cannot be followed: plan0:2: there is no `jet` here"));
    let mut mixed = history(40, divided);
    mixed.add_setting(Setting { cpu_limit: 1, ..Setting::default() });
    assert!(matches!(refused(&mixed), LearnError::Limits));
}

#[test]
fn a_program_without_a_run_of_each_plan_or_without_features_is_left_out() {
    let mut some = history(40, divided);
    some.rows.remove(0);
    some.programs[7].features = None;
    assert_eq!(Table::new(&some).unwrap().programs.len(), 38);
}
