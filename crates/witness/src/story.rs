//! A counterexample as a person reads it, next to the lines of the C program.

use crate::c_text::{CType, value};
use crate::execution::{Executed, Place, Step};
use crate::expression::{CWriter, Overflow};
use crate::slice::slice;
use crate::source::Sources;
use beeline_ir::{FuncId, LocId, Op, Program, Span, Value, VarId};
use beeline_run::RunStep;
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// How many lines are printed at most, unless all are wanted; the end is what matters most.
const FIRST_LINES: usize = 60;
const LAST_LINES: usize = 140;

/// Tells a counterexample: what matters for its end, or everything.
pub fn tell(
    program: &Program,
    executed: &Executed,
    target: LocId,
    sources: &mut Sources,
    full: bool,
) -> String {
    let matters = if full { vec![true; executed.steps.len()] } else { slice(executed) };
    let mut teller =
        Teller { program, sources, full, writers: FxHashMap::default(), lines: Vec::new(), open: None };
    let entry = &program.functions[program.entry];
    teller.lines.push(format!("{}()", entry.name));
    for (step, _) in executed.steps.iter().zip(matters).filter(|(_, matters)| *matters) {
        teller.step(step);
    }
    let target = program.targets.iter().find(|known| known.loc == target);
    if let Some(span) = target.and_then(|target| target.span) {
        teller.remark(executed.steps.last().map_or(0, depth_after), Some(span), None);
    }
    teller.flush();
    teller.lines.push(format!("reached: {}", target.map_or("", |target| &target.name)));
    teller.text()
}

fn depth_after(step: &Step) -> usize {
    match step.step {
        RunStep::Edge(_) => step.depth,
        RunStep::Call(..) => step.depth + 1,
        RunStep::Return(_) => step.depth.saturating_sub(1),
    }
}

/// A line that may get more remarks.
#[derive(Debug)]
struct Line {
    depth: usize,
    span: Option<Span>,
    remarks: Vec<String>,
}

struct Teller<'a> {
    program: &'a Program,
    sources: &'a mut Sources,
    full: bool,
    writers: FxHashMap<FuncId, CWriter<'a>>,
    lines: Vec<String>,
    open: Option<Line>,
}

impl Teller<'_> {
    fn step(&mut self, step: &Step) {
        let program = self.program;
        let edge = &program.edges[step.edge()];
        for (place, found) in &step.unset {
            let found = found.as_ref().and_then(|found| self.change(place, found));
            if let Some(found) = found {
                self.remark(step.depth, edge.span, Some(format!("{found}, never set")));
            }
        }
        match step.step {
            RunStep::Call(_, callee) => {
                self.remark(step.depth, edge.span, None);
                self.flush();
                let named = step.writes.iter().filter_map(|(place, given)| self.change(place, given));
                let arguments: Vec<String> = named.collect();
                let name = &program.functions[callee].name;
                self.lines.push(format!("{}{name}({})", indent(step.depth + 1), arguments.join(", ")));
            }
            RunStep::Return(_) => {
                self.flush();
                let result = step.writes.first();
                let result = result.map(|(place, given)| format!(" {}", value(given, self.ty_of(place))));
                let text = format!("{}returns{}", indent(step.depth), result.unwrap_or_default());
                self.lines.push(text);
                self.remark(step.depth - 1, edge.span, self.remarks_of(step).pop());
            }
            RunStep::Edge(_) => match &edge.op {
                Op::Assume(cond, _) => {
                    let func = program.function_of(edge.src);
                    let writer = self.writers.entry(func);
                    let writer = writer.or_insert_with(|| CWriter::new(program, func, Overflow::Natural));
                    let remark = writer.condition(*cond);
                    self.remark(step.depth, edge.span, remark);
                }
                _ => {
                    let remarks = self.remarks_of(step);
                    self.remark(step.depth, edge.span, None);
                    for remark in remarks {
                        self.remark(step.depth, edge.span, Some(remark));
                    }
                }
            },
        }
    }

    /// What a step changes, in words.
    fn remarks_of(&self, step: &Step) -> Vec<String> {
        let mut remarks: Vec<String> = Vec::new();
        for (place, given) in &step.writes {
            let remark = self.change(place, given);
            // All cells of a store have the one value.
            let again = matches!(place, Place::Cell(..)) && !remarks.is_empty();
            remarks.extend(remark.filter(|_| !again));
        }
        remarks
    }

    /// A change, if it is of something that the source has a name for.
    fn change(&self, place: &Place, given: &Value) -> Option<String> {
        match *place {
            Place::Global(var) | Place::Local(var, _) => {
                let source = self.program.vars[var].source.as_ref()?;
                Some(format!("{} = {}", source.name, value(given, self.ty(var))))
            }
            Place::Cell(region, addr) => {
                let region = &self.program.regions[region];
                let name = region.name.trim_start_matches("mem.");
                Some(format!("{name}[{addr:#x}] = {}", value(given, CType::Unknown)))
            }
        }
    }

    fn ty_of(&self, place: &Place) -> CType {
        match *place {
            Place::Global(var) | Place::Local(var, _) => self.ty(var),
            Place::Cell(..) => CType::Unknown,
        }
    }

    fn ty(&self, var: VarId) -> CType {
        let source = self.program.vars[var].source.as_ref();
        source.map_or(CType::Unknown, |source| CType::named(&source.ty, self.program.pointer_width))
    }

    /// Adds a remark to the open line, or opens another one.
    fn remark(&mut self, depth: usize, span: Option<Span>, remark: Option<String>) {
        let line = |span: Option<Span>| span.map(|span| (span.file, span.line));
        let same = self.open.as_ref().is_some_and(|open| {
            // What has no place of its own belongs to what stands before it.
            open.depth == depth && (span.is_none() || line(open.span) == line(span))
        });
        if !same {
            self.flush();
            self.open = Some(Line { depth, span, remarks: Vec::new() });
        }
        if let Some(open) = &mut self.open {
            open.remarks.extend(remark);
        }
    }

    /// Prints the open line.
    fn flush(&mut self) {
        let Some(line) = self.open.take() else { return };
        let mut text = format!("{}  ", indent(line.depth));
        if let Some(span) = line.span {
            let file = &self.program.files[span.file];
            let short = file.rsplit('/').next().unwrap_or(file);
            let _ = write!(text, "{short}:{}  ", span.line);
            text.push_str(self.sources.line(file, span.line).unwrap_or_default());
        } else if line.remarks.is_empty() {
            return;
        }
        if !line.remarks.is_empty() {
            let _ = write!(text, "  // {}", line.remarks.join("; "));
        }
        self.lines.push(text);
    }

    fn text(self) -> String {
        let count = self.lines.len();
        let mut text = String::new();
        let mut print = |lines: &[String]| {
            for line in lines {
                text.push_str(line.trim_end());
                text.push('\n');
            }
        };
        if self.full || count <= FIRST_LINES + LAST_LINES {
            print(&self.lines);
        } else {
            print(&self.lines[..FIRST_LINES]);
            print(&[format!(
                "... {} lines are left out; --full prints all",
                count - FIRST_LINES - LAST_LINES
            )]);
            print(&self.lines[count - LAST_LINES..]);
        }
        text
    }
}

fn indent(depth: usize) -> String {
    // Deep recursion would leave no room for the text.
    "  ".repeat(depth.min(30))
}
