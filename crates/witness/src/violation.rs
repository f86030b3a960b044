//! The content of a violation witness: the results of functions, and the place of the error.

use crate::c_text::{CType, value};
use crate::point::{Point, end_of_call};
use crate::schedule::{Schedule, has_threads};
use crate::unit::Unit;
use beeline_ir::{Program, SCHEDULE, Span, Target, Value};
use beeline_run::{Choice, RunPath};

/// A violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The inputs, in order.
    pub inputs: Vec<Input>,
    /// The call that must not be reached.
    pub target: Option<Point>,
    /// The turns of threads, if there are several.
    pub schedule: Option<Schedule>,
    /// The number of values that witnesses cannot express: they are not results of functions that the source
    /// calls.
    pub left_out: usize,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The function that was called.
    pub called: String,
    /// The result as a C constant.
    pub value: String,
    /// The place of the call; the column is that of its closing parenthesis.
    pub point: Point,
}

impl Violation {
    /// The violation of a counterexample, as far as it is in one C file.
    pub fn new(program: &Program, path: &RunPath, unit: &Unit) -> Violation {
        let inside = |span: Span| Some((unit.number(program, span)?, span.col));
        let mut violation = Violation { inputs: Vec::new(), target: None, schedule: None, left_out: 0 };
        let has_threads = has_threads(program);
        let mut indices = Vec::new();
        for choice in &path.choices {
            let input = match choice {
                Choice::Input { edge, input: Some(input), value, .. } => {
                    let edge = &program.edges[*edge];
                    let function = program.source_function(program.function_of(edge.src)).to_string();
                    let called = &program.inputs[*input];
                    let place = edge.span.and_then(inside);
                    let shown = shown(called, value, program.pointer_width);
                    place.zip(shown).map(|((line, col), value)| Input {
                        called: called.clone(),
                        value,
                        point: Point {
                            function: Some(function).filter(|_| !has_threads),
                            line,
                            column: unit.line(line).and_then(|text| end_of_call(text, col, called)),
                        },
                    })
                }
                _ => None,
            };
            let is_turn = matches!(choice, Choice::Input { input: Some(input), .. } if program.inputs[*input] == SCHEDULE);
            violation.left_out += usize::from(input.is_none() && !is_turn);
            indices.push(input.is_some().then_some(violation.inputs.len()));
            violation.inputs.extend(input);
        }
        let target = program.targets.iter().find(|target| target.loc == path.target);
        violation.target = target.and_then(|target| point(program, target, inside));
        violation.schedule = has_threads.then(|| Schedule::new(program, path, unit, &indices)).flatten();
        violation
    }
}

fn point(program: &Program, target: &Target, inside: impl Fn(Span) -> Option<(u32, u32)>) -> Option<Point> {
    let (line, col) = target.span.and_then(inside)?;
    let function = program.source_function(program.function_of(target.loc)).to_string();
    Some(Point { function: Some(function), line, column: Some(col).filter(|&col| col > 0) })
}

/// The result of a function as a constant of its type; `None` if C has no such constant.
fn shown(called: &str, given: &Value, pointer_width: u32) -> Option<String> {
    let text = match given {
        Value::Float(..) => value(given, CType::Unknown),
        Value::Bool(truth) => u8::from(*truth).to_string(),
        Value::Bv(bits) if is_unsigned(called) => bits.to_biguint().to_string(),
        Value::Bv(bits) => bits.to_bigint().to_string(),
    };
    let text = match given {
        Value::Bv(bits) if is_unsigned(called) && bits.width() >= 32 => text + "U",
        _ => text,
    };
    let text = match given {
        Value::Bv(bits) if bits.width() > 32 => text + if pointer_width == 64 { "L" } else { "LL" },
        _ => text,
    };
    // NAN and INFINITY are macros, and the least integer has no constant.
    let least = matches!(given, Value::Bv(bits) if bits.width() >= 32 && bits.sign() && bits.neg() == *bits);
    let is_constant = text.chars().any(|c| c.is_ascii_digit()) && (is_unsigned(called) || !least);
    is_constant.then_some(text)
}

/// Whether a function of SV-COMP returns an unsigned type, by its name.
fn is_unsigned(called: &str) -> bool {
    let ty = called.strip_prefix("__VERIFIER_nondet_").unwrap_or("");
    ty.starts_with('u') || ["size_t", "bool", "_Bool", "pointer"].contains(&ty)
}
