//! A bug as a C program that fails without Beeline: it returns the inputs of the bug, and is compiled with the sources.
//!
//! Nothing is written that does not fail: the test is built and run first.

use crate::answer::{Answer, Word};
use crate::job::{Job, Source};
use crate::property;
use crate::step::{Word as Part, quoted};
use crate::targets::Severity;
use crate::tools;
use beeline_cli::temporary::Folder;
use beeline_ir::{FloatKind, Op, Program, SCHEDULE, Value, file};
use beeline_run::{Choice, RunPath};
use beeline_witness::expression::type_name;
use beeline_witness::show::input_type;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The exit code of a test that is asked for more inputs than the bug had.
const OUT_OF_INPUTS: i32 = 77;
/// Seconds that a test may take.
const PATIENCE: &str = "10";
/// The functions of verifiers, which sources need not define.
const INTRINSICS: &str = "\
/* What the program may call and need not define. */
__attribute__((weak)) void reach_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_assert(int condition) { if (!condition) abort(); }
__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
";

/// The results of a function: its type, and the values in their order, as C text.
struct Returned {
    ty: String,
    values: Vec<String>,
}

/// Writes the test for the first bug of an answer. Tells if there is none, which is no fault: the verdict and its exit code
/// stand.
pub(crate) fn write(output: &Path, answer: &Answer) -> Result<(), String> {
    let none = |why: &str| {
        beeline_cli::tell!("beeline: {} is not written: {why}", output.display());
        Ok(())
    };
    let first = answer.first().filter(|first| first.severity == Severity::Confirmed);
    let (Some((program, run)), Some(path)) = (&answer.result, first.and_then(|first| first.path)) else {
        return match answer.word() {
            Word::Unsafe => none("the bug is not confirmed"),
            Word::Safe | Word::Unknown => none("no bug was found"),
        };
    };
    let mut last = String::new();
    // A source that is included may define what others only call.
    for intrinsics in [INTRINSICS, ""] {
        let text = match text(program, &run.paths[path], &answer.job, (output, intrinsics)) {
            Ok(text) => text,
            Err(why) => return none(&why),
        };
        match fails(&text, &answer.job, program) {
            Ok(()) => return file::write_bytes(output, text.as_bytes()).map_err(|error| error.to_string()),
            Err(why) => last = why,
        }
    }
    none(&format!("{last}; `beeline-replay --emit FOLDER` writes a program with all inputs"))
}

fn text(
    program: &Program,
    path: &RunPath,
    job: &Job,
    (output, intrinsics): (&Path, &str),
) -> Result<String, String> {
    let inputs = inputs(program, path)?;
    let target = program.targets.iter().find(|target| target.loc == path.target);
    let what = target.map_or("an error", |target| target.name.as_str()).replace("*/", "");
    let mut command = vec!["cc".to_string()];
    command.extend(flags(job, program)?);
    command.extend([output.display().to_string(), "-o".into(), "test".into()]);
    let command = format!("{} && ./test", quoted(&command)).replace("*/", "");
    let mut text = format!(
        "/* A test that `beeline check` {} wrote: it fails while the program has this bug:\n     {what}\n   \
        Build and run it:\n     {command} */\n",
        env!("CARGO_PKG_VERSION")
    );
    if let Some(source) = included(job, program) {
        let _ = writeln!(
            text,
            "/* Included, because its functions may be static. */\n#include \"{source}\"\n#undef main\n"
        );
    }
    let _ = writeln!(text, "#include <stdio.h>\n#include <stdlib.h>\n\n{intrinsics}");
    let others = not_asked(program, &inputs);
    if !inputs.is_empty() || !others.is_empty() {
        text.push_str(
            "/* The inputs of the program, in this order; if it reads more, it has taken another path. */\n",
        );
        let _ = writeln!(
            text,
            "__attribute__((used)) static void out_of_inputs(void) {{ exit({OUT_OF_INPUTS}); }}"
        );
    }
    for function in others {
        // Whatever its type is.
        let _ = writeln!(text, "__asm__(\".weak {function}\\n.set {function}, out_of_inputs\");");
    }
    for (function, Returned { ty, values }) in &inputs {
        let _ = write!(
            text,
            "{ty} {function}(void) {{\n  static const {ty} values[] = {{{}}};\n  static unsigned next;\n  \
            if (next == sizeof values / sizeof *values)\n    out_of_inputs();\n  return values[next++];\n}}\n",
            values.join(", ")
        );
    }
    if job.function != "main" {
        text.push_str(&caller(program, path, &job.function)?);
    }
    Ok(text)
}

/// The file with the function where the program starts, if that is not `main`: the test includes it.
fn included<'p>(job: &Job, program: &'p Program) -> Option<&'p str> {
    let file = program.functions[program.entry].file.filter(|_| job.function != "main")?;
    Some(&program.files[file])
}

/// The results of the functions that return inputs.
fn inputs(program: &Program, path: &RunPath) -> Result<BTreeMap<String, Returned>, String> {
    let mut found: BTreeMap<String, Returned> = BTreeMap::new();
    for choice in &path.choices {
        let Choice::Input { edge, var, input: Some(input), value } = choice else { continue };
        let function = &program.inputs[*input];
        if function == SCHEDULE {
            return Err("the bug needs a certain order of threads".into());
        }
        if program.edges[*edge].span.is_none() || !is_name(function) {
            return Err(format!("the bug needs a certain result of {function} of the C library"));
        }
        let (ty, value) = written(input_type(program, *var, function), value)
            .ok_or_else(|| format!("{function} returns a value that C cannot write"))?;
        let known = found.entry(function.clone()).or_insert(Returned { ty, values: Vec::new() });
        known.values.push(value);
    }
    Ok(found)
}

