//! The answer as one page for browsers, which needs nothing else: the source with what is known at its lines.
//!
//! It reads without scripts, too; these step through paths.

mod drawing;
mod graphs;
mod schedule;

use crate::answer::{Answer, Word};
use crate::path::ErrorPath;
use crate::proof::loop_facts;
use crate::property;
use crate::report::{at, violation};
use crate::step::quoted;
use crate::summary;
use crate::targets::TargetAnswer;
use beeline_ir::{FileId, Program, Span};
use beeline_module::mangled::demangle_all;
use beeline_run::{Run, RunPath};
use beeline_witness::source::Sources;
use beeline_witness::story::{self, Kind};
use graphs::Known;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::SystemTime;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The notes below a line: kind and text.
type Notes = BTreeMap<(FileId, u32), Vec<(&'static str, String)>>;

/// A step of a path as the page shows it.
struct Shown {
    /// Where it is, if the source has a line for it.
    span: Option<Span>,
    depth: usize,
    text: String,
    remark: String,
    /// The thread that goes on, if another one does.
    thread: Option<String>,
}

/// The page.
pub(crate) fn page(answer: &Answer) -> String {
    let word = answer.word().name();
    let mut side = format!("<h1 class=\"{word}\">{}</h1>\n{}", escaped(&answer.line()), about(answer));
    let (mut body, mut steps) = (String::new(), json!([]));
    if let Some((program, run)) = &answer.result {
        let targets = answer.targets();
        let paths: Vec<Vec<Shown>> = run.paths.iter().map(|path| way(program, answer, path)).collect();
        side.push_str(&targets_list(program, run, &targets));
        side.push_str(&ways(&paths));
        side.push_str(&assumptions(program, run));
        side.push_str(&figures(run, answer));
        let notes = notes(program, run, answer, &targets);
        body = source(program, &targets, &paths, &notes, &answer.job.lines());
        body += &schedule::schedule(&paths);
        body += &graphs::graphs(program, run, &known(program, run, &targets));
        steps = json!(paths.iter().map(|path| path.iter().map(step).collect::<Vec<_>>()).collect::<Vec<_>>());
    }
    // Nothing in the data can end the script.
    let steps = demangle_all(&steps.to_string()).replace('<', "\\u003c");
    let script = format!(
        "<script type=\"application/json\" id=\"paths\">{steps}</script>\n<script>\n{SCRIPT}</script>\n"
    );
    document(&format!("{}: {word}", answer.job.name), &side, &body, &script)
}

/// The job, its options, the version, and the time.
fn about(answer: &Answer) -> String {
    let command: Vec<String> = std::env::args().collect();
    let rows = [
        ("Property", property::names(&answer.job.properties)),
        ("Command", quoted(&command)),
        ("Beeline", env!("CARGO_PKG_VERSION").to_string()),
        ("Date", date(SystemTime::now())),
    ];
    let rows = rows.map(|(name, value)| format!("<dt>{name}<dd>{}\n", escaped(&value)));
    format!("<dl class=\"about\">\n{}</dl>\n", rows.concat())
}

/// A day in the calendar, of universal time.
fn date(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // Years begin in March, so that the day that is not in each comes last; an era has 400 years.
    let days = since.as_secs() / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let in_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let in_month = in_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{}-{month:02}-{in_month:02}", era * 400 + year + u64::from(month <= 2))
}

/// A page with its side column, and the scripts at its end.
pub(crate) fn document(title: &str, side: &str, main: &str, scripts: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n<nav>\n{side}</nav>\n<main>\n{main}</main>\n{scripts}</html>\n",
        escaped(title)
    )
}

/// The steps of a path that matter.
fn way(program: &Program, answer: &Answer, path: &RunPath) -> Vec<Shown> {
    let Some(found) = ErrorPath::follow(program, path) else { return Vec::new() };
    let mut sources = answer.job.lines();
    let moments = story::moments(program, &found.executed, path.target, &mut sources, false);
    let shown = moments.into_iter().map(|moment| Shown {
        text: match &moment.kind {
            Kind::Enter(call) => call.clone(),
            Kind::Return(value) => format!("returns {}", value.as_deref().unwrap_or("")),
            Kind::LeftOut(1) => "... 1 line that the error does not depend on".into(),
            Kind::LeftOut(number) => format!("... {number} lines that the error does not depend on"),
            Kind::Thread(name) => format!("{name} goes on"),
            Kind::Reached(name) => format!("reached: {name}"),
            Kind::Line => {
                let line = moment.span.and_then(|span| sources.line(&program.files[span.file], span.line));
                line.unwrap_or_default().to_string()
            }
        },
        thread: match &moment.kind {
            Kind::Thread(name) => Some(name.clone()),
            _ => None,
        },
        span: moment.span,
        depth: moment.depth,
        remark: moment.remarks.join("; "),
    });
    shown.collect()
}

