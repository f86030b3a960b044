//! Stories: counterexamples as readable text, next to the lines of the C program.

use crate::command::{is_command, is_of_world};
use crate::depths::depths;
use crate::execution::{Executed, Place, Step};
use crate::expression::{CWriter, Overflow};
use crate::show::{called, named, of_input, shown, written};
use crate::slice::explanation;
use crate::source::Sources;
use beeline_ir::{Does, ExprId, FileId, FuncId, LocId, Op, Program, SCHEDULE, Span, Turn, Value};
use beeline_run::RunStep;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt::Write;

/// The greatest number of lines of a text, unless all are wanted. The end matters most.
const FIRST_LINES: usize = 60;
const LAST_LINES: usize = 140;

/// A part of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// What happens.
    pub kind: Kind,
    /// The number of open calls; 0 in the entry function.
    pub depth: usize,
    /// Its place in the source.
    pub span: Option<Span>,
    /// Its changes, and the conditions that hold there.
    pub remarks: Vec<String>,
}

/// What happens at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A function begins: its name and arguments.
    Enter(String),
    /// A function returns, perhaps a value.
    Return(Option<String>),
    /// A line is executed.
    Line,
    /// Lines that do not matter for the end are left out: their number.
    LeftOut(usize),
    /// Another thread continues: its name.
    Thread(String),
    /// The target, by its name.
    Reached(String),
}

/// The story of a counterexample: what matters for its end, or everything.
pub fn moments(
    program: &Program,
    executed: &Executed,
    target: LocId,
    sources: &mut Sources,
    full: bool,
) -> Vec<Moment> {
    let matters = if full { vec![true; executed.steps.len()] } else { explanation(program, executed) };
    let mut teller = Teller {
        program,
        sources,
        conditions: Conditions::new(program),
        moments: Vec::new(),
        open: None,
        given: Vec::new(),
        hidden: Vec::new(),
        calls: Vec::new(),
        threads: Threads::default(),
    };
    match is_command(program) {
        // What the environment does before `main` is not in the source, and nothing returns from it to a
        // line.
        true => teller.calls.push(LibraryCall { enters: true, depth: usize::MAX - 1, span: None }),
        false => {
            let name = &program.functions[program.entry].name;
            teller.add(Kind::Enter(format!("{name}()")), 0, None);
        }
    }
    let (depths, depth) = depths(program, executed);
    for ((step, at), matters) in executed.steps.iter().zip(depths).zip(matters) {
        // Steps that outlining added are not shown, nor are the choices of the scheduler.
        let Some(depth) = at else { continue };
        if teller.is_turn(step) {
            continue;
        }
        let step = &*match step.depth == depth {
            true => Cow::Borrowed(step),
            false => Cow::Owned(Step { depth, ..step.clone() }),
        };
        match (teller.library(step), matters) {
            (Some(call), true) if call.span.is_some() => teller.in_library(step, call),
            (Some(_), _) => {}
            (None, true) => teller.step(step),
            (None, false) => teller.hide(step),
        }
    }
    let target = program.targets.iter().find(|known| known.loc == target);
    let span = target.and_then(|target| target.span);
    if span.is_some() {
        teller.remark(depth, span, None);
    }
    teller.flush();
    teller.hidden.clear();
    teller.add(Kind::Reached(target.map_or(String::new(), |target| told(&target.name))), depth, span);
    teller.moments
}

/// The name of a target as readable text: of a mark, its place.
fn told(name: &str) -> String {
    let place = name.strip_prefix("beeline.mark ").and_then(|rest| rest.split_once(' '));
    place.map_or_else(|| name.to_string(), |(_, place)| format!("the place {place}"))
}

/// A story as text, with the lines of the source; if it is long and not all of it is wanted, without its middle.
pub fn text(program: &Program, moments: &[Moment], sources: &mut Sources, full: bool) -> String {
    let mut text = String::new();
    let mut print = |moments: &[Moment]| {
        for moment in moments {
            text.push_str(line(program, moment, sources).trim_end());
            text.push('\n');
        }
    };
    if full || moments.len() <= FIRST_LINES + LAST_LINES {
        print(moments);
    } else {
        print(&moments[..FIRST_LINES]);
        let skipped = moments.len() - FIRST_LINES - LAST_LINES;
        print(&[Moment { kind: Kind::LeftOut(skipped), depth: 0, span: None, remarks: Vec::new() }]);
        print(&moments[moments.len() - LAST_LINES..]);
    }
    text
}