/// The functions that give inputs in the source, but none that the bug needs.
fn not_asked<'p>(program: &'p Program, inputs: &BTreeMap<String, Returned>) -> BTreeSet<&'p str> {
    let edges = program.edges.values().filter(|edge| edge.span.is_some());
    let asked = edges.filter_map(|edge| match edge.op {
        Op::Havoc(_, Some(input)) => Some(program.inputs[input].as_str()),
        _ => None,
    });
    asked.filter(|function| is_name(function) && !inputs.contains_key(*function)).collect()
}

fn is_name(function: &str) -> bool {
    function.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A value with a type of C that holds it.
fn written(ty: &str, value: &Value) -> Option<(String, String)> {
    let unsigned = ty.contains("unsigned") || ty.starts_with("uint") || ty == "size_t" || ty.contains("ool");
    match value {
        Value::Bool(truth) => Some(("_Bool".into(), u8::from(*truth).to_string())),
        Value::Float(kind, bits) => {
            let bits = bits.to_u64()?;
            let (ty, number) = match kind {
                FloatKind::F32 => ("float", f64::from(f32::from_bits(u32::try_from(bits).ok()?))),
                FloatKind::F64 => ("double", f64::from_bits(bits)),
                _ => return None,
            };
            // Decimal digits lead back to the same number; what is none has no digits.
            number.is_finite().then(|| (ty.into(), format!("{number:?}")))
        }
        Value::Bv(bits) => {
            let plain =
                ["char", "long", "unsigned long", "long long", "unsigned long long", "int", "unsigned int"];
            let ty = match (bits.width(), unsigned) {
                // The source declares it so, where the test includes it.
                (8.., _) if plain.contains(&ty) => ty,
                (1, _) => "_Bool",
                (width, unsigned) => type_name(width, !unsigned)?,
            };
            let number = match (bits.width(), unsigned) {
                (64, true) => format!("{}u", bits.to_biguint()),
                (_, true) | (1, _) => bits.to_biguint().to_string(),
                // The least number of a type cannot be written with a sign.
                (64, false) if bits.to_i64() == Some(i64::MIN) => format!("{} - 1", i64::MIN + 1),
                (_, false) => bits.to_bigint().to_string(),
            };
            Some((ty.into(), number))
        }
    }
}

/// A `main` that calls the function where the program starts, with the arguments of the path.
fn caller(program: &Program, path: &RunPath, function: &str) -> Result<String, String> {
    let mut values = Vec::new();
    for &param in &program.functions[program.entry].params {
        let given = path.choices.iter().find_map(|choice| match choice {
            Choice::Unwritten { var, value } if *var == param => Some(value),
            _ => None,
        });
        let source = program.vars[param].source.as_ref().map_or("", |source| &source.ty);
        if source.contains('*') {
            return Err(format!("{function} has pointer arguments"));
        }
        let (_, value) = match given {
            Some(given) => written(source, given)
                .ok_or_else(|| format!("{function} has an argument that C cannot write"))?,
            None => (String::new(), "0".into()),
        };
        values.push(value);
    }
    Ok(format!("\nint main(void) {{\n  {function}({});\n  return 0;\n}}\n", values.join(", ")))
}

/// The flags and files with which the test is compiled.
fn flags(job: &Job, program: &Program) -> Result<Vec<String>, String> {
    let mut words = vec!["-g".to_string()];
    let sanitizers = property::sanitizers(&job.properties);
    let is_of_memory = program.targets.iter().any(|target| target.property.starts_with("valid-"));
    let kinds = sanitizers.into_iter().chain(is_of_memory.then(|| "address".to_string()));
    let kinds: Vec<String> = kinds.collect();
    if !kinds.is_empty() {
        words.push(format!("-fsanitize={}", kinds.join(",")));
        words.push("-fno-sanitize-recover=all".into());
    }
    words.extend(job.flags.iter().cloned());
    if job.function != "main" {
        // Code that the function does not need, such as the program's own main, may call undefined functions.
        let flags = ["-Dmain=main_of_the_program", "-iquote.", "-ffunction-sections", "-Wl,--gc-sections"];
        words.extend(flags.map(String::from));
    }
    let included = included(job, program).map(Path::new);
    for source in &job.sources {
        match source {
            Source::C(Part::Given(path), own) => {
                words.extend(own.iter().cloned());
                words.extend((included != Some(path)).then(|| path.display().to_string()));
            }
            _ => return Err("tests need C files".into()),
        }
    }
    Ok(words)
}

/// Builds and runs a test, and returns whether it fails.
fn fails(text: &str, job: &Job, program: &Program) -> Result<(), String> {
    let folder = Folder::new()?;
    let (source, built) = (folder.path().join("test.c"), folder.path().join("test"));
    std::fs::write(&source, text).map_err(|error| format!("it cannot be run: {error}"))?;
    let mut command = Command::new(tools::clang()?);
    command.args(flags(job, program)?).arg("-w").arg(&source).arg("-o").arg(&built);
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run clang: {error}"))?;
    if !output.status.success() {
        return Err("it does not link with the sources".into());
    }
    let mut run = Command::new("timeout");
    run.args(["--kill-after=1", PATIENCE]).arg(&built);
    // A sanitizer ends the program as an assertion does: whatever a program returns by itself is no failure.
    run.env("ASAN_OPTIONS", "abort_on_error=1").env("UBSAN_OPTIONS", "abort_on_error=1");
    run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = run.status().map_err(|error| format!("cannot run timeout: {error}"))?;
    // A process that a signal ended has no code, or 128 plus the signal's number.
    match status.code() {
        Some(0..128) => Err("the program does not fail with the results of functions alone".into()),
        Some(_) | None => Ok(()),
    }
}