/// What drawings show of the answer.
fn known(program: &Program, run: &Run, targets: &[TargetAnswer]) -> Known {
    let path = run.paths.first();
    let edges = path.iter().flat_map(|path| &path.steps).map(|step| &program.edges[step.edge()]);
    let ends = edges.flat_map(|edge| [edge.src, edge.dst]);
    let target = path.map(|path| path.target);
    Known {
        verdicts: targets.iter().map(|known| (known.target, known.word())).collect(),
        path: ends.chain(target).collect(),
    }
}

/// A step for the script.
fn step(shown: &Shown) -> serde_json::Value {
    json!({ "line": shown.span.map(|span| line_id((span.file, span.line))), "remark": shown.remark })
}

/// The targets, each with its verdict.
fn targets_list(program: &Program, run: &Run, targets: &[TargetAnswer]) -> String {
    let mut text = String::from("<h2>Targets</h2>\n<ul class=\"targets\">\n");
    for known in targets {
        let place = place(program, run, known);
        let (what, word) = (what(program, run, known), known.word().name());
        let at = match place {
            Some(span) => format!(
                "<a href=\"#{}\">{}</a>",
                line_id((span.file, span.line)),
                escaped(&program.show_span(span))
            ),
            None => escaped(program.source_function(program.function_of(known.target))),
        };
        let way = known.path.map(|path| format!(" <button data-path=\"{path}\">show the path</button>"));
        let _ = writeln!(
            text,
            "<li><b class=\"{word}\">{word}</b> {at}: {} <small>({})</small>{}</li>",
            escaped(&what),
            escaped(&known.remark),
            way.unwrap_or_default()
        );
    }
    if targets.is_empty() {
        text.push_str("<li>none: there was nothing to check</li>\n");
    }
    text += "</ul>\n";
    if let Some(note) = summary::of_earlier_errors(program, targets) {
        let _ = writeln!(text, "<p>{note}</p>");
    }
    text
}

/// Where a target is in the user's code.
fn place(program: &Program, run: &Run, known: &TargetAnswer) -> Option<Span> {
    let target = program.targets.iter().find(|target| target.loc == known.target)?;
    at(program, target, followed(program, run, known).as_ref())
}

fn followed<'p>(program: &'p Program, run: &Run, known: &TargetAnswer) -> Option<ErrorPath<'p>> {
    known.path.and_then(|path| ErrorPath::follow(program, &run.paths[path]))
}

/// What a target is about.
fn what(program: &Program, run: &Run, known: &TargetAnswer) -> String {
    let target = program.targets.iter().find(|target| target.loc == known.target);
    let found = followed(program, run, known);
    let what = target.map_or(String::new(), |target| violation(target, found.as_ref()));
    match (known.word(), known.path) {
        (Word::Unsafe, _) => what,
        (Word::Unknown, Some(_)) => format!("perhaps {what}"),
        (Word::Unknown, None) => format!("open whether {what}"),
        (Word::Safe, _) => format!("never: {what}"),
    }
}

/// The paths with buttons to step through them.
fn ways(paths: &[Vec<Shown>]) -> String {
    if paths.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<h2>Path</h2>\n<div class=\"steps\"><button id=\"back\">back</button> <button id=\"on\">on</button> \
         <span id=\"count\"></span><table class=\"source\" id=\"near\"></table></div>\n",
    );
    for path in paths {
        text.push_str("<ol class=\"way\">\n");
        for shown in path {
            let remark = match shown.remark.is_empty() {
                true => String::new(),
                false => format!(" <small>// {}</small>", escaped(&shown.remark)),
            };
            let _ = writeln!(
                text,
                "<li style=\"margin-left:{}em\"><code>{}</code>{remark}</li>",
                shown.depth.min(10),
                escaped(&shown.text)
            );
        }
        text.push_str("</ol>\n");
    }
    text
}

fn assumptions(program: &Program, run: &Run) -> String {
    let assumptions = run.assumptions(program);
    if assumptions.is_empty() {
        return String::new();
    }
    let items: String = assumptions.iter().map(|text| format!("<li>{}</li>\n", escaped(text))).collect();
    format!("<h2>Assumptions</h2>\n<ul>\n{items}</ul>\n")
}

/// The time of each step, and the figures.
fn figures(run: &Run, answer: &Answer) -> String {
    let row = |name: &str, value: String| format!("<tr><td>{}<td>{value}</tr>\n", escaped(name));
    let tool = |command: &str| command.split(' ').next().unwrap_or(command).to_string();
    let times = answer.commands.iter();
    let times = times.map(|(command, time)| row(&tool(command), format!("{:.2} s", time.as_secs_f64())));
    let counts = run.statistics.iter().filter(|figure| figure.value > 0);
    let counts = counts.map(|figure| row(&figure.name, figure.value.to_string()));
    let rows: String = times.chain(counts).collect();
    format!("<h2>Statistics</h2>\n<table class=\"figures\">\n{rows}</table>\n")
}

