//! The answer as readable text.

use crate::advice;
use crate::answer::{Answer, Memory, Word};
use crate::path::ErrorPath;
use crate::proof::safety;
use crate::property;
use crate::summary;
use crate::targets::TargetAnswer;
use anstyle::{AnsiColor, Style};
use beeline_ir::{Program, SCHEDULE, Span, Target};
use beeline_module::mangled::demangle_all;
use beeline_run::share::Share;
use beeline_run::{Choice, HOPES, Run, RunPath};
use beeline_witness::command::{Command, is_of_world};
use beeline_witness::execution::{Place, execute};
use beeline_witness::show::{Named, of_input, of_variable, written};
use beeline_witness::source::Sources;
use beeline_witness::story;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

const BOLD: Style = Style::new().bold();
const RED: Style = AnsiColor::Red.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();

/// Lines of a list that are shown.
pub(crate) const LISTED: usize = 12;
/// A tabulator is shown as so many blanks.
const TABULATOR: &str = "        ";

static PRINTED: AtomicBool = AtomicBool::new(false);

/// Whether something was printed to standard output.
pub(crate) fn has_printed() -> bool {
    PRINTED.load(Ordering::Relaxed)
}

/// Prints to standard output, with the source's names of symbols; a closed output is no error.
pub(crate) fn print(text: &str) -> Result<(), String> {
    PRINTED.store(true, Ordering::Relaxed);
    let mut out = anstream::stdout();
    match out.write_all(demangle_all(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Prints an answer.
pub(crate) fn tell(answer: &Answer, whole_path: bool) -> Result<(), String> {
    tell_with(answer, whole_path, &answer.line())
}

/// Prints an answer with a last line of its own.
pub(crate) fn tell_with(answer: &Answer, whole_path: bool, last: &str) -> Result<(), String> {
    let mut text = String::new();
    if let Some((program, run)) = &answer.result {
        let targets = answer.targets();
        text.push_str(&errors(program, run, answer, &targets, whole_path));
        if answer.word() == Word::Safe {
            text.push_str(&safety(program, run, answer));
        } else if targets.len() > 1 || is_open(answer, &targets) {
            text.push_str(&summary::of(program, run, &targets));
        }
    }
    if answer.word() == Word::Unknown
        && let Some((program, run)) = &answer.result
        && let Some(rest) = run.rests.last()
    {
        let _ = writeln!(text, "{}", Share::of(program, rest).told(program));
    }
    if answer.word() == Word::Unknown
        && let Some(advice) = advice::against(answer)
    {
        let _ = writeln!(text, "Hint: {advice}.");
    }
    if let Some(earlier) = &answer.earlier {
        let _ = writeln!(text, "Since the earlier result: {}.", earlier.change(answer.word()));
    }
    let style = match answer.word() {
        // That a place is reached is no bad news.
        Word::Unsafe if !answer.job.marks.is_empty() => GREEN,
        Word::Safe => GREEN,
        Word::Unsafe => RED,
        Word::Unknown => YELLOW,
    };
    let _ = writeln!(text, "{style}{last}{style:#}");
    print(&text)
}

/// Whether a target is open and has no path, in a job that is not about marks.
fn is_open(answer: &Answer, targets: &[TargetAnswer]) -> bool {
    let open = targets.iter().any(|known| known.word() == Word::Unknown && known.path.is_none());
    open && answer.job.marks.is_empty()
}

/// `precondition` or `postcondition`, as a function of CBMC is called.
fn condition(function: &str) -> &str {
    function.rsplit('_').next().unwrap_or(function)
}

/// The description of a target; the path to it adds details.
pub(crate) fn violation(target: &Target, found: Option<&ErrorPath>) -> String {
    let function = target.name.split(' ').next().unwrap_or_default();
    match target.property.as_str() {
        "unreach-call" if function.starts_with("__assert") || function == "_assert" => {
            "the assertion fails".into()
        }
        "unreach-call" if function == "beeline_is_finite" => "a float gets infinite".into(),
        "unreach-call" if function == "beeline_is_number" => {
            "the result of a float operation is no number".into()
        }
        "unreach-call" if function == "beeline_is_within" => "a pointer leaves its object".into(),
        "unreach-call" if function.ends_with("assert") => "the assertion fails".into(),
        "unreach-call" if function.ends_with("condition") => format!("the {} fails", condition(function)),
        "unreach-call" => format!("{function} is called"),
        "no-overflow" if function.starts_with("__ubsan_handle_divrem") => {
            "a division is by zero or overflows".into()
        }
        "no-overflow" if function.starts_with("__ubsan_handle_shift") => {
            "a left shift of a signed integer overflows".into()
        }
        "no-unsigned-overflow" => "an unsigned integer overflows".into(),
        "no-overflow" => "a signed integer overflows".into(),
        "bounds" => "an access is out of bounds".into(),
        // Clang asks for both at once.
        "null" if found.is_some_and(ErrorPath::reads_no_null) => {
            "a null or misaligned pointer is used".into()
        }
        "null" => "a null pointer is used".into(),
        "valid-deref" => "memory is accessed outside of a live object".into(),
        "valid-free" => "a pointer that is not a live heap object is freed".into(),
        "valid-memtrack" => "memory leaks: it is not freed and no pointer leads to it".into(),
        "valid-memcleanup" => "memory is not freed".into(),
        "shift" => "a shift is too wide".into(),
        _ if function.starts_with("__ubsan_handle_implicit_conversion") => {
            "a conversion changes the value".into()
        }
        _ if function.starts_with("__ubsan_handle_float_cast") => {
            "the integer type cannot represent the float".into()
        }
        "unreachable" => "an unreachable place is reached".into(),
        property::REACH => "an execution reaches this place".into(),
        "no-data-race" => target.name.replacen("data-race", "a data race", 1),
        "no-deadlock" => "all threads wait: a deadlock".into(),
        "panic" => format!("the program panics in {function}"),
        _ => target.name.clone(),
    }
}

/// Where a violation is in the user's code: in a function of the library, that is where it was called, or where it is
/// called first.
pub(crate) fn at(program: &Program, target: &Target, found: Option<&ErrorPath>) -> Option<Span> {
    let callers = found.into_iter().flat_map(|found| &found.callers);
    let known = target.span.or_else(|| callers.filter_map(|(span, _)| *span).next());
    known.or_else(|| program.callers(program.function_of(target.loc)).into_iter().next())
}

/// The errors or possible errors: the path to the first one, or to all, and the places of the others.
fn errors(program: &Program, run: &Run, answer: &Answer, targets: &[TargetAnswer], whole: bool) -> String {
    let mut text = String::new();
    let paths: Vec<(&TargetAnswer, usize)> =
        targets.iter().filter_map(|target| Some((target, target.path?))).collect();
    for &(known, index) in paths.iter().take(if whole { usize::MAX } else { LISTED }) {
        let is_first = text.is_empty();
        let found = ErrorPath::follow(program, &run.paths[index]);
        text.push_str(&error(program, answer, known, index, found.as_ref()));
        if is_first || whole {
            text.push_str(&way(program, answer, &run.paths[index], found.as_ref(), whole));
            let memory = answer.replays.get(index).map_or(&[][..], |replay| &replay.memory);
            let inputs = inputs(program, &run.paths[index], memory);
            text.push_str(&list("\nInputs, in this order:", inputs));
            let command = Command::of(program, &run.paths[index]).map(|command| command.shown());
            text.push_str(&list("\nTo run it:", command.unwrap_or_default()));
        }
        text.push('\n');
    }
    // Some targets may be safe where others are not.
    if !paths.is_empty() || answer.word() != Word::Safe && !run.proofs.is_empty() {
        text.push_str(&assumed(run.assumptions(program)));
    }
    text
}

/// Where an error is, and with which values.
fn error(
    program: &Program,
    answer: &Answer,
    known: &TargetAnswer,
    index: usize,
    found: Option<&ErrorPath>,
) -> String {
    let mut sources = answer.job.lines();
    let mut text = String::new();
    if let Some(target) = program.targets.iter().find(|target| target.loc == known.target) {
        let span = at(program, target, found);
        let place = span.map_or(String::new(), |span| format!("{}: ", program.show_span(span)));
        let function = program.source_function(program.function_of(target.loc));
        let what = violation(target, found);
        let (kind, color) = match (known.word(), answer.job.marks.is_empty()) {
            (Word::Unsafe, true) => ("error", RED),
            (Word::Unsafe, false) => ("reached", GREEN),
            (_, true) => ("possible error", YELLOW),
            (_, false) => ("possibly reached", YELLOW),
        };
        let _ = writeln!(text, "{BOLD}{place}{color}{kind}:{color:#} {BOLD}{what} in {function}{BOLD:#}");
        text.push_str(&span.map(|span| marked(program, &mut sources, span)).unwrap_or_default());
        if let Some(finding) = answer.replays.get(index).and_then(|replay| replay.finding.as_ref()) {
            let _ = writeln!(text, "{:7} = {finding}", "");
        }
    }
    let Some(found) = found else { return text };
    if !found.values.is_empty() {
        let _ = writeln!(text, "{:7} = where {}", "", told(&found.values));
    }
    for (span, function) in &found.callers {
        let Some(span) = *span else { continue };
        let _ = writeln!(text, "{BOLD}{}: note:{BOLD:#} called from {function}", program.show_span(span));
        text.push_str(&marked(program, &mut sources, span));
    }
    text
}

/// The path to an error.
fn way(program: &Program, answer: &Answer, path: &RunPath, found: Option<&ErrorPath>, whole: bool) -> String {
    found.map_or(String::new(), |found| {
        let mut sources = answer.job.lines();
        let moments = story::moments(program, &found.executed, path.target, &mut sources, whole);
        let way = story::text(program, &moments, &mut sources, whole);
        let hint = match whole || story::is_whole(&moments) {
            true => "",
            false => " (only the steps that the error depends on; --whole-path shows all)",
        };
        format!("\nPath{hint}:\n{}", indented(&way))
    })
}

/// The line of a place with a mark below it, if its file can be read.
fn marked(program: &Program, sources: &mut Sources, span: Span) -> String {
    let Some(line) = sources.whole_line(&program.files[span.file], span.line) else { return String::new() };
    let before: String = line.chars().take((span.col.max(1) - 1) as usize).collect();
    let blanks = " ".repeat(before.replace('\t', TABULATOR).chars().count());
    let mark = if span.col == 0 { String::new() } else { format!("{:7} | {blanks}{RED}^{RED:#}\n", "") };
    format!("{:7} | {}\n{mark}", span.line, line.replace('\t', TABULATOR).trim_end())
}

fn indented(text: &str) -> String {
    text.lines().fold(String::new(), |text, line| text + "  " + line + "\n")
}

/// The inputs, in the order in which they are read.
pub(crate) fn inputs(program: &Program, path: &RunPath, memory: &[Memory]) -> Vec<String> {
    let entry = &program.functions[program.entry];
    // The address of the list of arguments is irrelevant.
    let arguments = entry.params.get(1).filter(|_| entry.name == "main");
    // How many there are is what `main` begins with, if the number cannot be.
    let count = entry.params.first().filter(|_| entry.name == "main");
    let begun = || {
        let is_count = |place| matches!(place, Place::Local(var, _) if Some(&var) == count);
        let mut writes = execute(program, path).ok()?.steps.into_iter().flat_map(|step| step.writes);
        writes.find(|(place, _)| is_count(*place)).map(|(_, value)| value)
    };
    let lines = path.choices.iter().filter_map(|choice| match choice {
        Choice::Input { edge, var, input: Some(input), value } => {
            if program.inputs[*input] == SCHEDULE || is_of_world(&program.inputs[*input]) {
                return None;
            }
            let edge = &program.edges[*edge];
            // What the library takes from outside has the one line that calls it.
            let callers = program.callers(program.function_of(edge.src));
            let caller = callers.first().copied().filter(|_| callers.len() == 1);
            let place = edge.span.or(caller).map_or(String::new(), |span| program.show_span(span) + ": ");
            let function = written(&program.inputs[*input]);
            Some(format!("{place}{function}() returns {}", of_input(program, *var, function, value)))
        }
        Choice::Unwritten { var, value } if Some(var) != arguments => {
            let source = program.vars[*var].source.as_ref()?;
            let begun = (Some(var) == count).then(begun).flatten();
            let value = begun.as_ref().unwrap_or(value);
            Some(format!("{} is initially {}", source.name, of_variable(program, *var, value)))
        }
        Choice::Input { input: None, .. } | Choice::Cell { .. } | Choice::Unwritten { .. } => None,
    });
    let held = memory.iter().map(|held| format!("{} is initially {}", held.name, held.value));
    lines.chain(held).collect()
}

/// Names with their values.
pub(crate) fn told(values: &[Named]) -> String {
    values.iter().map(Named::to_string).collect::<Vec<_>>().join(", ")
}

/// Assumptions as text: one that holds at many places is one line, and stands behind the others.
pub(crate) fn assumed(all: BTreeSet<String>) -> String {
    let mut lines = Vec::new();
    let mut placed: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in &all {
        match line.split_once(": ").filter(|(_, text)| HOPES.contains(text)) {
            Some((place, text)) => placed.entry(text).or_default().push(place),
            None => lines.push(line.clone()),
        }
    }
    for (text, places) in placed {
        match &places[..] {
            [first, second, third, _, ..] => {
                let more = places.len() - 3;
                lines.push(format!("{text}, at {first}, {second}, {third} and {more} more places"));
            }
            few => lines.extend(few.iter().map(|place| format!("{place}: {text}"))),
        }
    }
    list("Assumptions:", lines)
}

/// Lines under a title, the first ones if there are many; empty if there are none.
pub(crate) fn list(title: &str, lines: Vec<String>) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let more = lines.len().saturating_sub(LISTED);
    let mut text =
        lines.iter().take(LISTED).fold(format!("{title}\n"), |text, line| text + "  " + line + "\n");
    if more > 0 {
        let _ = writeln!(text, "  and {more} more; --json shows them all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_at_many_places_are_one_line_behind_the_others() {
        let at = |places: &str| {
            places.chars().map(|place| format!("{place}.c:1: {}", HOPES[0])).collect::<Vec<_>>()
        };
        let all = |places: &str| at(places).into_iter().chain(["b is pure".to_string()]).collect();
        assert_eq!(
            assumed(all("abcde")),
            format!("Assumptions:\n  b is pure\n  {}, at a.c:1, b.c:1, c.c:1 and 2 more places\n", HOPES[0])
        );
        assert_eq!(
            assumed(all("ac")),
            format!("Assumptions:\n  b is pure\n  a.c:1: {0}\n  c.c:1: {0}\n", HOPES[0])
        );
    }
}