/// Whether a story leaves nothing out.
pub fn is_whole(moments: &[Moment]) -> bool {
    moments.len() <= FIRST_LINES + LAST_LINES
        && !moments.iter().any(|moment| matches!(moment.kind, Kind::LeftOut(_)))
}

/// A writer of branch conditions as C text.
#[derive(Debug)]
pub struct Conditions<'p> {
    program: &'p Program,
    writers: FxHashMap<FuncId, CWriter<'p>>,
}

impl<'p> Conditions<'p> {
    /// A writer for a program.
    pub fn new(program: &'p Program) -> Conditions<'p> {
        Conditions { program, writers: FxHashMap::default() }
    }

    /// The condition that holds after an edge from a location. The condition of an implicit check is not in
    /// the source: what it reads is shown at the error.
    pub fn text(&mut self, loc: LocId, cond: ExprId) -> Option<String> {
        let program = self.program;
        if is_check(program, loc) {
            return None;
        }
        let func = program.function_of(loc);
        let writer = self.writers.entry(func);
        let text =
            writer.or_insert_with(|| CWriter::new(program, func, Overflow::Natural)).condition(cond)?;
        Some(by_function(program, &text).unwrap_or(text))
    }
}

/// A comparison of a pointer with a function, as in the source: `handler == one`.
fn by_function(program: &Program, text: &str) -> Option<String> {
    let plain = text.strip_prefix("(unsigned long long)")?;
    let operator = [" == ", " != "].into_iter().find(|operator| plain.contains(operator))?;
    let (pointer, number) = plain.split_once(operator)?;
    let addr: u64 = number.strip_suffix("ULL")?.parse().ok()?;
    let function = program.functions.keys().find(|&func| program.functions[func].addr == Some(addr))?;
    Some(format!("{pointer}{operator}{}", program.source_function(function)))
}

/// Whether a location is the branch of a check that is not in the source.
fn is_check(program: &Program, loc: LocId) -> bool {
    let wrong = |loc: LocId| {
        let target = program.targets.iter().find(|target| target.loc == loc);
        target.is_some_and(|target| target.property != "unreach-call")
    };
    program.out_edges(loc).any(|edge| wrong(program.edges[edge].dst))
}

/// A moment in a line.
fn line(program: &Program, moment: &Moment, sources: &mut Sources) -> String {
    let indent = indent(moment.depth);
    match &moment.kind {
        Kind::Enter(call) => format!("{indent}{call}{}", remarks(moment)),
        Kind::Return(value) => {
            format!("{indent}returns{}", value.as_ref().map_or(String::new(), |value| format!(" {value}")))
        }
        Kind::Thread(name) => format!("{indent}{name}:"),
        Kind::Reached(name) => format!("reached: {name}"),
        Kind::LeftOut(1) => format!("{indent}  ... 1 line"),
        Kind::LeftOut(number) => format!("{indent}  ... {number} lines"),
        Kind::Line => {
            let mut text = format!("{indent}  ");
            if let Some(span) = moment.span {
                let file = &program.files[span.file];
                let short = file.rsplit('/').next().unwrap_or(file);
                let _ = write!(text, "{short}:{}  ", span.line);
                text.push_str(sources.line(file, span.line).unwrap_or_default());
            }
            text + &remarks(moment)
        }
    }
}

/// The remarks after a line.
fn remarks(moment: &Moment) -> String {
    if moment.remarks.is_empty() { String::new() } else { format!("  // {}", moment.remarks.join("; ")) }
}

struct Teller<'a> {
    program: &'a Program,
    sources: &'a mut Sources,
    conditions: Conditions<'a>,
    moments: Vec<Moment>,
    /// A line that may get more remarks.
    open: Option<Moment>,
    /// The inputs in the open line: functions with their values.
    given: Vec<(String, String)>,
    /// Lines that were left out since the last moment.
    hidden: Vec<(FileId, u32)>,
    /// The open calls from lines into the library, and from there back to functions with lines.
    calls: Vec<LibraryCall>,
    threads: Threads,
}

/// The threads of a program.
#[derive(Debug, Default)]
struct Threads {
    /// The running thread, if there are several.
    running: Option<u32>,
    /// The functions of threads.
    functions: FxHashMap<u32, String>,
}

/// A call from a function with lines to one without, or vice versa.
#[derive(Debug, Clone, Copy)]
struct LibraryCall {
    /// Whether the callee has no lines.
    enters: bool,
    /// The number of open calls at the call.
    depth: usize,
    /// Its place.
    span: Option<Span>,
}

