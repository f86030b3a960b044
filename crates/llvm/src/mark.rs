//! Marks in a module that report which places an execution reaches: a call of [`MARK`] stands at each.
//!
//! Such a place is a target that an execution may pass: a search for one looks for an execution that reaches it,
//! wherever that goes on to.

use crate::import::debug::Debug;
use crate::raw::{Context, Insertion, Inst, RawModule, Tell, Value, When};
use crate::read::{ImportError, read};
use beeline_module::names::MARK;
use llvm_sys::{LLVMOpcode, LLVMValueKind};
use std::ffi::CStr;
use std::path::Path;
use thiserror::Error;

const MARK_NAME: &CStr = c"beeline.mark";

/// The function that a program calls where a place of a sequence has a condition:
/// `void beeline.condition(int place, int holds)`, with the place's position in the sequence. Such calls are removed.
pub const CONDITION: &str = "beeline.condition";

/// Which places are marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// Each branch edge of conditional branches and switches.
    Branches,
    /// Each line with code.
    Lines,
    /// Each function.
    Functions,
    /// The last of these places, for executions that pass all of them in this order.
    Sequence {
        /// The places.
        points: Vec<Point>,
        /// Whether missing places are left out. The last one has to be there.
        skip_missing: bool,
    },
}

/// A place that a user names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Point {
    /// A line of a file; the file by the end of its path.
    Line(String, u32),
    /// The beginning of a function.
    Function(String),
    /// A call of a function by its name.
    Call(String),
    /// Where the program calls [`CONDITION`] with the position of this place, and the condition holds; the text is for
    /// messages.
    Condition(String),
}

/// A place that is marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The function that it is in.
    pub function: String,
    /// File, line and column.
    pub place: Option<(String, u32, u32)>,
    /// Its kind.
    pub kind: MarkKind,
}

/// The kind of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkKind {
    /// The first branch edge: the condition holds.
    Taken,
    /// The second branch edge.
    NotTaken,
    /// A switch's branch edge for a value.
    Case(String),
    /// A switch's branch edge for all other values.
    Default,
    /// A line.
    Line,
    /// The beginning of a function.
    Function,
    /// The end of a sequence of places.
    Sequence,
}

/// A module with its marks.
#[derive(Debug, Clone)]
pub struct Marked {
    /// The bitcode.
    pub bitcode: Vec<u8>,
    /// The marks by their numbers.
    pub marks: Vec<Mark>,
}

/// Why places cannot be marked.
#[derive(Debug, Error)]
pub enum MarkError {
    /// The module cannot be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The module has marks, which would be taken for new ones.
    #[error("{0} has marks already; mark the module that it was made from")]
    Marked(String),
    /// A place does not exist.
    #[error("no code at {shown}{}", nearest(.near))]
    NoPlace {
        /// The place.
        shown: String,
        /// The nearest ones.
        near: Vec<String>,
    },
    /// Changing the module broke it, which is a bug in Beeline.
    #[error("this program broke the module by marking it, which is a bug: {0}")]
    Broken(String),
}

fn nearest(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; the nearest are {}", near.join(", ")) }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Point::Line(file, line) => write!(f, "{file}:{line}"),
            Point::Function(name) => f.write_str(name),
            Point::Call(name) => write!(f, "call:{name}"),
            Point::Condition(text) => f.write_str(text),
        }
    }
}

/// Marks places of a module.
pub fn mark(bytes: &[u8], name: &str, selection: &Selection) -> Result<Marked, MarkError> {
    let context = Context::new();
    let mut module = read(&context, bytes, name)?;
    if module.functions().iter().any(|function| function.name() == MARK) {
        return Err(MarkError::Marked(name.to_string()));
    }
    let (marks, insertions) = {
        let mut finder = Finder { sites: sites(&module), marks: Vec::new(), insertions: Vec::new() };
        match selection {
            Selection::Branches => finder.branches(),
            Selection::Lines => finder.lines(),
            Selection::Functions => finder.functions(),
            Selection::Sequence { points, skip_missing } => finder.sequence(points, *skip_missing)?,
        }
        (finder.marks, finder.insertions)
    };
    module.insert_marks(MARK_NAME, &insertions);
    module.erase_calls(CONDITION);
    module.verify().map_err(MarkError::Broken)?;
    Ok(Marked { bitcode: module.bitcode(), marks })
}

