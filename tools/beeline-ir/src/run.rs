//! `beeline-ir run`: executes a program.

use crate::failure::Failure;
use beeline_interp::oracle::{Given, Random};
use beeline_interp::{Limits, Machine, Oracle, Outcome, Run, Source, eval, float};
use beeline_ir::text::print_op;
use beeline_ir::{Bits, CastOp, EdgeId, FloatKind, LocId, Program, Type, Value, file};
use clap::Args;
use num_bigint::BigInt;
use serde_json::json;
use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;

/// How to run.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The program, a .cfa file
    file: PathBuf,
    /// The next input's value, such as 5, -1, 0xff, 1.5 or true (may be repeated)
    #[arg(long = "value", value_name = "VALUE", allow_hyphen_values = true, value_parser = parse_given)]
    values: Vec<GivenValue>,
    /// A file with more values, separated by white space
    #[arg(long, value_name = "FILE")]
    values_file: Option<PathBuf>,
    /// Make up what is not given at random; without a seed it is zero
    #[arg(long)]
    seed: Option<u64>,
    /// Stop after as many edges
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().steps)]
    steps: u64,
    /// Print the edges taken
    #[arg(long)]
    trace: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// A value as it was written; the input that takes it decides its type.
#[derive(Debug, Clone)]
enum GivenValue {
    Bool(bool),
    Int(BigInt),
    Float(f64),
}

fn parse_given(text: &str) -> Result<GivenValue, String> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let int = match digits.strip_prefix("0x") {
        Some(hex) => BigInt::parse_bytes(hex.as_bytes(), 16),
        None if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            BigInt::parse_bytes(digits.as_bytes(), 10)
        }
        None => None,
    };
    match (text, int) {
        ("true", _) => Ok(GivenValue::Bool(true)),
        ("false", _) => Ok(GivenValue::Bool(false)),
        (_, Some(value)) => Ok(GivenValue::Int(if negative { -value } else { value })),
        _ => match text.parse() {
            Ok(value) => Ok(GivenValue::Float(value)),
            Err(_) => Err(format!("`{text}` is not a value; write one such as 5, -1, 0xff, 1.5 or true")),
        },
    }
}

impl GivenValue {
    /// The value at a type: integers modulo two to the width, floats to the nearest.
    fn at(&self, ty: Type) -> Value {
        let double = |value: f64| Value::float(FloatKind::F64, Bits::new(64, value.to_bits()));
        let wanted = match (self, ty) {
            (GivenValue::Bool(truth), Type::Bool) => return Value::Bool(*truth),
            (GivenValue::Int(value), Type::Bool) => return Value::Bool(*value != BigInt::ZERO),
            (GivenValue::Float(value), Type::Bool) => return Value::Bool(*value != 0.0),
            (GivenValue::Int(value), Type::Bv(width)) => return Value::Bv(Bits::from_bigint(width, value)),
            (GivenValue::Bool(truth), Type::Bv(width)) => return Value::bv(width, (*truth).into()),
            (GivenValue::Float(value), Type::Bv(_)) => eval::cast(CastOp::FToS, ty, &double(*value)),
            (GivenValue::Float(value), Type::Float(FloatKind::F64)) => return double(*value),
            (GivenValue::Float(value), Type::Float(_)) => eval::cast(CastOp::FToF, ty, &double(*value)),
            (GivenValue::Int(value), Type::Float(kind)) => return float::from_integer(kind, value),
            (GivenValue::Bool(truth), Type::Float(kind)) => {
                return float::from_integer(kind, &BigInt::from(*truth));
            }
        };
        wanted.unwrap_or_else(|_| Value::zero(ty))
    }
}

/// Given values for inputs, then those of another oracle.
struct Listed {
    values: VecDeque<GivenValue>,
    rest: Box<dyn Oracle>,
}

impl Oracle for Listed {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        let given = if matches!(source, Source::Input { .. }) { self.values.pop_front() } else { None };
        given.map_or_else(|| self.rest.value(source, ty), |value| value.at(ty))
    }

    fn choose(&mut self, enabled: usize) -> usize {
        self.rest.choose(enabled)
    }
}