impl Teller<'_> {
    /// The call of the library that a step is a part of: its steps are shown at the line of the call.
    fn library(&mut self, step: &Step) -> Option<LibraryCall> {
        let program = self.program;
        let is_in = self.calls.last().is_some_and(|call| call.enters);
        let span = program.edges[step.edge()].span;
        match step.step {
            RunStep::Call(_, callee) if is_in == has_lines(program, callee) && (is_in || span.is_some()) => {
                self.calls.push(LibraryCall { enters: !is_in, depth: step.depth, span });
                self.calls.last().copied().filter(|call| call.enters)
            }
            RunStep::Return(_) if self.calls.last().is_some_and(|call| call.depth + 1 == step.depth) => {
                self.calls.pop().filter(|call| call.enters)
            }
            _ => self.calls.last().copied().filter(|call| call.enters),
        }
    }

    /// Whether a step only chooses the thread that continues. A change of the thread is shown.
    fn is_turn(&mut self, step: &Step) -> bool {
        let program = self.program;
        let edge = &program.edges[step.edge()];
        if matches!(step.step, RunStep::Call(..)) {
            return false;
        }
        if matches!(edge.op, Op::Havoc(_, Some(input)) if program.inputs[input] == SCHEDULE) {
            return true;
        }
        let Some(turn) = program.labels.get(&edge.dst).and_then(|label| Turn::of_label(label)) else {
            return false;
        };
        if let Does::Starts(function) = turn.does {
            self.threads.functions.insert(turn.thread, function);
        }
        if self.threads.running.replace(turn.thread).unwrap_or(1) != turn.thread {
            self.flush();
            let function = self.threads.functions.get(&turn.thread).map(|function| format!(" ({function})"));
            let name = format!("thread {}{}", turn.thread, function.unwrap_or_default());
            self.add(Kind::Thread(name), 0, None);
        }
        matches!(edge.op, Op::Assume(..) | Op::Skip)
    }

    /// Shows a step of the library: inputs, writes to places with names, and results.
    fn in_library(&mut self, step: &Step, call: LibraryCall) {
        let program = self.program;
        self.remark(call.depth, call.span, None);
        let edge = &program.edges[step.edge()];
        if let (Op::Havoc(var, Some(input)), Some((_, given))) = (&edge.op, step.writes.first())
            && !is_of_world(&program.inputs[*input])
        {
            let function = &program.inputs[*input];
            self.given.push((function.clone(), of_input(program, *var, function, given)));
        }
        let has_name = |(place, given): &&(Place, Value)| named(program, *place, given).is_some();
        let remarks: Vec<_> = match step.step {
            RunStep::Call(..) => Vec::new(),
            RunStep::Edge(_) | RunStep::Return(_) => step
                .writes
                .iter()
                .filter(has_name)
                .filter_map(|(place, given)| self.change(*place, given))
                .collect(),
        };
        for remark in remarks {
            self.remark(call.depth, call.span, Some(remark));
        }
    }

    fn step(&mut self, step: &Step) {
        let program = self.program;
        let edge = &program.edges[step.edge()];
        for (place, found) in &step.unset {
            let found = found.as_ref().and_then(|found| self.change(*place, found));
            if let Some(found) = found {
                self.remark(step.depth, edge.span, Some(format!("{found}, never set")));
            }
        }
        match step.step {
            RunStep::Call(_, callee) => {
                self.remark(step.depth, edge.span, None);
                self.flush();
                let named = step.writes.iter().filter_map(|(place, given)| self.change(*place, given));
                let arguments: Vec<String> = named.collect();
                let name = &program.functions[callee].name;
                let call = format!("{name}({})", arguments.join(", "));
                self.add(Kind::Enter(call), step.depth + 1, edge.span);
            }
            RunStep::Return(_) => {
                self.flush();
                let result = step.writes.first();
                let ty = |place, given| called(program, place, given).map_or("", |called| called.ty);
                let result = result.map(|(place, given)| shown(program, ty(*place, given), given));
                self.add(Kind::Return(result), step.depth, None);
                self.remark(step.depth - 1, edge.span, self.remarks_of(step).pop());
            }
            RunStep::Edge(_) => match &edge.op {
                Op::Assume(cond, _) => {
                    let remark = self.conditions.text(edge.src, *cond);
                    self.remark(step.depth, edge.span, remark);
                }
                op => {
                    let remarks = self.remarks_of(step);
                    self.remark(step.depth, edge.span, None);
                    if let (Op::Havoc(var, Some(input)), Some((_, given))) = (op, step.writes.first()) {
                        let function = &program.inputs[*input];
                        self.given.push((function.clone(), of_input(program, *var, function, given)));
                    }
                    for remark in remarks {
                        self.remark(step.depth, edge.span, Some(remark));
                    }
                }
            },
        }
    }

    /// The changes of a step, as text.
    fn remarks_of(&self, step: &Step) -> Vec<String> {
        let mut remarks: Vec<String> = Vec::new();
        for (place, given) in &step.writes {
            let remark = self.change(*place, given);
            // All cells of a store have the one value.
            let stores = matches!(self.program.edges[step.edge()].op, Op::Store { .. });
            let again = stores && !remarks.is_empty();
            remarks.extend(remark.filter(|_| !again));
        }
        remarks
    }

    /// A change, if it is of memory or of a place with a name in the source.
    fn change(&self, place: Place, given: &Value) -> Option<String> {
        called(self.program, place, given).map(|called| called.to_string())
    }

    /// Adds a remark to the open line, or opens another line.
    fn remark(&mut self, depth: usize, span: Option<Span>, remark: Option<String>) {
        if let (None, None, Some(Moment { kind: Kind::Enter(_), remarks, .. })) =
            (&self.open, span, self.moments.last_mut())
        {
            // A step without a place at the start of a function is about its parameters.
            return remarks.extend(remark);
        }
        let same = self.open.as_ref().is_some_and(|open| {
            // A step without a place belongs to the one before it.
            open.depth == depth && (span.is_none() || line_of(open.span) == line_of(span))
        });
        if !same {
            self.flush();
            self.open = Some(Moment { kind: Kind::Line, depth, span, remarks: Vec::new() });
        }
        if let Some(open) = &mut self.open {
            open.remarks.extend(remark);
        }
    }

    /// Remembers the line of a step that is left out.
    fn hide(&mut self, step: &Step) {
        let line = line_of(self.program.edges[step.edge()].span);
        let open = self.open.as_ref().and_then(|open| line_of(open.span));
        let is_new = line != open && self.hidden.last().copied() != line;
        if is_new && is_telling(line, self.program, self.sources) {
            self.flush();
            self.hidden.extend(line);
        }
    }

    /// Ends the open line.
    fn flush(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        for (function, value) in self.given.drain(..).rev() {
            // The variable that got the value shows it already.
            if !open.remarks.iter().any(|remark| remark.ends_with(&format!("= {value}"))) {
                open.remarks.insert(0, format!("{}() returns {value}", written(&function)));
            }
        }
        if open.span.is_some() || !open.remarks.is_empty() {
            self.mark(open.depth, line_of(open.span));
            self.moments.push(open);
        }
    }

    /// Adds a moment that is not a line.
    fn add(&mut self, kind: Kind, depth: usize, span: Option<Span>) {
        self.mark(depth, None);
        self.moments.push(Moment { kind, depth, span, remarks: Vec::new() });
    }

    /// Marks that lines were left out, except the one that comes next.
    fn mark(&mut self, depth: usize, next: Option<(FileId, u32)>) {
        let mut hidden = std::mem::take(&mut self.hidden);
        hidden.retain(|line| Some(*line) != next);
        if !hidden.is_empty() {
            let kind = Kind::LeftOut(hidden.len());
            self.moments.push(Moment { kind, depth, span: None, remarks: Vec::new() });
        }
    }
}

/// Whether a function has lines in the source.
fn has_lines(program: &Program, func: FuncId) -> bool {
    let mut edges = program.functions[func].locations().flat_map(|loc| program.out_edges(loc));
    edges.any(|edge| program.edges[edge].span.is_some())
}

/// Whether a line has more than the end of a block.
fn is_telling(line: Option<(FileId, u32)>, program: &Program, sources: &mut Sources) -> bool {
    let text = line.and_then(|(file, line)| sources.line(&program.files[file], line));
    text.is_none_or(|text| text != "}")
}

/// The line of a place.
fn line_of(span: Option<Span>) -> Option<(FileId, u32)> {
    span.map(|span| (span.file, span.line))
}

fn indent(depth: usize) -> String {
    // Deep recursion would leave no room for the text.
    "  ".repeat(depth.min(30))
}