/// An instruction at which a mark may be placed.
#[derive(Debug, Clone)]
struct Site {
    /// The positions of function and instruction in their lists.
    function: usize,
    inst: usize,
    name: String,
    place: Option<(String, u32, u32)>,
    /// Whether it is the first of its function that is no `alloca`.
    begins: bool,
    /// The place of its function's definition, for the first instruction.
    defined: Option<(String, u32)>,
    /// Whether it is the first of its line for control that comes from the instruction before.
    begins_line: bool,
    /// The function that it calls by name.
    calls: Option<String>,
    /// The position of the place whose condition it reports.
    tells: Option<u64>,
    /// Its branch edges, if there are several.
    ways: Vec<(When, MarkKind)>,
}

/// All instructions before which a call may stand.
fn sites(module: &RawModule<'_>) -> Vec<Site> {
    let mut debug = Debug::new(module);
    let mut found = Vec::new();
    for (number, function) in module.functions().into_iter().enumerate() {
        if function.is_declaration() || function.subprogram().is_none() {
            continue;
        }
        let mut inst = 0;
        let mut begun = false;
        for block in function.blocks() {
            let mut line_before = None;
            for each in block.insts() {
                let opcode = each.opcode();
                let at = inst;
                inst += 1;
                let may_follow = matches!(opcode, LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMAlloca);
                if may_follow || each.is_debug_call() {
                    continue;
                }
                let place = debug.inst_place(each);
                let line = place.map(|place| (place.file, place.line));
                let begins = !std::mem::replace(&mut begun, true);
                let defined = if begins { debug.function_place(function) } else { None };
                found.push(Site {
                    function: number,
                    inst: at,
                    name: function.name(),
                    place: place.map(|at| (debug.files[at.file as usize].clone(), at.line, at.col)),
                    begins,
                    defined: defined.map(|at| (debug.files[at.file as usize].clone(), at.line)),
                    begins_line: line.is_some() && line != line_before,
                    calls: called(each),
                    tells: told(each),
                    ways: ways(each),
                });
                line_before = line.or(line_before);
            }
        }
    }
    found
}

fn called(inst: Inst<'_>) -> Option<String> {
    let callee = (inst.opcode() == LLVMOpcode::LLVMCall).then(|| inst.callee())?;
    (callee.kind() == LLVMValueKind::LLVMFunctionValueKind).then(|| callee.name())
}

/// The position of the place whose condition a call reports.
fn told(inst: Inst<'_>) -> Option<u64> {
    let is_told = called(inst).as_deref() == Some(CONDITION);
    is_told.then(|| inst.value().operand(0).small_int()).flatten()
}

/// The branch edges of a terminator, if there are several.
fn ways(inst: Inst<'_>) -> Vec<(When, MarkKind)> {
    match inst.opcode() {
        LLVMOpcode::LLVMBr if inst.condition().is_some() => {
            vec![(When::Taken, MarkKind::Taken), (When::NotTaken, MarkKind::NotTaken)]
        }
        LLVMOpcode::LLVMSwitch => {
            let count = inst.successors().len() as u32 - 1;
            let value = |case: u32| inst.case_value(case).map(shown).unwrap_or_default();
            let cases = (0..count).map(|case| (When::Case(case), MarkKind::Case(value(case))));
            cases.chain([(When::Default, MarkKind::Default)]).collect()
        }
        _ => Vec::new(),
    }
}

/// A constant of a switch: its number without the type that LLVM writes before it.
fn shown(value: Value<'_>) -> String {
    let text = value.print();
    text.rsplit(' ').next().unwrap_or_default().to_string()
}

struct Finder {
    sites: Vec<Site>,
    marks: Vec<Mark>,
    insertions: Vec<Insertion>,
}

impl Finder {
    fn mark(&mut self, site: &Site, kind: MarkKind, when: When) {
        let tell = Tell::Place(self.marks.len() as u32);
        self.marks.push(Mark { function: site.name.clone(), place: site.place.clone(), kind });
        self.insert(site, when, tell);
    }

    fn insert(&mut self, site: &Site, when: When, tell: Tell) {
        self.insertions.push(Insertion { function: site.function, inst: site.inst, when, tell });
    }

    /// Marks branch edges. A switch of the compiler's own, as at the end of a scope that is left on several paths, has
    /// no line and no mark.
    fn branches(&mut self) {
        for site in self.sites.clone().into_iter().filter(|site| site.place.is_some()) {
            for (when, kind) in site.ways.clone() {
                self.mark(&site, kind, when);
            }
        }
    }

    fn functions(&mut self) {
        for site in self.sites.clone().iter().filter(|site| site.begins) {
            self.mark(site, MarkKind::Function, When::Always);
        }
    }