/// Runs a program and reports how it ends.
pub(crate) fn run(args: &RunArgs, out: &mut impl Write) -> Result<(), Failure> {
    let program = file::read_program(&args.file)?.body;
    let mut values: VecDeque<GivenValue> = args.values.iter().cloned().collect();
    if let Some(path) = &args.values_file {
        for word in file::read_text(path)?.split_whitespace() {
            let value = parse_given(word)
                .map_err(|message| Failure::Message(format!("{}: {message}", path.display())))?;
            values.push_back(value);
        }
    }
    let rest: Box<dyn Oracle> = match args.seed {
        Some(seed) => Box::new(Random::new(seed)),
        None => Box::new(Given::default()),
    };
    let mut oracle = Listed { values, rest };
    let limits = Limits { steps: args.steps, trace: args.trace, record: true, ..Limits::default() };
    let run = Machine::new(&program).run(&mut oracle, &limits);
    if args.json {
        let object = json!({
            "outcome": outcome_word(&run.outcome),
            "text": outcome_text(&program, &run.outcome),
            "steps": run.steps,
            "trace": run.trace.iter().map(|edge| edge.as_u32()).collect::<Vec<_>>(),
            "inputs": inputs(&program, &run),
        });
        writeln!(out, "{object:#}")?;
        return Ok(());
    }
    for &edge in &run.trace {
        writeln!(out, "{}", edge_text(&program, edge))?;
    }
    writeln!(out, "{}", outcome_text(&program, &run.outcome))?;
    Ok(())
}

fn inputs(program: &Program, run: &Run) -> Vec<serde_json::Value> {
    run.values
        .iter()
        .filter_map(|(source, value)| match source {
            Source::Input { input, edge } => Some(json!({
                "input": program.inputs[*input],
                "edge": edge.as_u32(),
                "value": value_text(value),
            })),
            _ => None,
        })
        .collect()
}

fn place(program: &Program, loc: LocId) -> String {
    format!("{}:{}", program.functions[program.function_of(loc)].name, program.label(loc))
}

fn edge_text(program: &Program, id: EdgeId) -> String {
    let edge = &program.edges[id];
    let span = edge.span.map_or(String::new(), |span| format!("  @{}", program.show_span(span)));
    format!("{} -> {}: {}{span}", place(program, edge.src), program.label(edge.dst), print_op(program, id))
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Bv(bits) => bits.to_bigint().to_string(),
        Value::Float(FloatKind::F32, bits) => f32::from_bits(bits.to_u64().unwrap_or(0) as u32).to_string(),
        Value::Float(FloatKind::F64, bits) => f64::from_bits(bits.to_u64().unwrap_or(0)).to_string(),
        Value::Float(kind, bits) => format!("floatbits({:#x}, {})", bits.to_biguint(), kind.name()),
    }
}

fn outcome_word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Returned(_) => "returned",
        Outcome::Target(_) => "target",
        Outcome::Blocked(_) => "blocked",
        Outcome::Stuck(..) => "stuck",
        Outcome::OutOfSteps => "out of steps",
        Outcome::TooDeep => "too deep",
        Outcome::OutOfMemory => "out of memory",
    }
}

fn outcome_text(program: &Program, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returned(None) => "returned".into(),
        Outcome::Returned(Some(value)) => format!("returned {}", value_text(value)),
        Outcome::Target(index) => {
            let target = &program.targets[*index];
            let span = target.span.map_or(String::new(), |span| format!(" ({})", program.show_span(span)));
            format!("target {:?} reached at {}{span}", target.name, place(program, target.loc))
        }
        Outcome::Blocked(loc) => format!("blocked at {}: no edge is enabled", place(program, *loc)),
        Outcome::Stuck(reason, edge) => format!("stuck on {reason} at {}", edge_text(program, *edge)),
        Outcome::OutOfSteps => "out of steps; --steps allows more".into(),
        Outcome::TooDeep => "too many active calls".into(),
        Outcome::OutOfMemory => "more memory than the limit allows".into(),
    }
}
