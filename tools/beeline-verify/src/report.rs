//! What is printed.
#![allow(clippy::print_stdout)] // The verdict belongs on standard output.

use beeline_engine::place::Step;
use beeline_engine::{Choice, Counterexample, Statistics, Verdict};
use beeline_ir::{EdgeId, Program, Value};
use serde_json::{Value as Json, json};

/// Prints the result of a run.
pub fn print(program: &Program, verdict: &Verdict, statistics: &Statistics, json: bool) {
    if json {
        println!("{}", object(program, verdict, statistics));
        return;
    }
    if program.targets.is_empty() {
        eprintln!("the program has no target: nothing can be violated");
    }
    if let Verdict::Unsafe(counterexample) = verdict {
        eprint!("{}", trace(program, counterexample));
    }
    eprintln!(
        "{} states, {} paths checked, {} value and {} predicate refinements, {} solver calls in {:.2} s, {:.2} s in all",
        statistics.states,
        statistics.paths_checked,
        statistics.value_refinements,
        statistics.predicate_refinements,
        statistics.solver_calls,
        statistics.solver_time.as_secs_f64(),
        statistics.time.as_secs_f64()
    );
    match verdict {
        Verdict::Safe(_) => println!("verdict: safe"),
        Verdict::Unsafe(_) => println!("verdict: unsafe"),
        Verdict::Unknown(reason) => println!("verdict: unknown ({reason})"),
    }
}

/// Prints an unknown verdict of a run that did not get to one by itself.
pub fn print_unknown(reason: &str, json: bool) {
    if json {
        println!("{}", json!({ "verdict": "unknown", "reason": reason }));
    } else {
        println!("verdict: unknown ({reason})");
    }
}

fn object(program: &Program, verdict: &Verdict, statistics: &Statistics) -> Json {
    let mut object = json!({
        "verdict": match verdict {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::Unknown(_) => "unknown",
        },
        "assumptions": program.assumptions.iter().map(|assumption| assumption.text.as_str()).collect::<Vec<_>>(),
        "statistics": {
            "states": statistics.states,
            "coverage_checks": statistics.coverage_checks,
            "restarts": statistics.restarts,
            "paths_checked": statistics.paths_checked,
            "value_refinements": statistics.value_refinements,
            "predicate_refinements": statistics.predicate_refinements,
            "predicates": statistics.predicates,
            "tracked": statistics.tracked,
            "abstractions": statistics.abstractions,
            "solver_calls": statistics.solver_calls,
            "solver_unknowns": statistics.solver_unknowns,
            "abstraction_seconds": statistics.abstraction_time.as_secs_f64(),
            "path_seconds": statistics.path_time.as_secs_f64(),
            "value_refinement_seconds": statistics.value_time.as_secs_f64(),
            "predicate_refinement_seconds": statistics.predicate_time.as_secs_f64(),
            "solver_seconds": statistics.solver_time.as_secs_f64(),
            "seconds": statistics.time.as_secs_f64(),
        },
    });
    match verdict {
        Verdict::Safe(proof) => object["proof_states"] = json!(proof.states.len()),
        Verdict::Unknown(reason) => object["reason"] = json!(reason.to_string()),
        Verdict::Unsafe(counterexample) => {
            let texts =
                counterexample.assumptions.iter().map(|&index| program.assumptions[index].text.as_str());
            object["rests_on"] = json!(texts.collect::<Vec<_>>());
            object["target"] = json!(target_name(program, counterexample));
            object["steps"] =
                json!(counterexample.steps.iter().map(|(step, _)| shown(program, *step)).collect::<Vec<_>>());
            object["choices"] = json!(
                counterexample.choices.iter().map(|choice| choice_json(program, choice)).collect::<Vec<_>>()
            );
        }
    }
    object
}

fn target_name<'a>(program: &'a Program, counterexample: &Counterexample) -> &'a str {
    let target = program.targets.iter().find(|target| target.loc == counterexample.target);
    target.map_or("", |target| &target.name)
}

fn place(program: &Program, edge: EdgeId) -> String {
    match program.edges[edge].span {
        Some(span) => program.show_span(span),
        None => {
            let loc = program.edges[edge].src;
            format!("{}:{}", program.functions[program.function_of(loc)].name, program.label(loc))
        }
    }
}

fn shown(program: &Program, step: Step) -> Json {
    let (kind, edge) = match step {
        Step::Edge(edge) => ("edge", edge),
        Step::Call(edge, _) => ("call", edge),
        Step::Return(edge) => ("return", edge),
    };
    json!({ "kind": kind, "edge": EdgeId::as_u32(edge), "at": place(program, edge) })
}

fn number(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Bv(bits) => bits.to_bigint().to_string(),
        Value::Float(kind, bits) => format!("{} {:#x}", kind.name(), bits.to_biguint()),
    }
}

fn choice_json(program: &Program, choice: &Choice) -> Json {
    match choice {
        Choice::Input { edge, var, input, value } => json!({
            "kind": "input",
            "input": input.map(|input| program.inputs[input].as_str()),
            "variable": program.vars[*var].name,
            "at": place(program, *edge),
            "value": number(value),
        }),
        Choice::Unwritten { var, value } => {
            json!({ "kind": "unwritten", "variable": program.vars[*var].name, "value": number(value) })
        }
        Choice::Cell { region, addr, value } => json!({
            "kind": "cell", "region": program.regions[*region].name, "address": addr, "value": number(value),
        }),
    }
}

/// The counterexample for a person: what comes from outside, and the target.
fn trace(program: &Program, counterexample: &Counterexample) -> String {
    let mut text = String::new();
    for choice in &counterexample.choices {
        let line = match choice {
            Choice::Input { edge, var, input, value } => {
                let source = input.map_or("any value", |input| &program.inputs[input]);
                let name = &program.vars[*var].name;
                format!("{}: {name} = {} ({source})", place(program, *edge), number(value))
            }
            Choice::Unwritten { var, value } => {
                format!("{} = {} (never written)", program.vars[*var].name, number(value))
            }
            Choice::Cell { region, addr, value } => {
                format!("{}[{addr:#x}] = {} (never written)", program.regions[*region].name, number(value))
            }
        };
        text.push_str(&line);
        text.push('\n');
    }
    for &index in &counterexample.assumptions {
        text.push_str(&format!("assuming that {}\n", program.assumptions[index].text));
    }
    text.push_str(&format!(
        "target {:?} reached after {} steps\n",
        target_name(program, counterexample),
        counterexample.steps.len()
    ));
    text
}