/// The notes at lines: verdicts, invariants, assumptions.
fn notes(program: &Program, run: &Run, answer: &Answer, targets: &[TargetAnswer]) -> Notes {
    let mut notes = Notes::new();
    for known in targets {
        if let Some(span) = place(program, run, known) {
            let word = known.word().name();
            let text = format!("{word}: {}", what(program, run, known));
            notes.entry((span.file, span.line)).or_default().push((word, text));
        }
    }
    if let (Some(graphs), true) = (run.whole_graphs(), run.paths.is_empty()) {
        for fact in loop_facts(program, &graphs, &answer.job.lines()) {
            if let Some((file, _)) = program.files.iter().find(|(_, name)| *name == fact.file) {
                let text = format!("always: {}", fact.text);
                notes.entry((file, fact.line)).or_default().push(("always", text));
            }
        }
    }
    for assumption in run.assumptions(program) {
        let at = program.files.iter().find_map(|(file, name)| {
            let rest = assumption.strip_prefix(name.as_str())?.strip_prefix(':')?;
            Some((file, rest.split(':').next()?.parse().ok()?))
        });
        if let Some(at) = at {
            notes.entry(at).or_default().push(("assumed", format!("assumed: {assumption}")));
        }
    }
    notes
}

/// The files that matter, with notes below their lines.
fn source(
    program: &Program,
    targets: &[TargetAnswer],
    paths: &[Vec<Shown>],
    notes: &Notes,
    sources: &Sources,
) -> String {
    let functions = targets.iter().filter_map(|it| program.functions[program.function_of(it.target)].file);
    let spans = paths.iter().flatten().filter_map(|shown| shown.span.map(|span| span.file));
    let entry = program.functions[program.entry].file;
    let files: BTreeSet<FileId> =
        functions.chain(spans).chain(entry).chain(notes.keys().map(|(file, _)| *file)).collect();
    let mut text = String::new();
    for file in files {
        let name = &program.files[file];
        let Some(content) = sources.content(name) else { continue };
        let id = |line| line_id((file, line));
        let of_line = |line| notes.get(&(file, line)).map(Vec::as_slice).unwrap_or_default();
        text.push_str(&table(name, &content, id, of_line));
    }
    text
}

/// The lines of a file, each with what is said of it: of which kind, and the text.
pub(crate) fn table<'n>(
    name: &str,
    content: &[u8],
    id: impl Fn(u32) -> String,
    notes: impl Fn(u32) -> &'n [(&'static str, String)],
) -> String {
    let mut text = format!("<h2>{}</h2>\n<table class=\"source\">\n", escaped(name));
    for (line, number) in String::from_utf8_lossy(content).lines().zip(1..) {
        let said = notes(number);
        let _ = write!(
            text,
            "<tr id=\"{}\"><td class=\"number\">{number}<td class=\"code\">{}<span class=\"value\"></span>",
            id(number),
            escaped(line)
        );
        for (index, (kind, note)) in said.iter().enumerate() {
            let alike = |others: &[(&str, String)]| others.iter().filter(|(_, other)| other == note).count();
            let times = match alike(said) {
                _ if alike(&said[..index]) > 0 => continue,
                1 => String::new(),
                times => format!(" ({times} times)"),
            };
            let _ = write!(text, "<span class=\"note {kind}\">{}{times}</span>", escaped(note));
        }
        text.push_str("</tr>\n");
    }
    text + "</table>\n"
}

/// The name of a line in the page.
fn line_id((file, line): (FileId, u32)) -> String {
    format!("f{}-{line}", file.as_u32())
}

/// A text in which nothing is taken for markup, with the source's names of symbols.
pub(crate) fn escaped(text: &str) -> String {
    demangle_all(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{STYLE, date};
    use std::time::{Duration, SystemTime};

    #[test]
    fn dates_are_those_of_the_calendar() {
        let at = |seconds| date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01");
        assert_eq!(at(951_782_400), "2000-02-29");
        assert_eq!(at(1_709_251_199), "2024-02-29");
        assert_eq!(at(1_767_225_600), "2026-01-01");
    }

    /// The luminance of a colour, as the guidelines for accessible pages define it.
    fn luminance(colour: &str) -> f64 {
        let digits = colour.trim_start_matches('#');
        let part = |at: usize| {
            let byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("six digits");
            let share = f64::from(byte) / 255.0;
            if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn colours_of_text_can_be_read_in_both_themes() {
        let (light, dark) = STYLE.split_once("prefers-color-scheme: dark").expect("there are two themes");
        let dark = dark.split_once('}').map_or(dark, |(theme, _)| theme);
        for (theme, background) in [(light, "#ffffff"), (dark, "#121212")] {
            for name in ["--note", "--bad", "--open", "--value", "--number"] {
                let (_, rest) = theme.split_once(&format!("{name}: ")).expect(name);
                let colour = &rest[..7];
                assert!(contrast(colour, background) >= 4.5, "{name} {colour} on {background}");
                // The current line and a failing line have backgrounds of their own.
                let (_, rest) = theme.split_once("--here: ").expect("it is there");
                assert!(contrast(colour, &rest[..7]) >= 4.5, "{name} {colour} on {}", &rest[..7]);
                let (_, rest) = theme.split_once("--fails: ").expect("it is there");
                assert!(contrast(colour, &rest[..7]) >= 4.5, "{name} {colour} on {}", &rest[..7]);
            }
        }
    }
}