    /// Marks lines. A line may have code in several pieces: these have one mark.
    fn lines(&mut self) {
        let mut known: Vec<(String, u32)> = Vec::new();
        for site in self.sites.clone().iter().filter(|site| site.begins_line) {
            let Some((file, line, _)) = site.place.clone() else { continue };
            match known.iter().position(|at| *at == (file.clone(), line)) {
                Some(number) => self.insert(site, When::Always, Tell::Place(number as u32)),
                None => {
                    known.push((file, line));
                    self.mark(site, MarkKind::Line, When::Always);
                }
            }
        }
    }

    fn sequence(&mut self, points: &[Point], skip_missing: bool) -> Result<(), MarkError> {
        let at = |number, point| {
            let sites = self.sites.iter().filter(|site| is_at(site, number, point)).cloned();
            let sites: Vec<Site> = sites.collect();
            if sites.is_empty() { self.begun_at(point) } else { sites }
        };
        let mut places = Vec::new();
        for (index, point) in points.iter().enumerate() {
            let here = at(index, point);
            if !here.is_empty() {
                let when = if matches!(point, Point::Condition(_)) { When::Told } else { When::Always };
                places.push((here, when));
            } else if !skip_missing || index + 1 == points.len() {
                return Err(MarkError::NoPlace { shown: point.to_string(), near: self.near(point) });
            }
        }
        let Some(last) = places.len().checked_sub(1) else { return Ok(()) };
        let Site { name: function, place, .. } = places[last].0[0].clone();
        self.marks.push(Mark { function, place, kind: MarkKind::Sequence });
        // Last ones first: where two places are the same instruction, an execution passes the earlier one there and the
        // later one when it reaches it again.
        for (index, (here, when)) in places.iter().enumerate().rev() {
            let tell = match index as u32 {
                0 if last == 0 => Tell::Place(0),
                passed if index == last => Tell::After(0, passed),
                place => Tell::Passed(place),
            };
            here.iter().for_each(|site| self.insert(site, *when, tell));
        }
        Ok(())
    }

    /// The beginning of the function that is defined at a line without code.
    fn begun_at(&self, point: &Point) -> Vec<Site> {
        let Point::Line(file, line) = point else { return Vec::new() };
        let is_meant =
            |site: &&Site| site.defined.as_ref().is_some_and(|at| at.1 == *line && is_file(&at.0, file));
        self.sites.iter().filter(is_meant).cloned().collect()
    }

    /// The nearest places to a missing one.
    fn near(&self, point: &Point) -> Vec<String> {
        const MOST: usize = 3;
        let mut near: Vec<(u64, String)> = match point {
            Point::Line(file, line) => {
                let places = self.sites.iter().filter_map(|site| site.place.as_ref());
                let here = places.clone().filter(|place| is_file(&place.0, file));
                let far = |place: &(String, u32, u32)| u64::from(place.1.abs_diff(*line));
                let lines: Vec<_> = here.map(|place| (far(place), format!("{file}:{}", place.1))).collect();
                match lines.is_empty() {
                    true => places.map(|place| (unlike(&place.0, file), place.0.clone())).collect(),
                    false => lines,
                }
            }
            Point::Function(name) => {
                self.sites.iter().map(|site| (unlike(&site.name, name), site.name.clone())).collect()
            }
            Point::Call(name) => {
                let called = self.sites.iter().filter_map(|site| site.calls.as_ref());
                let called = called.filter(|callee| !callee.starts_with("llvm."));
                called.map(|callee| (unlike(callee, name), format!("call:{callee}"))).collect()
            }
            // The compiler has removed its code.
            Point::Condition(_) => Vec::new(),
        };
        near.sort();
        near.dedup();
        near.into_iter().map(|(_, shown)| shown).take(MOST).collect()
    }
}

/// Whether an instruction is at a place with a position in the sequence.
fn is_at(site: &Site, number: usize, point: &Point) -> bool {
    match point {
        Point::Line(file, line) => {
            let is_place = |place: &(String, u32, u32)| is_file(&place.0, file) && place.1 == *line;
            site.begins_line && site.place.as_ref().is_some_and(is_place)
        }
        Point::Function(name) => site.begins && site.name == *name,
        Point::Call(name) => site.calls.as_ref() == Some(name),
        Point::Condition(_) => site.tells == Some(number as u64),
    }
}

/// Whether two paths end alike, so that one may stand for the other.
fn is_file(path: &str, name: &str) -> bool {
    Path::new(path).ends_with(name) || Path::new(name).ends_with(path)
}

/// The distance of two names: the length of what remains without their common prefix and suffix.
fn unlike(one: &str, other: &str) -> u64 {
    let alike = |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(a, b)| a == b).count();
    let begin = alike(&mut one.chars().zip(other.chars()));
    let end = alike(&mut one.chars().rev().zip(other.chars().rev()));
    (one.len() + other.len()).saturating_sub(2 * (begin + end)) as u64
}
