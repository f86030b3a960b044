//! Marks places of a program: each becomes a target that an execution may pass.

use beeline_ir::file;
use beeline_llvm::checks;
use beeline_llvm::mark::{Mark, MarkKind, Marked, Point, Selection, mark};
use beeline_llvm::statics::forget;
use beeline_module::producer::Producer;
use clap::{Parser, ValueEnum};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLE: &str = "Example: which branches of a program can executions take?
  clang-19 -g -emit-llvm -c p.c -o p.bc
  beeline-mark p.bc --of branches -o marked.bc --list marks.json
  beeline-lower marked.bc --property marks -o p.cfa
  beeline-verify p.cfa --every";

/// Marks places of LLVM bitcode as targets, to find out which of them executions reach.
///
/// Lower the result with `--property marks`: each place is then a target that an execution may pass.
#[derive(Debug, Parser)]
#[command(name = "beeline-mark", version, after_help = EXAMPLE)]
struct Arguments {
    /// The program: LLVM bitcode with debug information
    module: PathBuf,
    /// The file for the marked bitcode
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What to mark
    #[arg(long, value_enum, required_unless_present_any = ["to", "havoc"], conflicts_with_all = ["to", "havoc"])]
    of: Option<Kind>,
    /// A place: FILE:LINE, a function, or call:FUNCTION. Several are a sequence: the last one is marked, for executions
    /// that pass all in this order. `FILE:LINE if CONDITION`, as `beeline reach` has it compiled, is where the program
    /// calls `beeline.condition` with the position of the place, from 0, and the condition's value
    #[arg(long, value_name = "PLACE")]
    to: Vec<String>,
    /// Skip places of a sequence that do not exist, except the last one
    #[arg(long, requires = "to")]
    skip_missing: bool,
    /// Mark nothing; give the local variables of this function any values, as inputs
    #[arg(long, value_name = "FUNCTION", conflicts_with_all = ["to", "list"])]
    havoc: Option<String>,
    /// Also give variables with static lifetime any values at the start of that function
    #[arg(long, requires = "havoc")]
    statics: bool,
    /// Assert that nothing of this kind happens (may be repeated)
    #[arg(long = "assert", value_name = "KIND", value_enum, requires = "havoc")]
    asserted: Vec<Asserted>,
    /// The file for the list of all marks, by number, as JSON
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Each way of each branch and switch; `&&`, `||` and `?:` branch as well
    Branches,
    /// Each line that has code
    Lines,
    /// Each function
    Functions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Asserted {
    /// Floats that get infinite
    FloatOverflow,
    /// Results of operations on floats that are no numbers
    Nan,
    /// Pointers that leave their objects
    PointerOverflow,
}

impl Asserted {
    fn kind(self) -> checks::Kind {
        match self {
            Asserted::FloatOverflow => checks::Kind::FloatOverflow,
            Asserted::Nan => checks::Kind::Nan,
            Asserted::PointerOverflow => checks::Kind::PointerOverflow,
        }
    }
}

fn point(text: &str) -> Result<Point, String> {
    if text.contains(" if ") {
        return Ok(Point::Condition(text.into()));
    }
    if let Some(name) = text.strip_prefix("call:") {
        return Ok(Point::Call(name.into()));
    }
    match text.rsplit_once(':') {
        Some((file, line)) => match line.parse() {
            Ok(line) if line > 0 && !file.is_empty() => Ok(Point::Line(file.into(), line)),
            _ => Err(format!("{text} is not a place; write FILE:LINE, a function, or call:FUNCTION")),
        },
        None => Ok(Point::Function(text.into())),
    }
}

fn main() -> ExitCode {
    beeline_cli::memory::confine("beeline-mark", None);
    match run(&beeline_cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            beeline_cli::tell!("beeline-mark: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let selection = match arguments.of {
        Some(Kind::Branches) => Selection::Branches,
        Some(Kind::Lines) => Selection::Lines,
        Some(Kind::Functions) => Selection::Functions,
        None => Selection::Sequence {
            points: arguments.to.iter().map(|text| point(text)).collect::<Result<_, _>>()?,
            skip_missing: arguments.skip_missing,
        },
    };
    for output in arguments.list.iter().chain([&arguments.output]) {
        file::expect_other(output, [arguments.module.as_path()]).map_err(|error| error.to_string())?;
    }
    let bytes = file::read_bytes(&arguments.module).map_err(|error| error.to_string())?;
    let version = Producer::version(&bytes);
    beeline_cli::versions::hand_over("beeline-mark", beeline_llvm::LLVM, version, &arguments.module);
    let name = arguments.module.display().to_string();
    if let Some(function) = &arguments.havoc {
        let bitcode =
            forget(&bytes, &name, function, arguments.statics).map_err(|error| error.to_string())?;
        let kinds: Vec<checks::Kind> = arguments.asserted.iter().map(|asserted| asserted.kind()).collect();
        let bitcode = checks::check(&bitcode, &name, &kinds).map_err(|error| error.to_string())?;
        return file::write_bytes(&arguments.output, &bitcode).map_err(|error| error.to_string());
    }
    let Marked { bitcode, marks } = mark(&bytes, &name, &selection).map_err(|error| error.to_string())?;
    if marks.is_empty() {
        return Err(format!("{name} has nothing to mark; compile it with -g"));
    }
    file::write_bytes(&arguments.output, &bitcode).map_err(|error| error.to_string())?;
    if let Some(list) = &arguments.list {
        let marks: Vec<Value> = marks.iter().enumerate().map(|(number, mark)| object(number, mark)).collect();
        let text = format!("{:#}\n", Value::from(marks));
        file::write_bytes(list, text.as_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn object(number: usize, mark: &Mark) -> Value {
    let (kind, case) = match &mark.kind {
        MarkKind::Taken => ("true", None),
        MarkKind::NotTaken => ("false", None),
        MarkKind::Case(value) => ("case", Some(value)),
        MarkKind::Default => ("default", None),
        MarkKind::Line => ("line", None),
        MarkKind::Function => ("function", None),
        MarkKind::Sequence => ("sequence", None),
    };
    let place = mark.place.as_ref();
    json!({
        "number": number,
        "kind": kind,
        "case": case,
        "function": mark.function,
        "file": place.map(|place| &place.0),
        "line": place.map(|place| place.1),
        "column": place.map(|place| place.2),
    })
}
